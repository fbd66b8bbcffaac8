"""Code that runs a study of the default device, for experiments on its sensitivity to a parameter."""

import itertools
from collections.abc import Mapping
from typing import Any

from sledsim import studies

from ..shared import Result, Statement, device, noted


def swept(
    id: str, quick: bool, study: str, table: str, chart: str, shorter: Mapping[str, Any], says: str = ""
) -> Result:
    """Run a study of the default device and return it as the result of an experiment.

    Args:
        id: Id of the experiment, under which ``statements.toml`` has its notes.
        quick: True to run the study with the options `shorter`.
        study: Name of the study.
        table: Title of the study's table.
        chart: Title of the study's chart.
        shorter: Options of the study in a quick run.
        says: Statement of the paper that the mean access falls over the range of the parameter; empty if the
            paper makes no such statement.
    """
    model = device("sigmetrics00")
    found = studies.run(study, model, **(shorter if quick else {}))
    access_ms = [value * 1e3 for value in found.table["mean_service_s"].to_pylist()]
    notes = noted(id, least_ms=min(access_ms), most_ms=max(access_ms))
    texts = ", ".join(f"{ms:.2f}" for ms in access_ms)
    falls = all(after < before for before, after in itertools.pairwise(access_ms))
    beside = [Statement("mean access over the range", says, f"{texts} ms", falls)] if says else []
    return Result(
        devices=[model], tables={table: found.table}, charts={chart: found.plot}, notes=notes, beside=beside
    )

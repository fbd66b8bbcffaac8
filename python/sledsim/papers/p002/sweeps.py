"""What the experiments on the sensitivity of the default device share."""

import itertools
from collections.abc import Mapping
from typing import Any

from sledsim import studies

from ..shared import Result, Statement, device, noted


def swept(
    id: str, quick: bool, study: str, table: str, chart: str, shorter: Mapping[str, Any], says: str = ""
) -> Result:
    """What a study finds of the default device.

    Args:
        id: Of the experiment, whose notes may name the shortest mean access, and the longest.
        quick: Whether it is given what makes it shorter.
        study: Its name.
        table: The title of its table.
        chart: The title of its chart.
        shorter: What it is given for a quick run.
        says: What the text says of a curve that falls all the way, where it does.
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

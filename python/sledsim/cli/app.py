"""The commands and their options."""

from typing import Annotated

import typer

from .. import _native
from ..common.deprecation import COMMANDS
from . import (
    bounds,
    catalogue,
    certify,
    check_device,
    compare,
    crash,
    design,
    doctor,
    explain,
    holds,
    importing,
    optimise,
    paper,
    run,
    sensitivity,
    serve,
    show,
    study,
    sweep,
    trace,
    validate,
    view,
)
from .commands import App
from .groups import spread

app = App(
    name="sledsim",
    help="Simulate MEMS-based (probe) storage: replay block traces on a device, compare schedulers.",
    epilog="Start with: sledsim demo",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"sledsim {_native.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    register: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py:CLASS",
            help="Before the command: a class of devices of your own, for files and results that name its "
            "kind; may be given several times.",
        ),
    ] = None,
) -> None:
    """Simulate MEMS-based (probe) storage: replay block traces on a device, compare schedulers."""
    for text in register or ():
        from ..model.device_classes import load_device_class

        load_device_class(text)


app.command("list")(spread(catalogue.list_kind))
for command in (
    show.show,
    check_device.check_device,
    run.run,
    compare.compare,
    compare.demo,
    explain.explain,
    view.view,
    validate.validate,
    bounds.bounds,
    design.design,
    sensitivity.sensitivity,
    holds.holds,
    optimise.optimise,
    study.study,
    certify.certify,
    crash.crash,
    doctor.doctor,
):
    app.command()(spread(command))

app.command(cls=serve.ServeCommand)(spread(serve.serve))
app.add_typer(importing.app)
app.add_typer(paper.app)
app.add_typer(sweep.app)
app.add_typer(trace.app)
for _kind in catalogue.KINDS:
    if _kind.name in COMMANDS:
        app.command(_kind.name, hidden=True)(spread(catalogue.formerly(_kind)))

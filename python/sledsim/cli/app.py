"""The commands and their options."""

from collections.abc import Callable
from typing import Annotated

import typer

from .. import _native
from ..common.deprecation import COMMANDS
from .commands import (
    certify,
    compare,
    crash,
    doctor,
    explain,
    importing,
    listing,
    paper,
    run,
    serve,
    show,
    study,
    trace,
    view,
)
from .installed_commands import Program
from .shell import App

#: The first page, panel by panel: the names of commands, and their functions or groups.
PANELS: dict[str, dict[str, Callable[..., None] | App]] = {
    "Simulate": {"run": run.run, "compare": compare.compare, "explain": explain.explain, "view": view.view},
    "Study": {"study": study.app, "paper": paper.app},
    "Serve to real programs": {"serve": serve.serve, "certify": certify.certify, "crash": crash.crash},
    "Look up and prepare": {
        "list": listing.list_kind,
        "show": show.show,
        "trace": trace.app,
        "import": importing.app,
        "doctor": doctor.doctor,
    },
}
_CLASSES = {"serve": serve.ServeCommand}
Program.first_page = [name for rows in PANELS.values() for name in rows]


app = App(
    name="sledsim",
    cls=Program,
    help="Simulate MEMS-based (probe) storage: replay block traces on a device, compare schedulers.",
    epilog="Start with: sledsim demo. Check a device class of your own: sledsim check-device FILE.py:CLASS",
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
            help="Before the command: a device or policy of your own, for files and results that name it; "
            "may be given several times.",
        ),
    ] = None,
) -> None:
    """Simulate MEMS-based (probe) storage: replay block traces on a device, compare schedulers."""
    for text in register or ():
        from ..model.typed import load_own

        load_own(text)


for _panel, _rows in PANELS.items():
    for _name, _one in _rows.items():
        app.add(_name, _one, _panel, cls=_CLASSES.get(_name))
app.add("demo", compare.demo)
app.add("check-device", show.check_device)
# Names that people and scripts have typed for long, and which need no warning: each is one question.
for _name, _one in study.QUESTIONS.items():
    app.add(_name, _one, hidden=True)
for _kind in listing.KINDS:
    if _kind.name in COMMANDS:
        app.add(_kind.name, listing.formerly(_kind), hidden=True)

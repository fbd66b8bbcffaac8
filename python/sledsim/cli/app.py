"""The program with all commands, and the options that stand before a command."""

from importlib import import_module
from typing import Annotated

import typer

from .. import _native
from ..common.deprecation import COMMANDS
from .commands import compare, listing, serve, show, study
from .installed_commands import Program
from .shell import App

#: Files of the folder `commands`, without ``.py`` and separated by spaces, by the heading under which the
#: main help lists their commands.
FILES: dict[str | None, str] = {
    "Simulate": "run compare explain view",
    "Study": "study",
    "Serve to real programs": "serve certify crash",
    "Look up and prepare": "listing show trace importing doctor",
}


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
            help="Load your own device or policy class, so that files and results may refer to it by name; "
            "goes before the command; may be given several times.",
        ),
    ] = None,
) -> None:
    """Simulate MEMS-based (probe) storage: replay block traces on a device, compare schedulers."""
    for text in register or ():
        from ..model.typed import load_own

        load_own(text)


# Each file ends with `COMMANDS`: names, and the function or group of each.
for _panel, _file in ((panel, file) for panel, files in FILES.items() for file in files.split()):
    for _name, _one in import_module(f"{__package__}.commands.{_file}").COMMANDS.items():
        app.add(_name, _one, _panel, cls=serve.ServeCommand if _one is serve.serve else None)
        Program.first_page += (_name,) if _panel else ()
app.add("demo", compare.demo)
app.add("check-device", show.check_device)
# Old names that need no warning: each is the name of one question.
for _name, _one in study.QUESTIONS.items():
    app.add(_name, _one, hidden=True)
for _kind in listing.KINDS:
    if _kind.name in COMMANDS:
        app.add(_kind.name, listing.formerly(_kind), hidden=True)

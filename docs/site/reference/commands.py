"""A page of each command with its whole help."""

from collections.abc import Iterator
from typing import Any

import typer

from sledsim.cli.app import app
from sledsim.cli.installed_commands import whole

from ..markdown import joined, plain, table, toctree
from .kinds import anchor


def pages() -> Iterator[tuple[str, str]]:
    """Yield the list of commands and the page of each."""
    program: Any = whole(app)
    commands = {name: one for name, one in program.commands.items() if not one.hidden}
    listed = ((f"[`sledsim {name}`]({name}.md)", _first(one)) for name, one in commands.items())
    yield (
        "generated/commands/index.md",
        joined(
            "# Every command",
            "Find the purpose and every option of each command. `sledsim COMMAND --help` prints them, too.",
            table(("command", "purpose"), listed),
            "## Options of the program itself",
            _options(program, "sledsim"),
            toctree(commands, hidden=""),
        ),
    )
    for name, one in commands.items():
        yield (
            f"generated/commands/{name}.md",
            joined(f"# `sledsim {name}`", *_command(one, f"sledsim {name}")),
        )


def _command(command: Any, words: str) -> Iterator[str]:
    """Yield the help and options of a command, or of all commands of a group."""
    yield from _text(command)
    if subcommands := getattr(command, "commands", None):
        shown = {name: one for name, one in subcommands.items() if not one.hidden}
        listed = (
            (f"[`{words} {name}`](#{anchor(f'{words} {name}')})", _first(one)) for name, one in shown.items()
        )
        yield table(("command", "purpose"), listed)
        for name, one in shown.items():
            yield f"## `{words} {name}`"
            yield from _command(one, f"{words} {name}")
        return
    usage = command.get_usage(typer.Context(command, info_name=words))
    yield f"```text\n{usage.removeprefix('Usage: ')}\n```"
    yield _options(command, words)


def _options(command: Any, words: str) -> str:
    """Format arguments and options as one table per panel of the help."""
    context = typer.Context(command, info_name=words)
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.params:
        record = None if getattr(parameter, "hidden", False) else parameter.get_help_record(context)
        if record:
            panel = parameter.rich_help_panel or (
                "Argument" if parameter.param_type_name == "argument" else "Option"
            )
            panels.setdefault(panel, []).append((f"`{record[0]}`", plain(record[1].replace("\n", " "))))
    return joined(*(table((panel.lower(), "meaning"), rows) for panel, rows in panels.items()))


def _text(command: Any) -> Iterator[str]:
    """Yield the paragraphs of the help; the text after a form feed is for developers."""
    for paragraph in (command.help or "").partition("\f")[0].split("\n\n"):
        yield plain(" ".join(paragraph.replace("\b", "").split()))
    if command.epilog:
        yield plain(" ".join(command.epilog.split()))


def _first(command: Any) -> str:
    return plain(" ".join((command.help or "").partition("\n\n")[0].split()))

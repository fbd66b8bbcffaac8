"""Base of every command: checks of repeated options and files, groups of options, and default commands."""

import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ArgumentInfo

from .._native import ParameterError
from ..common.command_files import Claim, Register, registered
from ..common.output_files import STANDARD_OUTPUT
from ..pages.made_by import MADE_BY, MadeBy

#: Options that name output files, each with the endings of further files that the command writes beside it.
WRITTEN: dict[str, tuple[str, ...]] = {
    "--certificate": (),
    "--file": (".unreadable",),
    "--history": (".part",),
    "--keep": (),
    "--members": (),
    "--out": (".unreadable",),
    "--perfetto": (),
    "--power": (),
    "--record": (),
    "--report": (),
    "--socket": (),
}
#: Options that name a folder in which only the command writes files.
FOLDERS = ("--members",)
#: Options that name files which a command only reads.
READ = ("--faults", "--files", "--space", "--traces")


def claim_paths(register: Register, parameters: Iterable[Any], values: dict[str, Any]) -> None:
    """Register the paths on a command line, so that no file is used for two purposes.

    Args:
        register: The files that the command reads and writes.
        parameters: Options and arguments of the command.
        values: Values of the options and arguments, by name.

    Raises:
        ParameterError: Two paths are the same file, or a path is in a folder that the command fills.
    """
    for one in parameters:
        for claim in _claims(one, values.get(one.name)):
            register.claim(claim)


def _claims(parameter: Any, value: object) -> Iterator[Claim]:
    """Yield a claim for each path in the value of an option or argument."""
    name = max(parameter.opts, key=len)
    beside = WRITTEN.get(name)
    for given in value if isinstance(value, list | tuple) else (value,):
        # Traces and devices may be names, and an output may be standard output: these are texts.
        is_path = isinstance(given, Path) or (
            isinstance(given, str) and (beside is not None or _is_file(given))
        )
        if is_path and str(given) != STANDARD_OUTPUT:
            yield Claim(name, Path(given), beside is not None, beside or (), name in FOLDERS)


def _is_file(text: str) -> bool:
    """Return True if a text is the path of an existing file, not the name of a built-in device or trace."""
    is_path = os.sep in text or os.extsep in text
    try:
        return is_path and Path(text).is_file()
    except (OSError, ValueError):
        return False


@contextmanager
def noted_command() -> Iterator[None]:
    """During the block, keep the command line in `MADE_BY`, quoted for a shell, for pages that show it."""
    before = MADE_BY.set(MadeBy(shlex.join(["sledsim", *sys.argv[1:]]), ()))
    try:
        yield
    finally:
        MADE_BY.reset(before)


def note_options(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> None:
    """Keep the values of all options in `MADE_BY`, each marked if it differs from its default.

    Args:
        parameters: Options and arguments of the command.
        values: Values of the options and arguments, by name.
    """
    if (made := MADE_BY.get()) is None:
        return
    found = []
    for one in parameters:
        about = next((about for about in get_args(one.annotation)[1:] if hasattr(about, "param_decls")), None)
        if about is None or getattr(about, "hidden", False):
            continue
        value = values.get(one.name)
        # Without a name of its own, Typer takes the first declaration as the default.
        declared = [*(about.param_decls or ()), str(about.default)]
        name = _name(one, declared, isinstance(about, ArgumentInfo), getattr(about, "metavar", None))
        found.append((name, _text(value), value != one.default))
    MADE_BY.set(made._replace(options=found))


def note_more(given: Mapping[str, Any]) -> None:
    """Keep in `MADE_BY` the options that a TOML file states, because the command line only names the file."""
    if (made := MADE_BY.get()) is None:
        return
    found = [
        (f"{key}.{name}" if name else key, _text(value), True)
        for key, table in given.items()
        for name, value in (table.items() if isinstance(table, Mapping) else [("", table)])
    ]
    MADE_BY.set(made._replace(options=[*found, *made.options]))


def _name(one: Parameter, declared: Iterable[str], is_argument: bool, metavar: str | None) -> str:
    """Return the long name of an option, as in ``--scale``, or the name of an argument, as in ``TRACE``."""
    if is_argument:
        return (metavar or one.name.upper()).rstrip(".")
    long = [name.partition("/")[0] for name in declared if name.startswith("--")]
    return long[0] if long else f"--{one.name.replace('_', '-')}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command for Typer in which each group of options is replaced by the options in the group.

    A call builds the groups again for `command`, and keeps the values of the options in `MADE_BY`.
    """
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for given in signature(command, eval_str=True).parameters.values():
        if is_dataclass(given.annotation):
            groups[given.name] = given.annotation
            parameters += map(_parameter, fields(given.annotation))
        else:
            parameters.append(given.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**values: Any) -> None:
        note_options(parameters, values)
        if values.get("scheduler"):
            from ..model.typed import imported_schedulers

            values["scheduler"] = imported_schedulers(values["scheduler"])
        made = {
            name: group(**{row.name: values.pop(row.name) for row in fields(group)})
            for name, group in groups.items()
        }
        command(**values, **made)

    vars(run)["__signature__"] = Signature(parameters)
    return run


def _parameter(row: Any) -> Parameter:
    """Return the function parameter that stands for a field of a group of options."""
    default = Parameter.empty if row.default is MISSING else row.default
    return Parameter(row.name, Parameter.KEYWORD_ONLY, default=default, annotation=row.type)


class Command(TyperCommand):
    """A command that refuses an option given twice, and a file given for two purposes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of a command line.

        Raises:
            ParameterError: An option that takes one value is given more than once, or two options name the
                same file.
        """
        if not ctx.resilient_parsing:
            *_, given = self.make_parser(ctx).parse_args(args=[*args])
            for option, times in Counter(given).items():
                if times > 1 and option.param_type_name == "option" and not _may_repeat(option):
                    name, often = max(option.opts, key=len), "twice" if times == 2 else f"{times} times"
                    raise ParameterError(f"{name} is given {often}: expected it once")
        left = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            register = ctx.with_resource(registered())
            claim_paths(register, self.get_params(ctx), ctx.params)
        return left


def _may_repeat(option: Any) -> bool:
    """Return True if an option may be repeated: it takes a list, or prints and exits, as ``--help`` does."""
    return bool(option.multiple or option.count or option.is_eager)


class Group(TyperGroup):
    """A group of commands that runs its default command if the first word is not the name of a command.

    Attributes:
        default: The name of the default command.
        may_be_empty: True if the default command also runs if no word follows the name of the group.
    """

    default = "run"
    may_be_empty = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the name of the default command, unless the first word is the name of a command."""
        is_default = args[0] not in self.commands if args else self.may_be_empty
        if is_default and not {*args[:1]} & {*ctx.help_option_names} and (args or not ctx.resilient_parsing):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the commands, and below them the options of the default command."""
        super().format_help(ctx, formatter)
        if not self.may_be_empty:
            one = self.commands[self.default]
            one.format_help(ctx.__class__(one, ctx, f"[{self.default}]"), formatter)


class App(typer.Typer):
    """A Typer app whose commands are of the class `Command`."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **others: Any
    ) -> Callable[[Any], Any]:
        """Register a function as a command; see `typer.Typer.command`."""
        return super().command(name, cls=cls or Command, **others)

    def add(
        self,
        name: str,
        one: "Callable[..., None] | App",
        panel: str | None = None,
        hidden: bool = False,
        cls: type[Command] | None = None,
    ) -> None:
        """Add a command, or a group of commands, to the app.

        Args:
            name: Name of the command on the command line.
            one: The function of the command, whose groups of options are spread, or the app of a group.
            panel: Panel of the help that lists the command.
            hidden: True to leave the command out of the help.
            cls: Class of the command in place of `Command`.
        """
        if isinstance(one, App):
            self.add_typer(one, name=name, rich_help_panel=panel, hidden=hidden)
        else:
            self.command(name, cls=cls, rich_help_panel=panel, hidden=hidden)(spread(one))

"""Base classes of commands, which refuse repeated options and files with two purposes, and expand groups."""

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

#: Options that name output files, each with the endings of files that the command writes next to the output
#: file.
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
#: Options that name a folder in which all files are written by the command.
FOLDERS = ("--members",)
#: Options whose value may be left out, with the value that they then have.
OPTIONAL = {"--cut-gaps": "10s"}
#: Options that name files which the command reads and never writes.
READ = ("--faults", "--files", "--space", "--traces")


def claim_paths(register: Register, parameters: Iterable[Any], values: dict[str, Any]) -> None:
    """Register each path on a command line with its purpose, so that no file serves as both input and output.

    Args:
        register: Register that receives the paths.
        parameters: Options and arguments of the command.
        values: Values of the options and arguments, by name.

    Raises:
        ParameterError: Two options name the same file, or an option names a path in a folder whose files
            another option writes.
    """
    for one in parameters:
        for claim in _claims(one, values.get(one.name)):
            register.claim(claim)


def _claims(parameter: Any, value: object) -> Iterator[Claim]:
    """Yield, for each path in the value of an option or argument, the path with its purpose."""
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
    """During the block, keep the typed command line in `MADE_BY`, from which web pages show it."""
    before = MADE_BY.set(MadeBy(shlex.join(["sledsim", *sys.argv[1:]]), ()))
    try:
        yield
    finally:
        MADE_BY.reset(before)


def note_options(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> None:
    """Keep the values of all options in `MADE_BY`, from which web pages show them; non-defaults are marked.

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
    """Keep options that a TOML file states in `MADE_BY`, from which web pages show them."""
    if (made := MADE_BY.get()) is None:
        return
    found = [
        (f"{key}.{name}" if name else key, _text(value), True)
        for key, table in given.items()
        for name, value in (table.items() if isinstance(table, Mapping) else [("", table)])
    ]
    MADE_BY.set(made._replace(options=[*found, *made.options]))


def _name(one: Parameter, declared: Iterable[str], is_argument: bool, metavar: str | None) -> str:
    """Return the long name of an option, such as ``--scale``, or of an argument, such as ``TRACE``."""
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
    """Return a command for Typer in which the options of each group replace the group as parameters.

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
    """Return the function parameter for one option, which is the dataclass field `row` of a group."""
    default = Parameter.empty if row.default is MISSING else row.default
    return Parameter(row.name, Parameter.KEYWORD_ONLY, default=default, annotation=row.type)


class Command(TyperCommand):
    """Base class of commands: a repeated option, or a file named for two purposes, is an error."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of a command line.

        Raises:
            ParameterError: An option that takes one value is given more than once, or two options name the
                same file.
        """
        args = [f"{word}={OPTIONAL[word]}" if word in OPTIONAL else word for word in args]
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
    """Group of commands that runs its default command if the first word after its name is no command.

    Attributes:
        default: The name of the default command.
        may_be_empty: True if the group's name alone runs the default command; False if it prints the help.
    """

    default = "run"
    may_be_empty = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the default command before the words, unless they begin with a command."""
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
            one: Function of the command, whose parameters may be groups of options; or the app of a group of
                commands.
            panel: Heading in the main help under which the command is listed.
            hidden: True to leave the command out of the help.
            cls: Class of the command in place of `Command`.
        """
        if isinstance(one, App):
            self.add_typer(one, name=name, rich_help_panel=panel, hidden=hidden)
        else:
            self.command(name, cls=cls, rich_help_panel=panel, hidden=hidden)(spread(one))

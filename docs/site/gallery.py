"""The gallery: pictures of studies and of real traces, each with the command that draws it."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sledsim
from sledsim.common.citations import cited
from sledsim.studies import STUDIES

from .markdown import joined, plain

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LIST = Path(__file__).with_name("gallery.toml")
#: File with the command and version of a kept picture, written when the picture is complete.
_MADE_BY = "made-by.txt"


@dataclass(frozen=True)
class Picture:
    """A picture made by a command and kept between builds.

    Attributes:
        name: Folder of the picture among the kept ones.
        title: Title of the picture.
        command: Command that makes the picture in that folder.
        file: File of the picture to show.
        says: Description of the picture.
    """

    name: str
    title: str
    command: str
    file: str
    says: str

    def is_kept(self, kept: Path) -> bool:
        """Return True if the picture was made by this command of this version."""
        made_by = kept / self.name / _MADE_BY
        return made_by.is_file() and made_by.read_text(encoding="utf-8") == self.made_by

    def make(self, kept: Path) -> None:
        """Run the command of the picture.

        Raises:
            subprocess.CalledProcessError: The command failed.
        """
        folder = kept / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _MADE_BY).unlink(missing_ok=True)
        words = [sys.executable, "-m", "sledsim", *shlex.split(self.command)[1:]]
        # Use this package, although the command runs in another folder.
        here = {"PYTHONPATH": str(Path(sledsim.__file__).parents[1])}
        subprocess.run(words, cwd=folder, check=True, capture_output=True, env={**os.environ, **here})
        (folder / _MADE_BY).write_text(self.made_by, encoding="utf-8")

    @property
    def shown(self) -> str:
        """Name of the file in the site."""
        return self.name + Path(self.file).suffix

    @property
    def made_by(self) -> str:
        """Text that identifies the command and version of the picture."""
        return f"{self.command}\nsledsim {sledsim.__version__}\n"


@cache
def real() -> list[Picture]:
    """Return the pictures of real traces."""
    return [Picture(f"real-{name}", **row) for name, row in tomllib.loads(_LIST.read_text("utf-8")).items()]


@cache
def studies() -> list[Picture]:
    """Return a picture of each study."""
    return [
        Picture(
            f"study-{study.name}",
            f"`{study.name}`",
            f"sledsim study {study.name} --out {study.name}",
            f"{study.name}/{study.name}.svg",
            f"{plain(cited(study.description))}.",
        )
        for study in STUDIES
    ]


def make(wanted: Iterable[Picture], kept: Path) -> None:
    """Make the missing pictures on all processors.

    Raises:
        subprocess.CalledProcessError: A command failed.
    """
    missing = [one for one in wanted if not one.is_kept(kept)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda one: one.make(kept), missing):
            pass


def page(kept: Path) -> Iterator[tuple[str, str | bytes]]:
    """Yield the page of the gallery and its pictures, as far as they were made."""
    for one in (*real(), *studies()):
        if one.is_kept(kept):
            yield f"gallery/{one.shown}", (kept / one.name / one.file).read_bytes()
    yield (
        "gallery/index.md",
        joined(
            "# Gallery",
            "Find a picture like the one that you need, and copy the command below it.",
            "## Real traces",
            "The traces were recorded on real file systems and come with sledsim.",
            *(_entry(one, kept) for one in real()),
            "## Studies",
            "A study shows one device, here `osdi00`, without a queue."
            " The [list of studies](../generated/studies.md) has the options of each.",
            *(_entry(one, kept) for one in studies()),
        ),
    )


def _entry(one: Picture, kept: Path) -> str:
    says = one.says[:1].upper() + one.says[1:]
    alt = re.sub(r"[`\[\]\\]", "", f"{one.title}: {says}")
    shown = f"![{alt}]({one.shown})" if one.is_kept(kept) else "> This picture was left out of this build."
    return joined(f"### {one.title}", says, shown, f"```sh\n{one.command}\n```")

"""Build the site: `make site`, or ``python -m docs.site --out FOLDER``."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from . import book, gallery
from .checks import faults_of
from .navigation import front_page
from .reference import LISTED, PAGES
from .staging import ROOT, Staging

_HERE = Path(__file__).parent
#: Processor time in seconds for a picture, and for the book.
_PICTURE_S, _BOOK_S = 6, 400


def build(out: Path, work: Path, live: Path | None = None) -> int:
    """Build the site, and print warnings of Sphinx and dead links on stderr.

    Args:
        out: Folder of the site.
        work: Folder of the sources; pictures and book are in its folder ``kept``.
        live: Page in which the simulator runs, if it was built.

    Returns:
        Exit status: 0, or 1 and above for errors.
    """
    kept, staging = work / "kept", Staging(work / "source")
    staging.copy_pages()
    made = (*(pages() for pages in PAGES), gallery.page(kept), book.page(kept))
    for path, text in chain.from_iterable(made):
        staging.write(path, text)
    is_live = live is not None and live.is_file()
    added = {"Pictures": ["gallery/index.md", "book-of-papers.md"], "Reference": LISTED}
    staging.write("index.md", front_page(staging, added, is_live))
    # Every page contains the whole navigation, so a new one changes all pages.
    is_other = any(
        "{toctree}" in staging.texts[path].decode() for path in staging.finish() if path[-3:] == ".md"
    )
    _clear(out, staging)
    sphinx = ("sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html", "-c", str(_HERE))
    folders = (*(["-a"] if is_other else []), "-d", str(work / "doctrees"), str(staging.folder), str(out))
    done = subprocess.run([sys.executable, "-m", *sphinx, *folders], check=False)
    if done.returncode:
        return done.returncode
    book.copy(kept, out)
    if is_live and live:
        (out / "live").mkdir(exist_ok=True)
        shutil.copyfile(live, out / "live" / "index.html")
    else:
        print("the live sled is left out: its page was not built (make live)", file=sys.stderr)
    faults = list(faults_of(out))
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


def _clear(out: Path, staging: Staging) -> None:
    """Remove pages of an earlier build that this build does not write again."""
    for folder in ("live", "book"):
        shutil.rmtree(out / folder, ignore_errors=True)
    for page in out.rglob("*.html"):
        source = page.relative_to(out).with_suffix(".md").as_posix()
        if source not in staging.texts and source not in ("genindex.md", "search.md"):
            page.unlink()


def draw(kept: Path) -> None:
    """Make the missing pictures and the missing book, after printing how long that takes.

    Raises:
        subprocess.CalledProcessError: A command failed.
    """
    pictures = [one for one in (*gallery.real(), *gallery.studies()) if not one.is_kept(kept)]
    is_whole = book.BOOK.is_kept(kept)
    seconds = (len(pictures) * _PICTURE_S + (0 if is_whole else _BOOK_S)) / (os.cpu_count() or 1)
    if seconds:
        what = f"{len(pictures)} pictures{'' if is_whole else ' and the book'}"
        print(f"{what} are made once and kept in {kept}: about {seconds / 60:.1f} minutes", file=sys.stderr)
    # Make the book alone: it uses all processors by itself.
    gallery.make(pictures, kept)
    if not is_whole:
        book.BOOK.make(kept)


def main() -> int:
    """Parse the command line and build the site."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="folder of the site")
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "site", help="folder of the sources")
    parser.add_argument("--live", type=Path, help="page in which the simulator runs")
    parser.add_argument("--as-kept", action="store_true", help="leave out pictures that are not drawn yet")
    given = parser.parse_args()
    if missing := [name for name in ("sphinx", "furo", "myst_parser") if find_spec(name) is None]:
        print(f"error: {', '.join(missing)} missing: pip install '.[docs]'", file=sys.stderr)
        return 1
    began = time.monotonic()
    if not given.as_kept:
        try:
            draw(given.work.resolve() / "kept")
        except subprocess.CalledProcessError as error:
            print(f"error: {shlex.join(error.cmd)}: {error.stderr.decode()}", file=sys.stderr)
            return 1
    status = build(given.out.resolve(), given.work.resolve(), given.live)
    if not status:
        print(f"{given.out / 'index.html'}: {time.monotonic() - began:.0f} s")
    return status


if __name__ == "__main__":
    sys.exit(main())

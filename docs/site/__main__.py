"""Build the site: `make site`, or ``python -m docs.site --out FOLDER``."""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from .checks import faults_of
from .navigation import front_page
from .reference import LISTED, PAGES
from .staging import ROOT, Staging

_HERE = Path(__file__).parent


def build(out: Path, work: Path, live: Path | None = None) -> int:
    """Make the site; what Sphinx warns of, and links that lead nowhere, are said on stderr.

    Args:
        out: The folder of the site.
        work: The folder of what it is made from.
        live: The page in which the simulator runs, if it was built.

    Returns:
        The exit status.
    """
    staging = Staging(work / "source")
    staging.copy_pages()
    for pages in PAGES:
        for path, text in pages():
            staging.write(path, text)
    is_live = live is not None and live.is_file()
    staging.write("index.md", front_page(staging, {"Reference": LISTED}, is_live))
    staging.finish()
    sphinx = ("sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html", "-c", str(_HERE))
    folders = ("-d", str(work / "doctrees"), str(staging.folder), str(out))
    done = subprocess.run([sys.executable, "-m", *sphinx, *folders], check=False)
    if done.returncode:
        return done.returncode
    if is_live and live:
        (out / "live").mkdir(exist_ok=True)
        shutil.copyfile(live, out / "live" / "index.html")
    else:
        print("the live sled is left out: its page was not built", file=sys.stderr)
    faults = list(faults_of(out))
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


def main() -> int:
    """Read the words of the command line, and build."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="the folder of the site")
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "site", help="what it is made from")
    parser.add_argument("--live", type=Path, help="the page in which the simulator runs")
    given = parser.parse_args()
    if missing := [name for name in ("sphinx", "furo", "myst_parser") if not _is_there(name)]:
        print(f"error: {', '.join(missing)} missing: pip install '.[docs]'", file=sys.stderr)
        return 1
    began = time.monotonic()
    status = build(given.out.resolve(), given.work.resolve(), given.live)
    if not status:
        print(f"{given.out / 'index.html'}: {time.monotonic() - began:.0f} s")
    return status


def _is_there(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


if __name__ == "__main__":
    sys.exit(main())

"""Checks of ``sledsim doctor``: which parts of an installation are present, and how to add the others."""

import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .. import _native

#: Extras of the package ``sledsim`` by name, each with the packages that it installs and its purpose.
EXTRAS = {
    "plot": (("altair", "vl-convert-python"), "plots, pages and reports"),
    "cluster": (("distributed",), "sweeps on several processes or machines"),
    "optimise": (("optuna",), "'sledsim study optimise --sampler tpe'"),
}
#: Packages that sledsim cannot run without.
BASE = ("jinja2", "numpy", "pyarrow", "rich", "typer")
#: Client programs for 'sledsim serve' by name, each with its Debian package and its purpose.
PROGRAMS = {
    "nbdinfo": ("libnbd-bin", "information about a served device"),
    "nbdcopy": ("libnbd-bin", "copies to and from a served device"),
    "nbdfuse": ("nbdfuse", "a served device as a file, without the kernel's module"),
    "qemu-img": ("qemu-utils", "images on a served device"),
    "nbd-client": ("nbd-client", "a served device as /dev/nbd0, as root"),
    "fio": ("fio", "load for a served device"),
}
#: First digits of the SHA-256 of the completion times and energies of the demo trace under SPTF on osdi00;
#: every machine must compute this digest.
SIMULATED = "5f3c2d2e17e502ed"
#: Number of the bit of CAP_SYS_NICE in a Linux capability mask.
_SYS_NICE = 23
#: Files that `--install-completion` writes for several shells, relative to the user's home folder.
_COMPLETIONS = (".bash_completions/sledsim.sh", ".zfunc/_sledsim", ".config/fish/completions/sledsim.fish")


@dataclass(frozen=True)
class Finding:
    """The result of the check for one part of the installation.

    Attributes:
        group: Heading under which the output lists the part.
        name: The name of the part.
        found: The version or path of the part; None if it is missing.
        purpose: The purpose of the part.
        remedy: Advice how to add the part if it is missing.
        is_required: True if sledsim cannot run without the part.
    """

    group: str
    name: str
    found: str | None
    purpose: str = ""
    remedy: str = ""
    is_required: bool = False

    @property
    def is_broken(self) -> bool:
        """True if the part is required and missing."""
        return self.is_required and self.found is None


def findings() -> Iterator[Finding]:
    """Check every part of the installation, and yield the results in the order in which they are printed."""
    for look in (_itself, _extras, _serving):
        yield from look()


def cores() -> tuple[int, int]:
    """Return the number of processors that this process may use, and the number that the machine has."""
    there = os.cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else there, there


def _itself() -> Iterator[Finding]:
    own, there = cores()
    group = "sledsim"
    yield Finding(group, "sledsim", _native.__version__)
    yield Finding(group, "Python", f"{platform.python_version()}, {sys.executable}")
    yield Finding(group, "system", platform.platform(terse=True) + f", {platform.machine()}")
    used = str(own) if own == there else f"{own} of {there}"
    yield Finding(group, "cores", used, "number of points simulated in parallel")
    for package in BASE:
        remedy = f"pip install --force-reinstall {package}"
        yield Finding(group, package, _version(package), "required", remedy, is_required=True)
    found, remedy = _simulated(_demo)
    yield Finding(group, "self-check", found, "the demo trace gives the known result", remedy, True)
    completion = next((str(path) for path in map(Path.home().joinpath, _COMPLETIONS) if path.exists()), None)
    remedy = "sledsim --install-completion, then a new shell"
    yield Finding(group, "completion", completion, "names completed by the Tab key", remedy)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _demo() -> str:
    """Simulate the demo trace, and return the first digits of the digest of its results."""
    from ..model.typed import device
    from ..runs.run import simulate
    from ..traces.trace_files import demo_trace

    run = simulate(device("osdi00"), demo_trace(), "sptf")
    moves = run.transfers.columns
    columns = (moves["completion_ns"].astype("<i8"), moves["energy_j"].astype("<f8"))
    return hashlib.sha256(b"".join(column.tobytes() for column in columns)).hexdigest()[: len(SIMULATED)]


def _simulated(simulate: Callable[[], str]) -> tuple[str | None, str]:
    """Return the digest from `simulate`, or None if it is not `SIMULATED`; and advice for that case.

    `simulate` is the function that computes the digest.
    """
    again = "install sledsim again; if the error stays, report it with the output of 'sledsim doctor --json'"
    try:
        digest = simulate()
    except Exception as error:
        # Catch any error, as this command reports it.
        return None, f"the demo failed with {type(error).__name__}: {error}; {again}"
    if digest != SIMULATED:
        return None, f"expected the digest {SIMULATED}, found {digest}; {again}"
    return digest, again


def _extras() -> Iterator[Finding]:
    for extra, (packages, purpose) in EXTRAS.items():
        for package in packages:
            yield Finding("Extras", package, _version(package), purpose, f"pip install 'sledsim[{extra}]'")


def _serving() -> Iterator[Finding]:
    group = "For 'sledsim serve'"
    if not hasattr(_native, "DeviceServer"):
        yield Finding(
            group, "Linux", None, "its clocks and sockets", "all other commands work on this system"
        )
        return
    yield Finding(group, "Linux", platform.release(), "its clocks and sockets")
    for program, (package, purpose) in PROGRAMS.items():
        remedy = f"apt install {package}, or the package with {program} on your system"
        yield Finding(group, program, shutil.which(program), purpose, remedy)
    yield _module()
    yield _priority()


def _module(modules: Path = Path("/lib/modules"), loaded: Path = Path("/sys/module/nbd")) -> Finding:
    """Check for the kernel module that makes a served device the block device /dev/nbd0.

    `modules` is the folder of installed modules, and `loaded` exists if the module is loaded.
    """
    group, name, purpose = "For 'sledsim serve'", "module nbd", "/dev/nbd0, which nbd-client needs"
    if loaded.exists():
        return Finding(group, name, "loaded", purpose)
    lists = [modules / platform.release() / f"modules.{name}" for name in ("dep", "builtin")]
    if any("/nbd.ko" in path.read_text() for path in lists if path.is_file()):
        return Finding(group, name, None, purpose, "modprobe nbd, as root")
    return Finding(
        group,
        name,
        None,
        purpose,
        "this kernel has no module nbd: use nbdfuse or an NBD client, which need no kernel module",
    )


def _priority(status: Path = Path("/proc/self/status")) -> Finding:
    """Check whether the thread that sends replies can get real-time priority.

    `status` is the file in which Linux lists the capabilities of this process.
    """
    import resource

    capable = next(
        (int(line.split()[1], 16) for line in status.read_text().splitlines() if line.startswith("CapEff")), 0
    )
    limit = resource.getrlimit(resource.RLIMIT_RTPRIO)[0]
    found = "CAP_SYS_NICE" if capable >> _SYS_NICE & 1 else f"up to {limit}" if limit > 0 else None
    purpose = "replies in time on a busy machine"
    remedy = "allow rtprio 50 in /etc/security/limits.conf and run 'ulimit -r 50', or run as root"
    return Finding("For 'sledsim serve'", "real-time priority", found, purpose, remedy)

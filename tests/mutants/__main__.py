"""``python -m tests.mutants``: puts every mutant into a copy of its crate, and runs the named tests."""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from .drawn import compiled, draw, rates
from .running import finds, reach, run
from .scratch import ROOT, build, copied, place
from .table import MismatchError, Mutant, put, read


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="only mutants with one of these in their name or file")
    parser.add_argument("--quick", action="store_true", help="a fixed choice that the unit tests find")
    parser.add_argument(
        "--whole", action="store_true", help="run all tests of the targets, not only those named"
    )
    parser.add_argument("--random", type=int, metavar="N", help="N mutants that are drawn from the sources")
    parser.add_argument("--seed", type=int, default=1, help="which are drawn")
    return parser.parse_args()


def chosen(given: argparse.Namespace) -> list[Mutant]:
    """Return the mutants to run; all are built, so that a text that no longer exists is always noticed."""
    mutants = [mutant for mutant in read() if mutant.is_quick or not given.quick]
    if given.names:
        mutants = [one for one in mutants if any(name in f"{one.name} {one.file}" for name in given.names)]
    if not mutants:
        raise SystemExit("error: no mutant has such a name")
    return mutants


def check(programs: dict[str, Path], folder: Path, mutants: Sequence[Mutant]) -> None:
    """Check that every named test exists and passes without a mutant.

    Raises:
        MismatchError: If a test is missing or fails.
    """
    named = {(target, name) for one in mutants for target, names in one.tests.items() for name in names}
    for target, name in sorted(named):
        found = run(programs[target], folder, [name], 0)
        if found.count == 0:
            raise MismatchError(f"{target}: no test has {name!r} in its name, which the table names")
        if found.failed:
            raise MismatchError(f"{target}: without any mutant these fail: {', '.join(found.failed)}")


def show(mutant: Mutant, programs: dict[str, Path], folder: Path, whole: bool) -> bool:
    """Print a line on a mutant, with the test that found it."""
    found = {
        target: run(programs[target], folder, [] if whole else names, mutant.number)
        for target, names in mutant.tests.items()
    }
    failed = [f"{target} {name}" for target, tests in found.items() for name in tests.failed]
    took_s = sum(tests.took_s for tests in found.values())
    print(
        f"{'killed' if failed else 'SURVIVED':8}  {mutant.name:32}  {mutant.file:28}  {took_s:5.1f} s",
        flush=True,
    )
    print(f"          {mutant.breaks}")
    for name in failed:
        print(f"          - {name}")
    return bool(failed)


def draw_and_run(count: int, seed: int, names: Sequence[str]) -> int:
    """Draw mutants, and print the survivors and the number found in each part of the sources."""
    begun = time.monotonic()
    with copied() as folder:
        mutants = compiled(draw(ROOT, seed, names), count, folder, ROOT, place())
        programs = build(
            folder,
            sorted({mutant.crate for mutant in mutants}),
            sorted({target for mutant in mutants for target in mutant.tests}),
        )
        tests = {target: reach(program, folder) for target, program in programs.items()}
        survivors = []
        for at, mutant in enumerate(mutants, 1):
            concerned = [test for target in mutant.tests for test in tests[target]]
            reached = any(mutant.number in test.numbers for test in concerned)
            found = finds(concerned, folder, mutant.number)
            word, said = "killed", found
            if not found:
                change = f"{mutant.text!r} -> {mutant.mutated!r}"
                word, said = "SURVIVED", change if reached else f"{change}, which no test reaches"
            print(f"{at:4} {word:8} {mutant.crate}/{mutant.name} {mutant.breaks}: {said}", flush=True)
            survivors += [] if found else [mutant]
    print()
    for name, all_of_it, killed in rates(mutants, survivors):
        print(f"{name:24} {killed:4} of {all_of_it:4}  {killed / all_of_it:6.1%}")
    killed = len(mutants) - len(survivors)
    took_s = time.monotonic() - begun
    print(
        f"{killed} of {count} drawn mutants were killed, {killed / count:.1%}, in {took_s:.0f} s; seed {seed}"
    )
    return 0


def main() -> int:
    given = words()
    # The copy of the sources is removed even if a run is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if given.random:
        return draw_and_run(given.random, given.seed, given.names)
    mutants = chosen(given)
    begun = time.monotonic()
    with copied() as folder:
        put(read(), folder)
        programs = build(
            folder,
            sorted({mutant.crate for mutant in mutants}),
            sorted({target for mutant in mutants for target in mutant.tests}),
        )
        built_s = time.monotonic() - begun
        check(programs, folder, mutants)
        survivors = [one.name for one in mutants if not show(one, programs, folder, given.whole)]
    killed = len(mutants) - len(survivors)
    took_s = time.monotonic() - begun
    print(
        f"{killed} of {len(mutants)} mutants were killed in {took_s:.0f} s, {built_s:.0f} s of them building"
    )
    if survivors:
        print(f"error: no test finds {', '.join(survivors)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MismatchError as mismatch:
        sys.exit(f"error: {mismatch}")
    except KeyboardInterrupt:
        sys.exit(130)

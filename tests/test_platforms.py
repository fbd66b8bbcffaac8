"""Functions of Linux alone, for the server and its histories, are used only where a guard says so."""

import re
from pathlib import Path

import sledsim

ROOT = Path(__file__).parents[1]
BINDING = (ROOT / "crates/sledsim-py/src/lib.rs").read_text()
ONLY_LINUX = re.findall(r'#\[cfg\(target_os = "linux"\)\]\s*module\.add_class::<\w+::(\w+)>', BINDING)


def test_what_only_linux_has_is_used_in_the_emulator_alone() -> None:
    assert len(ONLY_LINUX) == 3
    sources = Path(sledsim.__file__).parent
    users = {
        path.relative_to(sources).parts[0]
        for path in sources.rglob("*.py")
        if re.search(rf"_native\.({'|'.join(ONLY_LINUX)})\b", path.read_text())
    }
    assert users == {"emulator"}

"""What has been explored, kept as it comes, so that a long exploration goes on where it stopped."""

import hashlib
import json
from pathlib import Path
from typing import Any

from .. import _native
from ..files import PathLike, write_text


class Journal:
    """Lines of JSON: first what the exploration is of, then a batch of points each.

    Args:
        path: The file; one that is there is read, and added to.
        about: What the exploration is of: a journal of another one is refused.

    Raises:
        ParameterError: The file is no journal, or of another exploration.
        OSError: It cannot be read or written.
    """

    def __init__(self, path: PathLike, about: dict[str, Any]) -> None:
        self.path = Path(path)
        self.done: dict[int, Any] = {}
        self._about = hashlib.sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()
        if self.path.exists() and self.path.stat().st_size:
            self._read()
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps({"exploration": self._about}) + "\n", encoding="utf-8")

    def _read(self) -> None:
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        try:
            found = json.loads(lines[0])["exploration"]
        except (ValueError, KeyError, TypeError):
            raise _native.ParameterError(f"{self.path}: line 1: expected a journal of sledsim") from None
        if found != self._about:
            raise _native.ParameterError(
                f"{self.path}: it is of another workload, device, space or policy: remove it, or name another"
            )
        whole = []
        for line in lines[1:]:
            # What was being written when the exploration was stopped is done again.
            if not line.endswith("\n"):
                break
            whole.append(line)
            for number, result in json.loads(line):
                self.done[number] = result
        write_text(self.path, "".join([lines[0], *whole]))

    def add(self, results: list[tuple[int, Any]]) -> None:
        """Some points are done."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(results) + "\n")

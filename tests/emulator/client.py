"""A small NBD client, by the protocol's document: one request at a time, or several at once."""

import socket
import struct
import urllib.parse
from collections.abc import Iterable

READ, WRITE, DISCONNECT, FLUSH, TRIM, WRITE_ZEROES = 0, 1, 2, 3, 4, 6
FUA = 1


class Client:
    """A connection to the export with the empty name."""

    def __init__(self, uri: str) -> None:
        found = urllib.parse.urlparse(uri)
        if found.scheme == "nbd":
            self.socket = socket.create_connection((found.hostname, found.port or 0))
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(urllib.parse.parse_qs(found.query)["socket"][0])
        self.socket.settimeout(60)
        magic, option_magic, _ = struct.unpack(">8s8sH", self._take(18))
        assert (magic, option_magic) == (b"NBDMAGIC", b"IHAVEOPT")
        self.socket.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 1, 0))
        self.bytes, self.flags = struct.unpack(">QH", self._take(10))
        self._next = 0

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.sendall(struct.pack(">IHHQQI", 0x25609513, 0, DISCONNECT, 0, 0, 0))
        self.socket.close()

    def _take(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            more = self.socket.recv(count - len(taken))
            assert more, "the server has closed the connection"
            taken += more
        return taken

    def ask(self, command: int, offset: int, count: int, data: bytes = b"", flags: int = 0) -> int:
        """Send a request, and return its cookie."""
        self._next += 1
        head = struct.pack(">IHHQQI", 0x25609513, flags, command, self._next, offset, count)
        self.socket.sendall(head + data)
        return self._next

    def answer(self, lengths: dict[int, int]) -> tuple[int, int, bytes]:
        """Return the next reply: cookie, error number, and the data of a read of a given number of bytes."""
        magic, error, cookie = struct.unpack(">IIQ", self._take(16))
        assert magic == 0x67446698
        return cookie, error, self._take(0 if error else lengths[cookie])

    def do(self, command: int, offset: int, count: int, data: bytes = b"", flags: int = 0) -> bytes:
        """Do one request, and assert success."""
        cookie = self.ask(command, offset, count, data, flags)
        found, error, data = self.answer({cookie: count if command == READ else 0})
        assert (found, error) == (cookie, 0)
        return data

    def read_all(self, offsets: Iterable[int], count: int) -> dict[int, bytes]:
        """Read with several requests outstanding at once, and return the data by offset."""
        asked = {self.ask(READ, offset, count): offset for offset in offsets}
        answers = (self.answer(dict.fromkeys(asked, count)) for _ in asked)
        return {asked[cookie]: data for cookie, error, data in answers if not error}

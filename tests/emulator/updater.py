"""A program that updates a file of two blocks on the raw device: the data, then a record that commits them.

Versions go to two places in turn, so that the committed one is never overwritten. Committed data have to be
on the medium before the record; with ``forgets`` the flush between both is left out every fourth
time. The address is the first argument.
"""

import struct
import sys

from tests.emulator.client import FLUSH, WRITE, Client

BLOCK = 4096
#: Place of the record, and the two places of the data.
RECORD = 0
PLACES = (BLOCK, 16 * BLOCK)


def update(client: Client, version: int, *, forgets: bool) -> None:
    """Commit a version."""
    place = PLACES[version % 2]
    for at in range(2):
        client.do(WRITE, place + at * BLOCK, BLOCK, bytes([version]) * BLOCK)
    if not forgets:
        client.do(FLUSH, 0, 0)
    client.do(WRITE, RECORD, 512, struct.pack("<Q", version).ljust(512, b"\0"))
    client.do(FLUSH, 0, 0)


if __name__ == "__main__":
    with Client(sys.argv[1]) as to:
        for number in range(1, int(sys.argv[2]) + 1):
            update(to, number, forgets="forgets" in sys.argv and number % 4 == 0)

"""Serve requests under asyncio with the timing of a simulated device: ``python examples/asyncio_server.py``.

A client sends lines such as ``R 1000 8`` (read 8 sectors from sector 1000) or ``W 1000 8``. The reply is a
line with the response time in microseconds, sent when the request is complete. Arrival times come from the
clock of the event loop. A server that runs late does not change the decisions of the device.
"""

import asyncio
import contextlib

import sledsim


class Server:
    """TCP server that answers any number of connections with the timing of one simulated device."""

    def __init__(self, simulation: sledsim.Simulation) -> None:
        self.simulation = simulation
        self.waiting: dict[int, asyncio.Future[int]] = {}
        self.submitted = asyncio.Event()
        self.begun_s = asyncio.get_running_loop().time()

    def now_ns(self) -> int:
        """Return the time in ns since the server began, but at least the time of the simulation."""
        since_s = asyncio.get_running_loop().time() - self.begun_s
        return max(int(since_s * 1e9), self.simulation.now_ns)

    async def request(self, lbn: int, blocks: int, write: bool) -> int:
        """Submit a read or a write, wait until it is complete, and return its completion time in ns."""
        number = self.simulation.submit(self.now_ns(), lbn, blocks, write)
        self.waiting[number] = asyncio.get_running_loop().create_future()
        self.submitted.set()
        return await self.waiting[number]

    async def run(self) -> None:
        """Advance the device at each of its events and at each new request, and wake completed requests."""
        while True:
            next_ns = self.simulation.next_event_ns()
            wait_s = None if next_ns is None else max(0.0, (next_ns - self.now_ns()) * 1e-9)
            self.submitted.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.submitted.wait(), wait_s)
            for number, completion_ns in zip(*self.simulation.advance(self.now_ns()), strict=True):
                self.waiting.pop(int(number)).set_result(int(completion_ns))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the lines of one connection, one after the other."""
        while line := await reader.readline():
            try:
                kind, lbn, blocks = line.split()
                arrival_ns = self.now_ns()
                completion_ns = await self.request(int(lbn), int(blocks), kind == b"W")
                writer.write(b"%.1f us\n" % ((completion_ns - arrival_ns) * 1e-3))
            except ValueError as error:
                writer.write(f"error: {error}\n".encode())
        writer.close()


async def client(port: int, first: int, requests: int) -> list[bytes]:
    """Send a number of requests, each after the reply to the previous one, and return the replies."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answers = []
    for number in range(requests):
        lbn = (first + 7_919 * number) % 6_000_000
        writer.write(b"%s %d 8\n" % (b"RW"[number % 2 : number % 2 + 1], lbn))
        answers.append(await reader.readline())
    writer.close()
    return answers


async def run(clients: int = 4, requests: int = 25) -> tuple[list[bytes], sledsim.Run]:
    """Run a server and its clients; return all replies and the run."""
    server = Server(sledsim.Simulation(sledsim.device("osdi00"), "sptf"))
    device = asyncio.create_task(server.run())
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        talks = [client(port, 100_003 * number, requests) for number in range(clients)]
        answers = [answer for talk in await asyncio.gather(*talks) for answer in talk]
    device.cancel()
    return answers, server.simulation.finish()


def main() -> None:
    """Run a server with four clients, and print the first reply and the mean response of the device."""
    answers, run_ = asyncio.run(run())
    print(f"{len(answers)} answers, the first {answers[0].decode().strip()}")
    print(f"mean response {1e3 * run_.summary()['mean_response_s']:.3f} ms")


if __name__ == "__main__":
    main()

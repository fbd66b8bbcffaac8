"""Ask a small question about plausible devices."""

import sledsim


def asked(condition: str, **more: object) -> sledsim.results.Holding:
    """Ask the question of four devices under 200 requests by default."""
    how = {"samples": 4, "count": 200, "indices": False, "over": {"settle_ms": "0.1..0.4"}}
    return sledsim.holds(condition, "random:rate=300", **{**how, **more})  # type: ignore[arg-type]

"""How near the bounds on a batch come to each other, and how long that takes, on one core."""

import time

import sledsim


def main() -> None:
    """Print the table."""
    print(
        f"{'device':10}{'requests':>9}{'seconds':>9}{'verified in':>13}{'gap':>9}{'SPTF within':>13}   method"
    )
    for name in ("osdi00", "hong03"):
        device = sledsim.device(name)
        for count in (15, 100, 1000):
            batch = sledsim.random_workload(device, rate_per_s=1000, count=count)
            start = time.perf_counter()
            found = sledsim.schedule_bounds(device, batch)
            end = time.perf_counter()
            found.verify()
            verified_s = time.perf_counter() - end
            shares = f"{found.gap:9.2%}{found.within('sptf'):13.2%}"
            print(f"{name:10}{count:9,}{end - start:9.2f}{verified_s:13.2f}{shares}   {found.method}")


if __name__ == "__main__":
    main()

"""Readers of printed figures: the cell of a table in the documentation for each figure."""

import json
import re
from collections.abc import Iterator
from typing import Any

from docs.images.shares import of_json, shares_of_claims

from .docs_tables import DISKSIM, HP_TRACES, NUMBER, ROOT, VALIDATION, Figures, Printed, Reader, Shell, Table


def _hierarchies(table: Table, shell: Shell) -> Iterator[Figures]:
    """Geometric means with intervals; only the captures are equal in a quick run."""
    printed: dict[tuple[str, str], list[float]] = {}
    for command in table.commands[: 1 if shell.quick else None]:
        if shell.quick:
            done = shell.run(f"{command.replace(' --traces FOLDER', '')} --quick --json")
        else:
            done = shell.run(f"{command.replace('FOLDER', str(HP_TRACES))} --json", HP_TRACES)
        for finding in (one for claim in done.json[0]["claims"] for one in claim["findings"]):
            pattern = r"on ([\w -]+): (\d+\.\d+)(?: \(([\d.]+) to ([\d.]+)\))?"
            for of, *ratio in re.findall(pattern, finding["found"]):
                key = finding["quantity"].replace("squared coefficient of variation", "variation of response")
                printed[key, of] = [float(number) for number in ratio if number]
    kind = ""
    for at, row in enumerate(table.rows):
        kind = row[0].partition(", ")[0] if ", " in row[0] else kind
        quantity = f"{kind}, {row[0].rpartition(', ')[2]}"
        for column, heading in enumerate(table.headings[1:-1], 1):
            if not shell.quick or (heading, kind) == ("own captures", "mean response"):
                found = printed[quantity, heading]
                yield Figures(at, column, found[: len(NUMBER.findall(row[column]))])


def _drives(table: Table, shell: Shell) -> Iterator[Figures]:
    validate, leave_one_out = table.commands
    others = {
        name: (float(built_in), float(left_out))
        for name, built_in, left_out in shell.run(leave_one_out, VALIDATION).found(
            r"([\w-]+) +([\d.]+) +([\d.]+) +(?:every|sequential)"
        )
    }
    names = {path.name.partition(".")[0] for path in VALIDATION.glob("*.trace.zst")}
    traces = {name.lower().replace("_", "-"): f"{name}.trace.zst" for name in names}
    for at, row in enumerate(table.rows):
        name = row[0].strip("`")
        yield Figures(at, 1, others[name][:1])
        yield Figures(at, 2, others[name][1:])
        if shell.quick:
            continue
        trace = VALIDATION / traces[name]
        done = shell.run(validate.replace("TRACE", str(trace)).replace("NAME", name))
        percents = {
            which: (float(simulated), float(measured), float(difference))
            for which, simulated, measured, difference in done.found(
                r" (mean|50%)(?: of requests within)? +([\d.]+) ms +([\d.]+) ms +([-+\d.]+)%"
            )
        }
        _, measured, difference = percents["mean"]
        yield Figures(at, table.column("measured, ms"), [measured])
        yield Figures(at, table.column("mean, %"), [difference])
        yield Figures(at, table.column("median, %"), [percents["50%"][2]])


def _sizes(table: Table, shell: Shell) -> Iterator[Figures]:
    (command,) = table.commands
    rows = shell.run(command).found(
        r"(\w+) +(cached|uncached) +(read|write) +(\d+) +[\d.]+ +([\d.]+) +[\d.]+ +([-+\d.]+)%"
    )
    printed = {(drive, f"{cache} {op}s", blocks): (ms, off) for drive, cache, op, blocks, ms, off in rows}
    drive = ""
    for at, row in enumerate(table.rows):
        named = re.match(r"`(\w+)`, ", row[0])
        drive = named[1] if named else drive
        what = re.sub(r"`\w+`, |, ms", "", row[0])
        for column, blocks in enumerate(table.headings[1:], 1):
            found = printed.get((drive, what, blocks.replace(",", "")))
            assert bool(found) == bool(row[column]), (drive, what, blocks)
            if found:
                yield Figures(at, column, [float(number) for number in found])


def _arrays(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    printed = shell.run(command).found(
        r"\w+:devices=\d.{14,30}(?:read|write), \S+ +([\d.]+) +([\d.]+) \+-([\d.]+) +([-+\d.]+)%"
    )
    for at, numbers in enumerate(zip(table.rows, printed, strict=True)):
        disksim, ours, half_width, off = map(float, numbers[1])
        for column, values in ((2, [disksim]), (3, [ours, half_width]), (4, [off])):
            yield Figures(at, column, values)


def _open_runs(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    lines = shell.run(command, DISKSIM).found(
        r"(g[12]) +(\d+)/s (\w+) +([\d.]+) +([\d.]+) +([-+\d.]+)% +([-+\d.]+)% +([-+\d.]+)%"
    )
    names = {"FCFS": "fcfs", "C-LOOK": "clook_lbn", "SSTF": "sstf_lbn", "SPTF": "sptf"}
    for at, row in enumerate(table.rows):
        device, rate, policy = re.match(r"(\w+) (\d+)/s, ([\w -]+)", row[0]).groups()  # type: ignore[union-attr]
        wanted = names.get(policy.split(" ")[0])
        found = [line for line in lines if line[:2] == (device.lower(), rate) and wanted in (None, line[2])]
        assert found, row[0]
        for column, printed in ((1, 3), (2, 5), (3, 6), (4, 7)):
            values = [float(line[printed]) for line in found]
            several = len(NUMBER.findall(row[column])) == 2
            if several:
                yield Figures(at, column, [min(values), max(values)])
            else:
                yield from (Figures(at, column, [value]) for value in values)


def _words(table: Table, shell: Shell) -> Iterator[Figures]:
    (command,) = table.commands
    shown = shell.run(f"{command} --json").json
    is_set, found = shown["parameters"], shown["characteristics"]
    expected: dict[str, list[float | None]] = {
        "cylinder": [found["cylinders"]],
        "track": [found["tracks_per_cylinder"], is_set["active_tips"]],
        "row": [found["rows_per_track"]],
        "tip sector": [is_set["sector_data_bytes"], is_set["sector_encoded_bits"], is_set["servo_bits"]],
        "block": [found["block_bytes"], is_set["tips_per_block"], found["blocks_per_row"]],
        "turnaround": [found["turnaround_s"] * 1e3],
        "settling": [found["settle_s"] * 1e3],
    }
    for at, row in enumerate(table.rows):
        yield Figures(at, 2, expected[row[0]])


def _studies(table: Table, shell: Shell) -> Iterator[Figures]:
    """Each row has its command; the quick rows are those that draw nothing."""
    for at, row in enumerate(table.rows):
        words = row[3].strip("`")
        study = words.split()[0]
        if study not in _OF_STUDIES or (shell.quick and study.startswith("sensitivity")):
            continue
        done = shell.run(f"sledsim study {words} --json")
        if values := _OF_STUDIES[study](row[0], done.json["rows"]):
            yield Figures(at, 2, values)


def _regions(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    if not figure.startswith("height"):
        return []
    same = [row for row in rows if row["parity"] == "same"]
    times = sorted({row["threshold_s"] for row in same})
    ratios = [[row["ratio"] for row in same if row["threshold_s"] == time] for time in times]
    return [sum(each) / len(each) for each in ratios]


def _threshold(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    (row,) = (row for row in rows if f"{row['zone_x_bits']} x {row['zone_y_bits']} bits" in figure)
    return [row[f"centre_{where}_s"] * 1e3 for where in ("x", "ahead", "behind")]


def _velocities(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    times = {
        row["access_velocity_mm_per_s"]: row["mean_service_s"] * 1e3
        for row in rows
        if row["acceleration_m_per_s2"] == 114.8
    }
    return [times[velocity] for velocity in (10, 20, 30, 60, 100)]


def _frequencies(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    times = {row["resonant_frequency_hz"]: row["mean_service_s"] * 1e3 for row in rows}
    return [times[frequency] for frequency in (50, 220, 800)]


def _increases(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    return [row["increase"] * 100 for row in rows[1:]]


def _rewrites(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    return [row["total_s"] * 1e3 for row in rows if row["operation"] == "read-modify-write"]


_OF_STUDIES = {
    "equivalence-regions": _regions,
    "zone-threshold": _threshold,
    "sensitivity-velocity": _velocities,
    "sensitivity-frequency": _frequencies,
    "large-requests": _increases,
    "read-modify-write": _rewrites,
}


def _rebuilds(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    rows = [row for row in shell.run(f"{command} --json").json["rows"] if row["array"] == "raid5"]
    for at, row in enumerate(table.rows):
        shares = {one["rebuild_share"]: one for one in rows if one["device"] == row[0].strip("`")}
        slow, fast = shares[0.1], shares[1.0]
        yield Figures(at, 1, [slow["rebuild_arithmetic_s"], slow["rebuild_s"]])
        yield Figures(at, 2, [fast["rebuild_arithmetic_s"], fast["rebuild_s"]])
        states = ("whole", "degraded", "rebuilding")
        yield Figures(at, 3, [slow[f"response_{state}_s"] * 1e3 for state in states])


def _bounds(table: Table, shell: Shell) -> Iterator[Figures]:
    """Bounds of schedules; their times depend on the machine."""
    (command,) = table.commands
    found = shell.run(f"{command} 15 100" if shell.quick else command).found(
        r"(\w+) +(\w+) +([\d,]+) +[\d.]+ +[\d.]+ +([\d.]+)% +([\d.]+)%"
    )
    printed = {line[:3]: [float(number) for number in line[3:]] for line in found}
    for at, row in enumerate(table.rows):
        if not shell.quick or (row[1] == "random" and row[2] != "1,000"):
            gap, policy = printed[row[0].strip("`"), row[1], row[2]]
            yield Figures(at, 5, [gap])
            yield Figures(at, 6, [policy])


def _costs(table: Table, _shell: Shell) -> Iterator[Figures]:
    """Instructions and times from the stored baseline, which `make bench` measures again."""
    kept = json.loads((ROOT / "bench" / "baseline.json").read_text())["cases"]
    assert [row[0] for row in table.rows] == [*kept]
    for at, row in enumerate(table.rows):
        yield Figures(at, 1, [kept[row[0]]["instructions"]])
        yield Figures(at, 2, [kept[row[0]]["cpu_ns"]])


def _file_layouts(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    rows = _layouts(table, shell).rows("book/tables/001-E-7-1.csv")
    for at, row in enumerate(table.rows):
        name = re.match(r"`([\w-]+)`", row[0])[1]  # type: ignore[index]
        for column, settle_s in ((1, 0.22e-3), (2, 0.0)):
            (one,) = (one for one in rows if one["layout"] == name and float(one["settle_s"]) == settle_s)
            yield Figures(at, column, [float(one["over_random"]), float(one["over_random_half_width"])])


def _trace_layouts(table: Table, shell: Shell) -> Iterator[Figures]:
    rows = _layouts(table, shell).rows("book/tables/001-E-7-4.csv")
    settled = [row for row in rows if float(row["settle_s"]) == 0.22e-3]
    names = {"had it known": "by-popularity of the second half itself"}
    for at, row in enumerate(table.rows):
        trace = row[0].strip("`")
        layouts = {one["layout"]: one for one in settled if one["trace"] == trace}
        if not layouts:
            assert shell.quick, f"{trace}: nothing is printed"
            continue
        for column, heading in enumerate(table.headings[1:-1], 1):
            one = layouts[names.get(heading, heading.strip("`"))]
            low, high = float(one["over_streaming_low"]), float(one["over_streaming_high"])
            yield Figures(at, column, [float(one["over_streaming"]), (high - low) / 2])
        yield Figures(at, len(table.headings) - 1, [float(layouts["streaming"]["still_popular"]) * 100])


def _layouts(table: Table, shell: Shell) -> Printed:
    """The book of 001-E-7; a quick run has fewer files and no real traces."""
    (command,) = table.commands
    if shell.quick:
        return shell.run(f"{command.replace(' --traces FOLDER', '')} --quick")
    return shell.run(command.replace("FOLDER", str(HP_TRACES)), HP_TRACES)


def _saturation(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    states: dict[str, dict[str, list[float]]] = {}
    for row in shell.run(command).rows("compare-out/curves.csv"):
        state = next((name for name in ("saturated", "unsettled") if row[name] == "true"), "sustained")
        states.setdefault(row["scheduler"], {}).setdefault(state, []).append(float(row["rate_per_s"]))
    named = {"FCFS": ["fcfs"], "SATF": ["satf"], "SDF": ["sdf"], "WPTF": ["wptf"]}
    named |= {"ZSPTF, ZTSPTF": ["zsptf", "ztsptf"], "SPTF, pyramid": ["sptf", "sptf_driver", "pyramid"]}
    others = [name for name in states if not any(name in names for names in named.values())]
    for at, row in enumerate(table.rows):
        for policy in named.get(row[0], others):
            found = states[policy]
            yield Figures(at, 1, [max(found["sustained"])])
            yield Figures(at, 2, found.get("unsettled", []))
            yield Figures(at, 3, [min(found["saturated"])])


def _robustness(table: Table, shell: Shell) -> Iterator[Figures]:
    """Shares with their intervals, and the rules; only a long run has as many devices as the page."""
    if shell.quick:
        return
    (command,) = table.commands
    printed = {row["claim"]: row for row in shell.run(f"{command} --json").json}
    assert shares_of_claims() == of_json(printed.values()), f"{command} --json | python -m docs.images.shares"
    for at, cells in enumerate(table.rows):
        row = printed[cells[0]]
        part = row["by_load"] or row["here"]
        of = {"holds in": part, "at its rates": row["by_load"] and row["here"]}
        for heading, one in of.items():
            if one:
                share = [one["share"], one["low"], one["high"]]
                yield Figures(at, table.column(heading), [100 * value for value in share])
        if part["own"] not in (None, 0, 1):
            yield Figures(at, table.column("own device"), [100 * part["own"]])
        numbers = [
            float(number) for number in re.findall(r"(?<= [<>] )[\d.e-]+", part["rule"].replace(",", ""))
        ]
        yield Figures(at, table.column("what decides"), [*numbers, 100 * part["accuracy"]])


def _shares(table: Table, _shell: Shell) -> Iterator[Figures]:
    """Statements by verdict, from the file with which `_robustness` compares."""
    for at, (verdict, _, _, statements) in enumerate(table.rows):
        known = [row["claim"] for row in shares_of_claims() if row["verdict"] == verdict]
        assert named(statements) == known, verdict
        yield Figures(at, table.column("number"), [len(known)])


def named(statements: str) -> list[str]:
    """Expand a list of statements in which only the first one names the paper."""
    found: list[str] = []
    for name in filter(None, statements.split(", ")):
        found.append(name if name[:2] == "00" else f"{found[-1][:3]}-{name}")
    return found


#: The tables with measured figures, and the reader of the cells of each.
def _actuators(table: Table, shell: Shell) -> Iterator[Figures]:
    """Rows as the example prints them, in three tables of the same disks."""
    (command,) = table.commands
    printed = dict(shell.run(command).found(r"(\S.*?) {2,}([\d.,]+(?: +[\d.,]+){3})$"))
    for at, (name, *_) in enumerate(table.rows):
        for column, figure in enumerate(printed[name].split(), 1):
            yield Figures(at, column, [float(figure.replace(",", ""))])


READERS: dict[str, Reader] = {
    "own-devices.md: what | one actuator": _actuators,
    "bounds.md: device | batch": _bounds,
    "comparing.md: policy | keeps up at": _saturation,
    "faults.md: `raid5` of | rebuild at 10 % of a stream: arithmetic, simulated": _rebuilds,
    "layouts.md: layout | settling 0.22 ms": _file_layouts,
    "layouts.md: trace | `random`": _trace_layouts,
    "model.md: word | is": _words,
    "performance.md: case, for each request | instructions": _costs,
    "robustness.md: claim | the paper says": _robustness,
    "robustness.md: verdict | interval of the share": _shares,
    "studies.md: figure | paper or check": _studies,
    "validation.md:  | drawn 1999-01-13": _hierarchies,
    "validation.md: array, unit | blocks": _arrays,
    "validation.md: blocks | 8": _sizes,
    "validation.md: drive | demerit, ms": _drives,
    "validation.md: run | DiskSim ms": _open_runs,
}

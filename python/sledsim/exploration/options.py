"""Options that several questions have in common, each declared once: how points are measured, and where.

A function takes a group of them as ``**how: Unpack[MeasuringOptions]``: each is given by its name.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from ..common.files import PathLike
from ..model.devices import Device


class DrawingOptions(TypedDict, total=False):
    """How the requests of a point are drawn and measured.

    Attributes:
        replications: Runs of a drawn workload, each of its own seed. A trace is the same in every run: it has
            one, whose intervals come from batches of requests.
        count: Requests of each run of a drawn workload; None for what the workload says.
        seed: The seed of the first replication; the others have those after it. All points have the same.
        past_end: One of `listings.past_end_rules`: ``error`` unless a function says otherwise.
        replay: One of `listings.replays`; None as `simulate` has it.
        on: The place where points run: ``threads`` if not given, ``local:4`` for processes of this machine,
            ``dask://host:8786`` for those of a cluster; these need ``sledsim[cluster]``. Rows are the same
            wherever they are made.
        workers: Threads, or processes of this machine; None takes as many as there are processors.
    """

    replications: int
    count: int | None
    seed: int
    past_end: str
    replay: str | None
    on: str | None
    workers: int | None


class MeasuringOptions(DrawingOptions, total=False):
    """How each device of a question about plausible devices is measured.

    Attributes:
        scale: Speed-up of the requests.
        folder: A folder for the ledger that keeps what is run; None keeps nothing.
    """

    scale: float
    folder: PathLike | None


class HoldingOptions(MeasuringOptions, total=False):
    """The answer that a question about plausible devices wants, and how each device is measured.

    Attributes:
        threshold: The share of devices above which a condition holds.
        confidence: The confidence of the interval of the share.
        indices: Look at further devices, up to twice as many, for what decides.
    """

    threshold: float
    confidence: float
    indices: bool


class SweepOptions(DrawingOptions, total=False):
    """How the points of a sweep are measured, and which of them run.

    Attributes:
        precision: Half of an interval as a part of its figure, such as 0.01: seeds are added until the
            intervals of `judged` are as narrow. They are looked at after as many replications as were asked
            for, and twice, four times and eight times as many; a row says whether they came to be so
            (``is_precise``).
        judged: The figures of which a precision is asked.
        confidence: The confidence of intervals. With a precision each of the four looks has a quarter of the
            error, so that the interval at which a point stops holds as often as this says.
        shard: ``3/64``: only the third of 64 parts, which may run at the same time in the same folder.
        retry_failed: Run the points again whose row is an error.
    """

    precision: float | None
    judged: Sequence[str]
    confidence: float
    shard: str | None
    retry_failed: bool


class OptimisingOptions(MeasuringOptions, total=False):
    """How a search goes, and how each of its designs is measured.

    Attributes:
        volume: A kind of volume or a file, in place of the device: its options, and the parameters of its
            members, vary.
        budget: The most designs that the search runs. From 200 on brief looks at more designs come first,
            under a ninth of the requests and a third, which count as the part of a run that they are.
        sampler: ``descent``, or ``tpe``, which needs ``sledsim[optimise]``.
        compared: The number of the best designs that are compared again.
        indifference: A part of a figure that does not matter, such as 0.01.
        confidence: The probability with which the choice is to be the best of those, or within
            `indifference`.
        held_out: The part of a trace that the search does not see; 0 is none. Of a workload that is drawn
            anything above 0 asks for seeds that it does not see.
    """

    volume: str | None
    budget: int
    sampler: str
    compared: int
    indifference: float
    confidence: float
    held_out: float


class PriceOptions(TypedDict, total=False):
    """The volumes of a comparison besides its devices, and what all of them cost.

    Attributes:
        volumes: Kinds of volumes with their options, or files, besides the devices.
        prices: The price of each device by its name, in any currency: a number, or ``"2.5/GiB"``. A request
            then costs price / (rate x lifetime) + energy x price of energy.
        lifetime_years: Years that a device serves.
        kwh_price: The price of a kilowatt hour.
    """

    volumes: str | Sequence[str]
    prices: Mapping[str, float | str] | None
    lifetime_years: float
    kwh_price: float


class CurveOptions(TypedDict, total=False):
    """How the points of curves are measured.

    Attributes:
        count: Requests of a replication of the random workload, the warm-up included, of which 100 or more
            are to be left.
        replications: Runs at each point, at least 2.
        seed: The seed of the first replication; the others have those after it. Same seed, same requests.
        confidence: The confidence of intervals.
        precision: Half of the interval of every figure of `PRECISE`, at most, as a part of the figure, such
            as 0.05. Replications at a rate are doubled until half of them would have sufficed, or there are
            `MOST_TIMES` as many; `Curves.notes` says where these do not suffice. Those that happen to come
            out narrow are often too low, so that stopping at the first would be wrong too often.
        workers: Threads; None takes as many as there are processors. The results do not depend on it.
    """

    count: int
    replications: int
    seed: int
    confidence: float
    precision: float | None
    workers: int | None


class FormatOptions(TypedDict, total=False):
    """The formats to try where no space is given, and the files that a device is to hold.

    Attributes:
        device: A device that leaves its format open, as ``emsoft08``, or its name.
        probes: Numbers of active probes.
        sectors: Numbers of sectors side by side.
        sector_bytes: Bytes of a sector.
        parameters: Values of other parameters of the device, by key, each of which is tried with each format.
        file_bytes: Sizes of files that the device is to hold. Each has sectors to itself: what it leaves of
            the last one counts against the capacity of a format (004 5.4).
    """

    device: Device | str
    probes: Sequence[int]
    sectors: Sequence[int]
    sector_bytes: Sequence[int]
    parameters: Mapping[str, Sequence[Any]] | None
    file_bytes: Sequence[int] | None

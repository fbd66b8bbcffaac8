"""The options that several questions share, each declared once.

A function takes a group of them as ``**how: Unpack[MeasuringOptions]``: each is given by its name. The
command line takes meanings and defaults from here.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike

SEED = Declared("Seed of the random numbers", 1)
COUNT = Declared("Number of requests")
REPLICATIONS = Declared("Number of runs", low=1)
CONFIDENCE = Declared("Confidence level of the intervals", 0.95)
PRECISION = Declared("Relative half-width of the intervals to reach")
WORKERS = Declared("Number of workers, by default one per processor")
SCHEDULERS = Declared("Scheduling policies, with commas between; 'all' is every one")
PAST_END = Declared("Rule for requests past the end of the device", "error")
REPLAY = Declared("Rule by which requests come")
SCALE = Declared("Speed-up: 2 replays the requests twice as fast", 1.0)
ON = Declared("Place where points run")
#: Figures of which a precision is asked.
JUDGED = ("mean_response_s", "cv2_response", "p50_response_s", "p95_response_s", "p99_response_s")
#: Options of the same name in several groups and commands.
SHARED = {
    "seed": SEED,
    "count": COUNT,
    "replications": REPLICATIONS,
    "confidence": CONFIDENCE,
    "precision": PRECISION,
    "workers": WORKERS,
    "schedulers": SCHEDULERS,
    "past-end": PAST_END,
    "replay": REPLAY,
    "scale": SCALE,
    "on": ON,
}


#: Requests of a run of a plausible device, where neither call nor workload says a number.
DRAWN = 4_000


class DrawingOptions(TypedDict, total=False):
    """The drawing of requests for a point, and the place where it runs.

    Attributes:
        count: Of a run of a drawn workload; None for what the workload says.
        replay: One of `listings.replays`; None as `simulate` has it.
        seed: The first replication has it; the others have those after it. All points have the same.
        on: ``threads`` if not given, ``local:4`` for processes of this machine, or ``dask://host:8786`` for
            those of a cluster; these need ``sledsim[cluster]``. Rows are the same wherever they are made.
        workers: Threads, or processes of this machine.
    """

    count: Annotated[int | None, COUNT]
    seed: Annotated[int, SEED]
    replay: Annotated[str | None, REPLAY]
    on: Annotated[str | None, ON]
    workers: Annotated[int | None, WORKERS]


class SamplingOptions(DrawingOptions, total=False):
    """The measurement of plausible devices.

    Attributes:
        count: Of a run of a drawn workload; None for what the workload says, or else 4,000.
    """

    scale: Annotated[float, SCALE]
    folder: Annotated[
        PathLike | None, Declared("A folder for the ledger that keeps what is run; None keeps nothing")
    ]


class MeasuringOptions(SamplingOptions, total=False):
    """The measurement of each device of a question about plausible devices.

    Attributes:
        replications: Each run of a drawn workload has a seed of its own. A trace is the same in every run:
            it has one, whose intervals come from batches of requests.
    """

    replications: Annotated[int, REPLICATIONS.of(1)]
    past_end: Annotated[str, PAST_END]


class HoldingOptions(SamplingOptions, total=False):
    """The answer that a question about plausible devices wants, and the measurement of each device.

    Attributes:
        replications: Each has other requests, in which the condition holds or not.
    """

    replications: Annotated[int, REPLICATIONS.of(4)]
    past_end: Annotated[str, PAST_END]
    threshold: Annotated[float, Declared("The share of devices above which a condition holds", 0.5)]
    confidence: Annotated[float, CONFIDENCE]
    indices: Annotated[bool, Declared("Look at further devices, up to twice as many, for what decides", True)]


class SweepOptions(DrawingOptions, total=False):
    """The measurement of the points of a sweep, and the choice of those that run.

    Attributes:
        replications: Each run of a drawn workload has a seed of its own. A trace is the same in every run:
            it has one, whose intervals come from batches of requests.
        precision: Seeds are added until the intervals of `judged` are as narrow a part of their figures,
            such as 0.01. They are looked at after as many replications as were asked for, and twice, four
            times and eight times as many; a row says whether they came to be so (``is_precise``).
        confidence: With a precision each of the four looks has a quarter of the error, so that the interval
            at which a point stops holds as often as this says.
        shard: Parts run at the same time in one folder.
    """

    replications: Annotated[int, REPLICATIONS.of(5)]
    past_end: Annotated[str, PAST_END]
    precision: Annotated[float | None, PRECISION]
    judged: Annotated[Sequence[str], Declared("The figures of which a precision is asked", JUDGED)]
    confidence: Annotated[float, CONFIDENCE]
    shard: Annotated[str | None, Declared("The part of the points to run, such as 3/64")]
    retry_failed: Annotated[bool, Declared("Run the points again whose row is an error", False)]


#: The options of a sweep that say which points run, and where.
RUNNING = ("shard", "on", "workers", "retry_failed")


class OptimisingOptions(SamplingOptions, total=False):
    """The course of a search, and the measurement of each of its designs.

    Attributes:
        replications: Each run of a drawn workload has a seed of its own. A trace is the same in every run:
            it has one, whose intervals come from batches of requests.
        volume: Its options, and the parameters of its members, vary.
        budget: From 200 on brief looks at more designs come first, under a ninth of the requests and a
            third, which count as the part of a run that they are.
        confidence: The probability, too, with which the choice is to be the best of those that are
            compared, or within `indifference`.
        held_out: Of a workload that is drawn anything above 0 asks for seeds that it does not see.
    """

    replications: Annotated[int, REPLICATIONS.of(1)]
    past_end: Annotated[str, PAST_END.of("wrap")]
    volume: Annotated[str | None, Declared("A kind of volume or a file, in place of the device")]
    budget: Annotated[int, Declared("The most designs that the search runs", 1000, 1)]
    sampler: Annotated[
        str,
        Declared("The search: 'descent', or 'tpe', which needs optuna (sledsim[optimise])", "descent"),
    ]
    compared: Annotated[int, Declared("Number of the best designs that are compared again", 10, 1)]
    indifference: Annotated[float, Declared("A part of a figure that does not matter, such as 0.01", 0.01)]
    confidence: Annotated[float, CONFIDENCE]
    held_out: Annotated[
        float,
        Declared(
            "The part of a trace that the search does not see, and by which its choice is judged; 0 is none",
            0.3,
        ),
    ]


class PriceOptions(TypedDict, total=False):
    """The volumes of a comparison besides its devices, and what all of them cost.

    Attributes:
        prices: A request then costs price / (rate x lifetime) + energy x price of energy.
    """

    volumes: Annotated[
        str | Sequence[str],
        Declared("Kinds of volumes with their options, or files, besides the devices", ()),
    ]
    prices: Annotated[
        Mapping[str, float | str] | None,
        Declared('The price of each device by its name, in any currency: a number, or ``"2.5/GiB"``'),
    ]
    lifetime_years: Annotated[float, Declared("Years that a device serves", 5.0)]
    kwh_price: Annotated[float, Declared("Price of a kilowatt hour", 0.0)]


class CurveOptions(TypedDict, total=False):
    """The measurement of the points of curves.

    Attributes:
        count: Of a replication, the warm-up included, of which 100 or more are to be left.
        replications: At each point.
        seed: The first replication has it; the others have those after it.
        precision: Half of the interval of every figure of `PRECISE`, at most, as a part of the figure, such
            as 0.05. Replications at a rate are doubled until half of them would have sufficed, or there are
            `MOST_TIMES` as many; `Curves.notes` says where these do not suffice. Those that happen to come
            out narrow are often too low, so that stopping at the first would be wrong too often.
        workers: The results do not depend on it.
    """

    # The queue of a device near saturation needs thousands to reach its length.
    count: Annotated[int, COUNT.of(20000)]
    replications: Annotated[int, REPLICATIONS.of(5, low=2)]
    seed: Annotated[int, SEED]
    confidence: Annotated[float, CONFIDENCE]
    precision: Annotated[float | None, PRECISION]
    workers: Annotated[int | None, WORKERS]


document_options(DrawingOptions)
document_options(SamplingOptions, DrawingOptions)
document_options(MeasuringOptions, SamplingOptions)
document_options(HoldingOptions, SamplingOptions)
document_options(SweepOptions, DrawingOptions)
document_options(OptimisingOptions, SamplingOptions)
document_options(PriceOptions)
document_options(CurveOptions)

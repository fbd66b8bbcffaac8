"""Options that several functions share, declared once for all of them.

A function takes a group of options by name, as ``**how: Unpack[MeasuringOptions]``. The command line takes
meanings and defaults from here.
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
REPLAY = Declared("Rule by which requests arrive")
SCALE = Declared("Speed-up: 2 replays the requests twice as fast", 1.0)
ON = Declared("Executor that runs the points")
#: Default figures whose intervals must reach the precision.
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


#: Default number of requests per run of a plausible device, if neither call nor workload gives a number.
DRAWN = 4_000


class DrawingOptions(TypedDict, total=False):
    """Options for drawing the requests of points, and for the executor that runs the points.

    Attributes:
        count: Requests per run of a drawn workload; None keeps the workload's own count.
        replay: A name of `listings.replays`; None uses the default of `simulate`.
        seed: The first replication uses this seed, and replication k uses seed + k - 1. All points use the
            same seeds.
        on: ``threads`` by default, ``local:4`` for processes of this machine, or ``dask://host:8786`` for a
            cluster; processes and clusters need ``sledsim[cluster]``. The rows do not depend on it.
        workers: Number of threads, or of processes of this machine.
    """

    count: Annotated[int | None, COUNT]
    seed: Annotated[int, SEED]
    replay: Annotated[str | None, REPLAY]
    on: Annotated[str | None, ON]
    workers: Annotated[int | None, WORKERS]


class SamplingOptions(DrawingOptions, total=False):
    """Options for drawing and measuring plausible devices.

    Attributes:
        count: Requests per run of a drawn workload; None takes the workload's own count, or 4,000 if it has
            none.
    """

    scale: Annotated[float, SCALE]
    folder: Annotated[
        PathLike | None, Declared("Folder for the ledger of finished points; None keeps nothing")
    ]


class MeasuringOptions(SamplingOptions, total=False):
    """Options for measuring each plausible device.

    Attributes:
        replications: Each run of a drawn workload has its own seed. A trace is the same in every run: it runs
            once, and its intervals come from batches of requests.
    """

    replications: Annotated[int, REPLICATIONS.of(1)]
    past_end: Annotated[str, PAST_END]


class HoldingOptions(SamplingOptions, total=False):
    """Options for the threshold and the interval of a share of plausible devices, and for measuring devices.

    Attributes:
        replications: Each replication draws other requests; the condition holds in a replication or not.
    """

    replications: Annotated[int, REPLICATIONS.of(4)]
    past_end: Annotated[str, PAST_END]
    threshold: Annotated[float, Declared("Share of devices above which a condition holds", 0.5)]
    confidence: Annotated[float, CONFIDENCE]
    indices: Annotated[bool, Declared("Run up to twice as many devices to rank the parameters", True)]


class SweepOptions(DrawingOptions, total=False):
    """Options for measuring the points of a sweep, and for choosing the points to run.

    Attributes:
        replications: Each run of a drawn workload has its own seed. A trace is the same in every run: it runs
            once, and its intervals come from batches of requests.
        precision: Seeds are added until the intervals of `judged` are this narrow, as a part of their
            figures, such as 0.01. The intervals are checked after the given number of replications, and after
            twice, four times and eight times that number. A row states whether it reached the precision
            (``is_precise``).
        confidence: Each of the four checks of a precision gets a quarter of the error, so that the interval
            at which a point stops has this confidence.
        shard: Several shards may run at the same time in one folder.
    """

    replications: Annotated[int, REPLICATIONS.of(5)]
    past_end: Annotated[str, PAST_END]
    precision: Annotated[float | None, PRECISION]
    judged: Annotated[Sequence[str], Declared("Figures that must reach the precision", JUDGED)]
    confidence: Annotated[float, CONFIDENCE]
    shard: Annotated[str | None, Declared("Part of the points to run, such as 3/64")]
    retry_failed: Annotated[bool, Declared("Run failed points again", False)]


#: Options of a sweep that choose the points that run and the executor.
RUNNING = ("shard", "on", "workers", "retry_failed")


class OptimisingOptions(SamplingOptions, total=False):
    """Options of a search, and options for measuring each design.

    Attributes:
        replications: Each run of a drawn workload has its own seed. A trace is the same in every run: it runs
            once, and its intervals come from batches of requests.
        volume: The options of the volume and the parameters of its members vary.
        budget: A search of 200 designs or more first runs more designs briefly, under a ninth and under
            a third of the requests. A brief run counts as that part of a run.
        confidence: The same level is the probability that the chosen design is the best of the compared
            designs, or within `indifference` of the best.
        held_out: A drawn workload is judged on other seeds if the value is above 0.
    """

    replications: Annotated[int, REPLICATIONS.of(1)]
    past_end: Annotated[str, PAST_END.of("wrap")]
    volume: Annotated[str | None, Declared("Kind of volume or volume file, in place of the device")]
    budget: Annotated[int, Declared("Number of designs to run at most", 1000, 1)]
    sampler: Annotated[
        str,
        Declared("Search method: 'descent', or 'tpe', which needs optuna (sledsim[optimise])", "descent"),
    ]
    compared: Annotated[int, Declared("Number of best designs to compare again", 10, 1)]
    indifference: Annotated[
        float, Declared("Relative difference of a figure that does not matter, such as 0.01", 0.01)
    ]
    confidence: Annotated[float, CONFIDENCE]
    held_out: Annotated[
        float,
        Declared(
            "Part of the trace kept from the search, to judge the final choice; 0 keeps nothing from it",
            0.3,
        ),
    ]


class PriceOptions(TypedDict, total=False):
    """Options of a comparison: volumes to compare, and prices of devices, volumes and energy.

    Attributes:
        prices: A request costs price / (rate x lifetime) + energy x price of energy.
    """

    volumes: Annotated[
        str | Sequence[str],
        Declared("Volumes besides the devices: kinds with their options, or files", ()),
    ]
    prices: Annotated[
        Mapping[str, float | str] | None,
        Declared('Price of each device by name, in any currency: a number, or ``"2.5/GiB"``'),
    ]
    lifetime_years: Annotated[float, Declared("Lifetime of a device in years", 5.0)]
    kwh_price: Annotated[float, Declared("Price of a kilowatt hour", 0.0)]


class CurveOptions(TypedDict, total=False):
    """Options for measuring the points of curves.

    Attributes:
        count: Requests per replication, warm-up included; 100 or more must remain after the warm-up.
        replications: Runs per point.
        seed: The first replication uses this seed, and replication k uses seed + k - 1.
        precision: Largest half-width of the interval of every figure of `PRECISE`, as a part of the figure,
            such as 0.05. The number of replications at a rate is doubled until half of them would suffice, or
            until it reaches `MOST_TIMES` times the first number; `Curves.notes` names the points that do not
            reach the precision. An interval that is narrow by chance often has too low a figure; a run does
            not stop at the first.
        workers: The results do not depend on the number of workers.
    """

    # Near saturation, the queue of a device needs thousands of requests to reach its length.
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

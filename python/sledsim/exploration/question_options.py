"""Options that several functions and commands share, each declared once with its meaning and default.

A function takes a group of options by name, as ``**how: Unpack[MeasuringOptions]``. The command line takes
the meanings and defaults from these declarations.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from ..common.declared import Declared, document_options
from ..common.output_files import PathLike

SEED = Declared("Seed of the random numbers", 1)
COUNT = Declared("Number of requests")
REPLICATIONS = Declared("Number of runs", low=1)
CONFIDENCE = Declared("Confidence level of the confidence intervals", 0.95)
PRECISION = Declared("Half-width of the confidence intervals to reach, relative to the figure")
WORKERS = Declared(
    "Number of threads or processes that simulate at the same time, by default one per processor"
)
SCHEDULERS = Declared("Scheduling policies, separated by commas; 'all' means every policy")
PAST_END = Declared("Rule for requests past the end of the device", "error")
REPLAY = Declared("Rule that sets the arrival times of the requests")
SCALE = Declared("Speed-up of the arrivals: 2 replays the requests twice as fast", 1.0)
ON = Declared("Place where the points are simulated")
#: Figures whose confidence intervals must reach the precision by default.
JUDGED = ("mean_response_s", "cv2_response", "p50_response_s", "p95_response_s", "p99_response_s")
#: Declarations of options that several groups and commands share, by the name of the option.
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


#: Number of requests in a run of a plausible device, if neither the option `count` nor the workload states a
#: number.
DRAWN = 4_000


class DrawingOptions(TypedDict, total=False):
    """Options for drawing the random requests of each point, and for the place where points are simulated.

    Attributes:
        count: Requests per run of a random workload; None keeps the count that the workload states.
        replay: Replay rule, one of `listings.replays`; None uses the default of `simulate`.
        seed: Replication k draws its requests with ``seed + k - 1``. All points use the same seeds.
        on: ``threads`` by default, ``local:4`` for 4 processes of this machine, or ``dask://host:8786`` for a
            cluster; processes and clusters need ``sledsim[cluster]``. The results do not depend on it.
        workers: Number of threads, or of processes of this machine; a cluster has its own workers.
    """

    count: Annotated[int | None, COUNT]
    seed: Annotated[int, SEED]
    replay: Annotated[str | None, REPLAY]
    on: Annotated[str | None, ON]
    workers: Annotated[int | None, WORKERS]


class SamplingOptions(DrawingOptions, total=False):
    """Options for drawing plausible devices from their ranges and for measuring them.

    Attributes:
        count: Requests per run of a random workload; None takes the count that the workload states, or
            4,000 if the workload states no count.
    """

    scale: Annotated[float, SCALE]
    folder: Annotated[
        PathLike | None, Declared("Folder for the ledger of finished points; None keeps no ledger")
    ]


class MeasuringOptions(SamplingOptions, total=False):
    """Options for measuring each plausible device.

    Attributes:
        replications: Each run of a random workload has its own seed. A trace is the same in every run: it
            runs once, and its confidence intervals come from batches of its requests.
    """

    replications: Annotated[int, REPLICATIONS.of(1)]
    past_end: Annotated[str, PAST_END]


class HoldingOptions(SamplingOptions, total=False):
    """Options of `holds`: how each device is measured, and how the share of devices is judged.

    Attributes:
        replications: Each replication of a device draws other requests, and the condition is checked in each
            replication.
    """

    replications: Annotated[int, REPLICATIONS.of(4)]
    past_end: Annotated[str, PAST_END]
    threshold: Annotated[
        float, Declared("Share of devices that the condition must exceed for the verdict 'yes'", 0.5)
    ]
    confidence: Annotated[float, CONFIDENCE]
    indices: Annotated[
        bool, Declared("Rank the parameters, which simulates up to twice as many devices", True)
    ]


class SweepOptions(DrawingOptions, total=False):
    """Options for measuring the points of a sweep, and for choosing the points to simulate.

    Attributes:
        replications: Each run of a random workload has its own seed. A trace is the same in every run: it
            runs once, and its confidence intervals come from batches of its requests.
        precision: 0.01 means 1 % of the figure. Replications are added until the intervals of all figures in
            `judged` are this narrow. The intervals are checked after `replications` runs, and after twice,
            four times and eight times that number. The column ``is_precise`` of a row states whether the
            point reached the precision.
        confidence: If a precision is requested, the intervals of a point are checked up to four times. Each
            check gets a quarter of the allowed error, so that the last interval has this confidence level.
        shard: Processes on several machines may run different shards of one study at the same time, with a
            common folder.
    """

    replications: Annotated[int, REPLICATIONS.of(5)]
    past_end: Annotated[str, PAST_END]
    precision: Annotated[float | None, PRECISION]
    judged: Annotated[
        Sequence[str], Declared("Figures whose confidence intervals must reach the precision", JUDGED)
    ]
    confidence: Annotated[float, CONFIDENCE]
    shard: Annotated[str | None, Declared("Shard of the points to simulate: 3/64 is the third of 64 shards")]
    retry_failed: Annotated[bool, Declared("Simulate points again whose stored row is an error", False)]


#: Options of a sweep that choose the points to simulate now, and the place where they are simulated.
RUNNING = ("shard", "on", "workers", "retry_failed")


class OptimisingOptions(SamplingOptions, total=False):
    """Options of `optimise`: how designs are searched, and how each design is measured.

    Attributes:
        replications: Each run of a random workload has its own seed. A trace is the same in every run: it
            runs once, and its confidence intervals come from batches of its requests.
        volume: The search varies the options of the volume and the parameters of its members.
        budget: A search with a budget of 200 designs or more first tries designs in brief runs, over a ninth
            and a third of the requests. Such a run counts as a ninth or a third of a design.
        confidence: The confidence level is also the least probability that the chosen design is the best of
            those compared, or worse by at most `indifference`.
        held_out: Any value above 0 means, for a random workload, that the chosen design is tested on requests
            of other seeds.
    """

    replications: Annotated[int, REPLICATIONS.of(1)]
    past_end: Annotated[str, PAST_END.of("wrap")]
    volume: Annotated[
        str | None, Declared("Kind of volume, or volume file, to search in place of the device")
    ]
    budget: Annotated[int, Declared("Largest number of designs to simulate", 1000, 1)]
    sampler: Annotated[
        str, Declared("Search method: 'descent', or 'tpe' (needs pip install 'sledsim[optimise]')", "descent")
    ]
    compared: Annotated[
        int, Declared("Number of best designs of the search to compare under the same requests", 10, 1)
    ]
    indifference: Annotated[
        float, Declared("Largest relative difference between two designs that counts as none", 0.01)
    ]
    confidence: Annotated[float, CONFIDENCE]
    held_out: Annotated[
        float,
        Declared(
            "Share of the trace, at its end, that judges the chosen design and that the search does not see;"
            " 0 shows the search the whole trace",
            0.3,
        ),
    ]


class PriceOptions(TypedDict, total=False):
    """Options of a comparison: volumes to compare, and prices of devices, volumes and energy.

    Attributes:
        prices: The cost of a request is price / (requests per s x lifetime) + energy of the request x
            `kwh_price`.
    """

    volumes: Annotated[
        str | Sequence[str],
        Declared("Volumes to compare with the devices: kinds with their options, or volume files", ()),
    ]
    prices: Annotated[
        Mapping[str, float | str] | None,
        Declared('Price of each device or volume by name, in any currency: a number, or ``"2.5/GiB"``'),
    ]
    lifetime_years: Annotated[float, Declared("Lifetime of a device in years", 5.0)]
    kwh_price: Annotated[float, Declared("Price of a kilowatt hour, in the same currency", 0.0)]


class CurveOptions(TypedDict, total=False):
    """Options for measuring response-time curves; a point of a curve is one policy at one arrival rate.

    Attributes:
        count: Requests per replication, including the warm-up; 100 or more must remain after the warm-up.
        replications: Number of runs for each policy and rate, each with its own seed.
        seed: Replication k draws its requests with ``seed + k - 1``.
        precision: 0.05 means 5 % of the figure; every figure of `PRECISE` must reach the precision. The
            number of replications at a rate is doubled until half of them would be enough, or until it is
            `MOST_TIMES` times the first number; `Curves.notes` names the points that miss the precision. A
            point does not stop at the first narrow interval, because an interval that is narrow by chance
            often belongs to a figure that is too low.
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

"""What the columns of tables of results mean: of runs, comparisons, curves, sweeps and designs.

Half of an interval stands beside its figure, under the name that `half_width_key` makes.
"""

from collections.abc import Mapping

#: Figures of a run, or of a point of several, unit in the name.
FIGURES: Mapping[str, str] = {
    "requests": "requests that were served",
    "mean_response_s": "mean time from arrival to completion",
    "std_response_s": "standard deviation of the response time",
    "cv2_response": "variance of the response time over its squared mean",
    "p50_response_s": "response time that half of the requests stay below",
    "p95_response_s": "response time that 95 of 100 requests stay below",
    "p99_response_s": "response time that 99 of 100 requests stay below",
    "p999_response_s": "response time that 999 of 1,000 requests stay below",
    "max_response_s": "longest response time",
    "mean_queue_length": "mean number of requests in the system",
    "mean_service_s": "mean time from dispatch until the medium is done",
    "mean_positioning_s": "mean time of positioning",
    "utilization": "part of the time in which a device serves; of a volume its busiest",
    "energy_j": "energy of everything: of services, and of the time between them",
    "span_s": "from the first arrival to the last completion",
    "throughput_per_s": "requests completed in a second, from the first arrival to the last completion",
    "energy_per_request_j": "energy of everything over the number of requests",
    "mean_power_w": "energy of everything over the time of the run",
    "capacity_bytes": "bytes that the device or volume offers",
}
#: What a row of a table of points is of, how it was run, and what became of it.
POINTS: Mapping[str, str] = {
    "device": "device, or volume, as it was named",
    "workload": "trace or workload, as it was named",
    "scheduler": "policy, with its options",
    "scale": "what the times between arrivals were divided by",
    "rate_per_s": "requests that come in a second",
    "seed": "seed of the requests of this observation",
    "batch": "which of the batches of consecutive requests this observation is",
    "saturated": "whether requests come faster than they can be served; then the figures depend on the length"
    " of the run, and curves have none",
    "unsettled": "whether the queue is not known to have come to rest; then there are no figures",
    "mean_response_over_first": "mean response over that of the first row of the same requests",
    "cost_per_request": "what a request costs in the currency of the prices; nothing where there are none",
    "key": "digest of all that decides the row: equal keys are equal points",
    "status": "ok, saturated, not at rest, or failed",
    "study": "digest of each sweep that has the point",
    "replications": "runs of the point",
    "is_precise": "whether the intervals are as narrow as was asked for; nothing where nothing was asked",
    "error": "why there are no figures; nothing where there are some",
    "version": "version of sledsim that made the row",
    "file": "name of the file that has the requests",
}
#: What tables of formats and of searches have besides; energy is in the accounts of `Run.energy_by_use_j`.
DESIGNS: Mapping[str, str] = {
    "probes": "active probes of the format",
    "sectors": "sectors that are read or written side by side",
    "sector_bytes": "data of a sector",
    "feasible": "whether a device can have the format",
    "reason": "why it cannot",
    "subsector_bits": "bits of a sector under one probe, with its overhead",
    "packed_capacity_bytes": "capacity in whole subsectors",
    "utilization": "data over the bits that hold them",
    "transfer_s": "time in which the sectors that lie side by side pass under the probes",
    "throughput_bytes_per_s": "bits that the active probes pass in a second, as bytes",
    "data_bytes_per_s": "what of that is data",
    "file_share": "part of their sectors that files of the given sizes fill; 1 where none are given",
    "usable_bytes": "that part of the capacity",
    "device_utilization": "part of the time in which the device serves",
    "moved": "requests that were moved to fit the device",
    "seek_j": "energy of actuators that move the sled",
    "settle_j": "energy of actuators while nothing but settling is left",
    "actuation_j": "energy of actuators while rows pass",
    "tips_j": "energy of tips that are on",
    "electronics_j": "energy of the electronics during services",
    "startup_j": "energy of waking up",
    "idle_j": "energy of the time between services, while the device is ready",
    "shutdown_j": "energy of shutting down",
    "inactive_j": "energy of the time in which it is shut down",
    "on_front": "whether no other row is as good in all that is wanted, and better in one",
    "number": "place in the order of the search",
    "meets": "whether all that is asked for holds",
    "is_best": "whether it is the best that was found",
}

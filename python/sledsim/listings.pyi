from .model.catalogue import (
    column_sets as column_sets,
    device_kinds as device_kinds,
    devices as devices,
    past_end_rules as past_end_rules,
    power_policies as power_policies,
    replay_options as replay_options,
    replays as replays,
    scheduler_options as scheduler_options,
    scheduler_wrappers as scheduler_wrappers,
    schedulers as schedulers,
    workload_options as workload_options,
    workloads as workloads,
)
from .model.tip_codes import block_checks as block_checks, detections as detections
from .model.volumes import volume_options as volume_options, volume_roles as volume_roles, volumes as volumes
from .traces.formats import formats as formats, writable_formats as writable_formats
from .traces.trace_files import bundled_traces as bundled_traces

from .claims import Claim as Claim, noted as noted, stated as stated
from .experiments import Result as Result
from .figures import (
    NEAR as NEAR,
    SHAPE as SHAPE,
    Bound as Bound,
    Effect as Effect,
    Figure as Figure,
    Range as Range,
    exactly as exactly,
    half_digit as half_digit,
    less_by as less_by,
)
from .findings import (
    Calibrated as Calibrated,
    Finding as Finding,
    OnInput as OnInput,
    Statement as Statement,
    is_as_said as is_as_said,
    together as together,
)
from .hp_disks import CELLO as CELLO, HP as HP, HPLAJW as HPLAJW
from .intervals import columns as columns, ends as ends, with_ends as with_ends
from .perturbations import (
    device as device,
    random_workload as random_workload,
    response_curves as response_curves,
    simulate as simulate,
    trace_curves as trace_curves,
    volume as volume,
    workload as workload,
)
from .policy_curves import CV2 as CV2, FIGURES as FIGURES, RESPONSE as RESPONSE
from .readings import Trial as Trial, best as best, reading as reading
from .verdicts import Verdict as Verdict

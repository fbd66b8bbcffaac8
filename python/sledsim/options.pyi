from .exploration.design.space import FormatOptions as FormatOptions
from .exploration.question_options import (
    CurveOptions as CurveOptions,
    DrawingOptions as DrawingOptions,
    HoldingOptions as HoldingOptions,
    MeasuringOptions as MeasuringOptions,
    OptimisingOptions as OptimisingOptions,
    PriceOptions as PriceOptions,
    SamplingOptions as SamplingOptions,
    SweepOptions as SweepOptions,
)
from .runs.keeping_options import KeepingOptions as KeepingOptions

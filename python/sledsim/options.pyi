from .exploration.options import (
    CurveOptions as CurveOptions,
    DrawingOptions as DrawingOptions,
    FormatOptions as FormatOptions,
    HoldingOptions as HoldingOptions,
    MeasuringOptions as MeasuringOptions,
    OptimisingOptions as OptimisingOptions,
    PriceOptions as PriceOptions,
    SweepOptions as SweepOptions,
)
from .runs.options import KeepingOptions as KeepingOptions

from ._native import DeviceRequest as DeviceRequest
from .model.devices import register_seek_model as register_seek_model
from .model.own_devices import parameter as parameter, register_device as register_device
from .model.scheduling import (
    Taken as Taken,
    Waiting as Waiting,
    register_scheduler as register_scheduler,
)
from .model.volumes import Target as Target
from .runs.device_check import check_device as check_device

# SPDX-License-Identifier: Apache-2.0
"""Devices that stay open."""
from typing import Union

from . import _accord
from ._records import warn_of


class Device:
    """A device that is open for several calls, which may run at the same time and share it.

    device   as --device of the program: "gpu0"
    threads  of the processor that feed it; 0: as many as this process may use

    It stands in place of a name wherever a function takes a device: align(family, device=gpu). A
    call that has only the name opens the device anew, which takes longer than a small family. The
    device is closed with the object. One that is not there or fails its self-test is a DeviceError.
    """

    def __init__(self, device: str, *, threads: int = 0) -> None:
        self.name = device
        self._open = _accord.OpenDevice(device, threads)
        warn_of(self._open.warnings)

    @property
    def opened(self) -> _accord.OpenDevice:
        """The device as the library has it."""
        return self._open

    def __repr__(self) -> str:
        return f"<accord.Device {self.name}>"


AnyDevice = Union[str, Device]

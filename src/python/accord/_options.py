# SPDX-License-Identifier: Apache-2.0
"""What the functions take beside their input."""
import os
from typing import Callable, Optional

from . import _accord
from ._device import Device

Progress = Callable[[str, float], object]

_DEFAULTS: "dict[str, object]" = {
    "type": "auto", "mode": "posterior", "tree": "", "device": "none", "threads": 0,
    "confidence": False, "large": "auto", "parameters": b"", "memory": 0,
    "adjust_direction": False}


def options_of(**values: Optional[object]) -> _accord.Options:
    """The options with the defaults of the program; None stands for the default."""
    settings = dict(_DEFAULTS)
    settings.update((name, value) for name, value in values.items() if value is not None)
    if settings["parameters"]:
        settings["parameters"] = os.fsencode(settings["parameters"])  # type: ignore[arg-type]
    if isinstance(settings["device"], Device):
        settings["device"] = settings["device"].opened
    return _accord.Options(**settings)  # type: ignore[arg-type]

# SPDX-License-Identifier: Apache-2.0
"""The exceptions of accord, with the texts of the program and hints in words of Python."""


class Error(Exception):
    """The base of all exceptions of accord.

    ``str()`` of it is the text of the program's error message. ``hint`` is advice for the user,
    and may be empty; ``kind`` is a word for the fault, such as "bad_input".
    """

    kind: str = "internal"
    hint: str = ""


class InputError(Error, ValueError):
    """The sequences, or an option, make no sense."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class DeviceError(Error, RuntimeError):
    """A device is not there, or failed."""


class OutOfMemoryError(Error, MemoryError):
    """More memory would be needed than may be used."""


class AccordWarning(UserWarning):
    """Something in the sequences that may be a mistake."""


_CLASSES: dict[str, type[Error]] = {
    "usage": InputError, "bad_input": InputError, "no_input": FileError,
    "cannot_create": FileError, "write_failed": FileError, "closed_pipe": FileError,
    "device_unavailable": DeviceError, "device_failed": DeviceError,
    "out_of_memory": OutOfMemoryError}


def text_of(value: bytes) -> str:
    """Texts may hold bytes that are no UTF-8, such as those of names; they survive both ways."""
    return value.decode("utf-8", "surrogateescape")


def error_of(kind: str, text: bytes, hint: bytes) -> Error:
    """The exception for an error of the library; tracebacks show its hint."""
    error = _CLASSES.get(kind, Error)(text_of(text))
    error.kind = kind
    error.hint = text_of(hint)
    if error.hint and hasattr(error, "add_note"):
        error.add_note("hint: " + error.hint)
    return error

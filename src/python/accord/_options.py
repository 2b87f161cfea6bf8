# SPDX-License-Identifier: Apache-2.0
"""The options of the functions, beside their input."""
import difflib
import functools
import inspect
import os
import textwrap
from collections.abc import Mapping
from typing import Any, Callable, NamedTuple, TypeVar, Union, cast

from . import _accord
from ._device import Device

Progress = Callable[[str, float], object]
Function = TypeVar("Function", bound=Callable[..., Any])

# The types of the value of an option; None stands for its default.
OptionValue = Union[None, bool, int, float, str, bytes, "os.PathLike[str]", "tuple[float, float]"]


class Option(NamedTuple):
    """An option of the program that functions take as a keyword argument."""

    name: str
    """the keyword"""
    group: str
    """"input", "track", "models" (of all that computes posteriors) or "method\""""
    type: str
    """"flag" (a bool), "count" (an int), "word", "word or file", "word or number", "numbers" (a
    tuple) or "file" (a path)"""
    words: "tuple[str, ...]"
    """that a word may be"""
    default: "Union[None, bool, int, str]"
    """None where the help says how it is found"""
    help: str
    """what the option does"""
    example: str
    """a text other than the default; of a file its path below datasets/ of the source"""
    needs: "tuple[tuple[str, str], ...]"
    """options without which it says nothing, with a text for each"""


def _default_of(type_: str, text: str) -> "Union[None, bool, int, str]":
    """The default of an option, from its text in the library."""
    if type_ == "flag":
        return False
    if not text:
        return None
    return int(text) if type_ == "count" else text


def _option_of(name: str, group: str, type_: str, words: "list[str]", standard: str, help_: str,
               example: str, needs: "list[tuple[str, str]]") -> Option:
    """An option as the library has it."""
    return Option(name.replace("-", "_"), group, type_, tuple(words), _default_of(type_, standard),
                  help_, example,
                  tuple((other.replace("-", "_"), text) for other, text in needs))


OPTIONS: "dict[str, Option]" = {
    option.name: option for option in (_option_of(*info) for info in _accord.options())}
"""The options of the program that functions take as keyword arguments, by their names: the table
that the program has its options of."""


def _text_of_value(value: OptionValue) -> bytes:
    """The text that a command line would have."""
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsencode(value)
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value)).encode()
    return str(value).encode()


def options_of(options: "Mapping[str, OptionValue]", *, device: Union[str, Device] = "none",
               threads: int = 0, confidence: bool = False, memory: int = 0,
               **more: OptionValue) -> _accord.Options:
    """The options of a call; `options` and `more` are those of the table."""
    named = [(name, _text_of_value(value)) for name, value in {**options, **more}.items()
             if value is not None]
    opened = device.opened if isinstance(device, Device) else device or "none"
    return _accord.Options(opened, threads or 0, confidence or False, memory or 0, named)


def _parameter(option: Option) -> inspect.Parameter:
    """The option in a signature."""
    path = "str | os.PathLike[str]"
    type_ = {"flag": "bool", "count": "int", "word": "str", "word or file": path,
             "word or number": "str | float",
             "numbers": "tuple[float, float]", "file": path}[option.type]
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default,
                             annotation=type_ + (" | None" if option.default is None else ""))


def _documentation(options: "list[Option]") -> str:
    """The lines of a documentation, as the sources indent them."""
    lines: list[str] = []
    for option in options:
        first = f"    {option.name:<10}  "
        lines += textwrap.wrap(option.help, 100, initial_indent=first, subsequent_indent=" " * 16)
    return "\n".join(lines)


def takes(*groups: str) -> "Callable[[Function], Function]":
    """Gives a function, which takes **options, the options of some groups of the table: in its
    signature, in its documentation at the line {options}, and with a TypeError for any other."""
    options = [option for option in OPTIONS.values() if option.group in groups]

    def decorated(function: Function) -> Function:
        signature = inspect.signature(function)
        explicit = [known for known in signature.parameters.values()
                    if known.kind != known.VAR_KEYWORD]
        free = [option for option in options if option.name not in signature.parameters]
        names = [*(known.name for known in explicit), *(option.name for option in free)]

        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            for name in keywords:
                if name not in names:
                    near = difflib.get_close_matches(name, names, 1)
                    raise TypeError(f"{function.__name__}() has no argument {name!r}"
                                    + (f"; did you mean {near[0]!r}?" if near else ""))
            return function(*arguments, **keywords)

        call.__signature__ = signature.replace(parameters=[  # type: ignore[attr-defined]
            *explicit, *map(_parameter, free)])
        call.__doc__ = (function.__doc__ or "").replace("    {options}", _documentation(free))
        return cast(Function, call)

    return decorated

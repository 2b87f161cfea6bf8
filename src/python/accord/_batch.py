# SPDX-License-Identifier: Apache-2.0
"""Many families, several at the same time."""
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Callable, TypeVar, Union, overload

from ._align import align
from ._device import Device
from ._errors import Error

if TYPE_CHECKING:
    from ._alignment import Alignment

Key = TypeVar("Key")
Result = TypeVar("Result")


class _Ended(Exception):
    """Ends calls that are under way when nobody waits for their results any more."""


def _processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _options_of_family(key: Any, options: "dict[str, Any]") -> "dict[str, Any]":
    """The options for one family, with the tracks that a mapping has for it; without any, no option
    of tracks."""
    tracks = options.get("track")
    if not isinstance(tracks, Mapping):
        return options
    rest = {name: value for name, value in options.items() if not name.startswith("track")}
    return rest if tracks.get(key) is None else {**options, "track": tracks[key]}


def _results(families: "Iterator[tuple[Any, Any]]", function: Callable[..., Any], ordered: bool,
             workers: int, options: "dict[str, Any]") -> "Iterator[tuple[Any, Any]]":
    """The pairs that batch() yields."""
    if isinstance(options.get("device"), str):
        threads = min((options.get("threads") or 0) * workers, _processors())
        options = {**options, "device": Device(options["device"], threads=threads)}
    ended = threading.Event()
    open_: dict[Future[Any], Any] = {}  # with their keys, in the order of the families

    def check(stage: str, done: float) -> None:
        if ended.is_set():
            raise _Ended
        if options.get("progress") is not None:
            options["progress"](stage, done)

    def call(key: Any, family: Any) -> Any:
        # The last ones have the processors that the others have left.
        share = max(1, _processors() // max(1, min(workers, len(open_))))
        return function(family, **{"threads": share, **_options_of_family(key, options),
                                   "progress": check})

    pool = ThreadPoolExecutor(workers, thread_name_prefix="accord")
    try:
        while True:
            while len(open_) < 2 * workers:  # so that no worker waits for the caller
                try:
                    key, family = next(families)
                except StopIteration:
                    break
                open_[pool.submit(call, key, family)] = key
            if not open_:
                return
            done = (next(iter(open_)) if ordered
                    else next(iter(wait(open_, return_when=FIRST_COMPLETED).done)))
            try:
                result = done.result()
            except Error as error:
                result = error
            key = open_.pop(done)
            yield key, result
    finally:
        ended.set()
        pool.shutdown(cancel_futures=True)


@overload
def batch(families: "Mapping[Key, Any]", *, ordered: bool = True, workers: int = 0,
          **options: Any) -> "Iterator[tuple[Key, Union[Alignment, Error]]]": ...


@overload
def batch(families: "Mapping[Key, Any]", function: "Callable[..., Result]", *,
          ordered: bool = True, workers: int = 0,
          **options: Any) -> "Iterator[tuple[Key, Union[Result, Error]]]": ...


@overload
def batch(families: "Iterable[Any]", *, ordered: bool = True, workers: int = 0,
          **options: Any) -> "Iterator[tuple[int, Union[Alignment, Error]]]": ...


@overload
def batch(families: "Iterable[Any]", function: "Callable[..., Result]", *, ordered: bool = True,
          workers: int = 0, **options: Any) -> "Iterator[tuple[int, Union[Result, Error]]]": ...


def batch(families: Any, function: "Callable[..., Any]" = align, *, ordered: bool = True,
          workers: int = 0, **options: Any) -> "Iterator[tuple[Any, Any]]":
    """Aligns many families, several at the same time, and yields each with its result.

    families    a mapping of keys to families, or any iterable of families, whose keys are their
                numbers, from 0; each as align() takes records. It is read as the results are taken,
                a few families ahead, and may be endless
    function    called for each family: align(), distances(), confidence(), or any other that takes
                a family and the arguments `threads` and `progress`
    ordered     results in the order of the families; else as they come
    workers     families at the same time; 0: as many as there are processors
    options     of the function, for all families; without `threads` the families share the
                processors. A `device` is opened once, and `function` gets it as a Device. `track`
                may be a mapping of keys to tracks; a family without one is aligned without tracks

    Yields pairs of a key and a result. The result of a family that fails is the accord.Error, which
    is not raised; the others go on. Any other exception ends the batch, as Ctrl-C does, and so does
    the end of the loop: calls that are under way end soon after. A device that cannot be opened is
    a DeviceError before the first result.
    """
    items = families.items() if isinstance(families, Mapping) else enumerate(families)
    return _results(iter(items), function, ordered, workers if workers > 0 else _processors(),
                    options)

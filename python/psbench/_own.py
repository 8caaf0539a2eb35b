"""Descriptors that are functions of Python: every context of the library gets them."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Callable, Mapping, NamedTuple, Optional, Union

import numpy as np

from ._library import ENUMS, Handle, InputError, UsageError, call, encode, lib, structs
from ._meshes import copied

Parameters = Mapping[str, "tuple[float, float, float]"]


class Own(NamedTuple):
    """What add_descriptor was told."""

    name: str
    compute: Callable[..., Any]
    length: Union[int, Callable[..., int]]
    parameters: tuple[tuple[str, tuple[float, float, float]], ...]
    metric: str
    revision: int
    title: Optional[str]


added: dict[str, Own] = {}  #: by their names in small letters


def own_of(
    compute: Callable[..., Any],
    length: Union[int, Callable[..., int]],
    parameters: Optional[Parameters],
    name: Optional[str],
    metric: str,
    revision: int,
    title: Optional[str],
) -> Own:
    if not callable(compute):
        raise TypeError(f"a descriptor is a function, not {type(compute).__name__}")
    if name is None:
        name = getattr(compute, "__name__", "")
    ranges = tuple(
        (key, (float(preset), float(low), float(high)))
        for key, (preset, low, high) in dict(parameters or {}).items()
    )
    number = length if callable(length) else operator.index(length)
    if not callable(number) and number < 1:
        raise UsageError(f"rows of {number} numbers: want 1 or more")
    return Own(name, compute, number, ranges, metric, operator.index(revision), title)


class _Calls:
    """What the library calls for one descriptor. What is raised there is noted in `told` and ends
    the work, but for InputError, which is the model's: it has no row then."""

    def __init__(self, own: Own, told: Any) -> None:
        self._own, self._told = own, told
        self._names = [key for key, _ in own.parameters]

    def _given(self, parameters: Optional[int]) -> dict[str, float]:
        if not self._names:
            return {}
        values = (ctypes.c_double * len(self._names)).from_address(parameters or 0)
        return dict(zip(self._names, values))

    def length(self, _: Any, parameters: Optional[int]) -> int:
        try:
            of = self._own.length
            count = operator.index(of(**self._given(parameters)) if callable(of) else of)
            return max(count, 0)
        except BaseException as exception:
            self._told.note(exception)
            return 0

    def compute(self, _: Any, shape: int, parameters: Optional[int], row: int, error: Any) -> int:
        try:
            vertices, faces = copied(lib.psb_shape_mesh(shape).contents)
            given = self._own.compute(vertices, faces, **self._given(parameters))
            found = np.asarray(given)
            count = self.length(None, parameters)
            if found.shape != (count,) or found.dtype.kind not in "fiub":
                raise UsageError(
                    f"{self._own.name}: a row is an array of {count} numbers, not {found.shape} {found.dtype}"
                )
            with np.errstate(over="ignore"):
                np.ctypeslib.as_array((ctypes.c_float * count).from_address(row))[:] = found
            return ENUMS["PSB_OK"]
        except InputError as exception:
            error.contents.message = str(exception).encode("utf-8", "surrogateescape")[:500]
            return ENUMS["PSB_ERROR_INPUT"]
        except BaseException as exception:
            self._told.note(exception)
            return ENUMS["PSB_ERROR_INTERRUPTED"]


def add_all(psb: Handle, told: Any) -> list[Any]:
    """Adds them to a context; what has to stay as long as that is returned."""
    kinds = dict(structs["psb_own_descriptor"]._fields_)
    kept: list[Any] = []
    for own in list(added.values()):
        calls = _Calls(own, told)
        texts = [encode(own.name, "a name"), encode(own.metric, "a metric")]
        ranges = [structs["psb_parameter"](encode(key, "a name"), *of) for key, of in own.parameters]
        parameters = (structs["psb_parameter"] * len(ranges))(*ranges)
        given = structs["psb_own_descriptor"](
            name=texts[0], title=None if own.title is None else encode(own.title, "a title"),
            parameters=parameters, nparameters=len(ranges), element=ENUMS["PSB_FLOAT32"],
            metric=texts[1], revision=own.revision, length=kinds["length"](calls.length),
            compute=kinds["compute"](calls.compute),
        )  # fmt: skip
        call(lib.psb_add_descriptor, psb, ctypes.byref(given))
        kept.append(given)
    return kept

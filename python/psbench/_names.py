"""Which row belongs to which model: names of mappings, of an index of pandas, of ``names=``."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Optional

import numpy as np

from ._library import InputError, UsageError
from ._meshes import numbers


class Names(NamedTuple):
    """The names of rows, or of models, in their order."""

    all: list[str]
    whole: bool = False  #: all of them are whole numbers
    counted: bool = False  #: they are 0, 1, 2 ..., which is what pandas gives to rows without names

    def twice(self, what: str) -> None:
        if len(set(self.all)) != len(self.all):
            again = next(name for name in self.all if self.all.count(name) > 1)
            raise UsageError(f"{what}: the name {again!r} occurs twice")


def names_of(labels: Iterable[Any]) -> Names:
    listed = list(labels)
    whole = all(isinstance(name, (int, np.integer)) for name in listed)
    return Names([str(name) for name in listed], whole, whole and listed == list(range(len(listed))))


def index_of(data: Any) -> Optional[Names]:
    """The index of a Series or DataFrame of pandas, None of all else."""
    return names_of(data.index) if hasattr(data, "iloc") and hasattr(data, "index") else None


def meet(own: Optional[Names], models: Optional[Names]) -> bool:
    """Whether rows find their models by name: numbers of rows are names to other whole numbers only."""
    if own is None or models is None:
        return False
    return own.whole and models.whole or not (own.counted or models.counted)


def _places(own: Names, models: Names, what: str) -> Any:
    """The row of each model."""
    if own.all == models.all:
        return slice(None)
    own.twice(what)
    models.twice("the classes")
    at = {name: i for i, name in enumerate(own.all)}
    missing = [name for name in models.all if name not in at]
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        raise InputError(
            f"no {what} for {len(missing)} of {len(models.all)} models: {shown} (they are joined by name; "
            "give an array without names for the order of the classes)"
        )
    return [at[name] for name in models.all]


def joined(source: Any, own: Names, models: Optional[Names], square: bool) -> np.ndarray:
    """Rows in the order of the models that they meet; of distances (square) also the columns."""
    array = numbers(source, "distances" if square else "features")
    if len(own.all) != len(array):
        raise UsageError(f"{len(own.all)} names, but {len(array)} rows")
    columns = names_of(getattr(source, "columns", ())) if square else None
    if columns is not None and columns.all and meet(columns, own):
        array = array[:, _places(columns, own, "column")]
    if models is not None and meet(own, models):
        order = _places(own, models, "row")
        array = array[order][:, order] if square else array[order]
    return array

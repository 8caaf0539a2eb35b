"""Tables, as the library's verbs give them."""

from __future__ import annotations

import html
import math
import re
from typing import Any, Callable, Optional, Sequence, Union, overload

import numpy as np

from ._meshes import Path
from ._library import Handle, decode, encode, lib, taken_text


def html_rows(rows: Sequence[Sequence[str]], caption: str) -> str:
    """A table for notebooks; the first row is its head."""
    marked = (
        "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
        for tag, row in zip(["th"] + ["td"] * len(rows), rows)
    )
    below = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{below}" + "".join(f"<tr>{row}</tr>" for row in marked) + "</table>"


def html_table(text: str) -> str:
    """The same of a text in Markdown, with the figures, units and caption of the program's; where that
    has several tables, the caption is the first one's."""
    lines = text.splitlines()
    said = [re.sub(r"^\*\*(.*)\*\*$", r"\1:", line) for line in lines if not line.startswith("|")]
    caption = " ".join(line for line in said if line)
    tables: list[list[list[str]]] = []
    for before, line in zip([""] + lines, lines):
        if line.startswith("|"):
            cells = [re.sub(r"\\(.)", r"\1", cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not before.startswith("|"):
                tables.append([])
            tables[-1].append(cells)
    captions = [re.sub(r"\\(.)", r"\1", caption)] + [""] * len(tables)
    return "".join(html_rows(rows[:1] + rows[2:], above) for rows, above in zip(tables, captions))


class Text(str):
    """A table as text, which a notebook shows as a table."""

    shown: Callable[[], str] = str  #: makes the same in Markdown

    def _repr_html_(self) -> str:
        return html_table(self.shown())

    def __reduce__(self) -> Any:
        return str, (str(self),)


def frame_of(rows: Any) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("a frame needs pandas, which is not installed; dicts do not") from None
    return pandas.DataFrame(rows)


class Table:
    """What a command prints as a table: ``len``, and rows by number, each a dict by column.

    ``table["distance"]`` is a column: an array, of numbers as float64, NaN where there is none.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        count = range(lib.psb_table_columns(handle))
        self.columns = [decode(lib.psb_table_column(handle, j)) for j in count]
        #: whether nothing is missing of what the table is about
        self.whole = bool(lib.psb_table_whole(handle))

    def __len__(self) -> int:
        return int(lib.psb_table_rows(self._handle))

    @overload
    def __getitem__(self, row: int) -> dict[str, Union[str, float, None]]: ...

    @overload
    def __getitem__(self, row: str) -> np.ndarray: ...

    def __getitem__(self, row):
        if isinstance(row, str):
            if row not in self.columns:
                raise KeyError(f"there is no column {row!r}; there are {', '.join(self.columns)}")
            j = self.columns.index(row)
            cells = [self._cell(i, j) for i in range(len(self))]
            text = any(isinstance(cell, str) for cell in cells)
            return np.array(cells, object if text else np.float64)
        at = range(len(self))[row]
        return {name: self._cell(at, j) for j, name in enumerate(self.columns)}

    def _cell(self, row: int, column: int) -> Union[str, float, None]:
        text = lib.psb_table_text(self._handle, row, column)
        number = lib.psb_table_number(self._handle, row, column)
        return decode(text) if text is not None else None if math.isnan(number) else number

    def frame(self) -> Any:
        """As a pandas.DataFrame."""
        return frame_of({name: self[name] for name in self.columns})

    def show(self, format: str = "txt") -> str:
        """As txt, tsv, json, md, tex or csv."""
        return taken_text(lib.psb_table_show, self._handle, encode(format, "a format"))

    def _repr_html_(self) -> str:
        return html_table(self.show("md"))

    def __str__(self) -> str:
        return self.show()


def table_of(make: Any, *arguments: Any, beside: bool = False) -> Table:
    return Table(Handle(lib.psb_table_free, make, *arguments, beside=beside))


def table_or_none(make: Any, *arguments: Any) -> Optional[Table]:
    """Of a verb that does not always have a table."""
    handle = Handle(lib.psb_table_free, make, *arguments)
    return Table(handle) if handle else None


def optional(path: Optional[Path], what: str = "a path") -> Optional[bytes]:
    return None if path is None else encode(path, what)

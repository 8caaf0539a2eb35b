"""How well distances find a query's class: measures, tables, comparisons; folders of runs."""

from __future__ import annotations

import csv
import ctypes
import json
import os
import tempfile
import warnings
from pathlib import Path as FilePath
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._features import Collection, Features, floats, matrix_of, matrix_view, metric_of
from ._features import rows_of, size
from ._library import ENUMS, Handle, InputError, Progress, Session, UsageError, call, decode
from ._library import encode, encode_all, lib, structs, taken_text
from ._meshes import Path, numbers, unmasked
from ._names import Names, index_of, joined, meet, names_of
from ._tables import Table, Text, frame_of, html_rows, html_table, table_of

_groupings = {
    "micro": "PSB_MICRO", "macro": "PSB_MACRO", "class": "PSB_PER_CLASS",
    "subtree": "PSB_SUBTREE", "model": "PSB_PER_MODEL",
}  # fmt: skip


#: "dcg,precision@10", a list of them, or None: the five of the paper's Table 4
Measures = Union[None, str, Iterable[str]]


class Mean(NamedTuple):
    """Mean of a measure over some queries."""

    value: float
    error: float  #: standard error, clustered by class; NaN where there is a single one
    queries: int
    classes: int


class Comparison(NamedTuple):
    """Is one method better than another on the same queries, or was it luck?"""

    a: str
    b: str
    difference: float  #: mean of a - b
    low: float  #: 95 % interval of that
    high: float
    p: float  #: of the paired randomization test, two-sided
    p_holm: float  #: corrected for the number of comparisons
    units: int  #: queries or classes that were compared


class Comparisons(List[Comparison]):
    """Comparisons by one measure, which a notebook shows as a table."""

    measure = ""  #: its name

    def _repr_html_(self) -> str:
        gains = self.measure.startswith(("cg@", "dcg_sum"))  # the two kinds that are not shares
        unit, by = ("", 1) if gains else (", in percentage points", 100)
        rows = [["a", "b", "a - b", "95 % interval", "p", "p (Holm)", "units"]]
        for c in self:
            low, high, mean = (f"{by * x:+.2f}" for x in (c.low, c.high, c.difference))
            p = f"{c.p:.4f}", f"{c.p_holm:.4f}"
            rows.append([c.a, c.b, mean, f"{low} ... {high}", *p, str(c.units)])
        return html_rows(rows, f"Differences of the mean {self.measure}{unit}")


def _grouping(per: str) -> int:
    if per not in _groupings:
        raise UsageError(f"there is no mean per {per!r}; there are {', '.join(_groupings)}")
    return ENUMS[_groupings[per]]


def _place(names: Sequence[str], which: Union[int, str], what: str) -> int:
    if isinstance(which, str):
        if which not in names:
            raise UsageError(f"there is no {what} {which!r}; there are {', '.join(names)}")
        return names.index(which)
    found = size(which, what)
    if found >= len(names):
        raise UsageError(f"{what} {found}, but there are {len(names)}")
    return found


class Evaluation:
    """Values of measures for each method and query, and their means.

    Means are over the queries that psbTable takes: no models of the class "-1", no classes of
    fewer than three. All values are between 0 and 1 where the measure is.
    """

    def __init__(
        self,
        models: Collection,
        classes: Mapping[str, str],
        methods: Mapping[str, Any],
        measures: Measures,
        work: Session,
        queries: Any = None,
        targets: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._models, self._matrices, self._measures = models, dict(methods), measures
        self._sides = queries, targets
        self.methods = list(methods)  #: their labels
        self.names = list(classes)  #: the queries, in the order in which they were given
        self.classes = list(classes.values())  #: of each query
        with tempfile.TemporaryDirectory() as folder:
            given = _files_of(folder, methods, queries, targets)
            options = structs["psb_methods_options"](
                models=models._handle._as_parameter_, sources=ENUMS["PSB_MATRICES"], **given
            )
            self._methods = Handle(
                lib.psb_methods_free, lib.psb_methods_open, work.psb, ctypes.byref(options),
                keep=(work, models._handle, list(methods.values())),
            )  # fmt: skip
        for label, matrix in methods.items() if targets is None else ():
            call(lib.psb_methods_add_matrix, self._methods, matrix, encode(label, "a label"))
        if measures is not None and not isinstance(measures, str):
            measures = ",".join(measures)
        wanted = structs["psb_evaluate_options"](
            measures=None if measures is None else encode(measures, "measures")
        )
        self._handle = Handle(
            lib.psb_evaluation_free, lib.psb_evaluate, work.psb, self._methods,
            ctypes.byref(wanted), keep=self._methods,
        )  # fmt: skip
        count = lib.psb_evaluation_measures(self._handle)
        #: names of the measures, as "dcg"
        self.measures = [decode(lib.psb_evaluation_measure(self._handle, m)) for m in range(count)]

    @property
    def values(self) -> np.ndarray:
        """Of each query: (methods, queries, measures), float64; NaN where one is not known."""
        rows = self._models.numbers  # as the names, in the caller's order
        return np.array(
            [
                [
                    [lib.psb_evaluation_value(self._handle, k, m, i) for m in range(len(self.measures))]
                    for i in rows
                ]
                for k in range(len(self.methods))
            ]
        )

    def mean(
        self, measure: Union[int, str] = 0, method: Union[int, str] = 0, per: str = "micro"
    ) -> Mean:
        """Over all queries ("micro"), or over all classes ("macro")."""
        if per not in ("micro", "macro"):
            raise UsageError(f"a single mean is micro or macro, not per {per!r}")
        return self._mean(measure, method, structs["psb_group"](_grouping(per), 0))

    def _mean(self, measure: Union[int, str], method: Union[int, str], group: Any) -> Mean:
        k = _place(self.methods, method, "method")
        if isinstance(measure, str):  # by any name that measures have elsewhere, as "map"
            found = lib.psb_evaluation_find_measure(self._handle, encode(measure, "a measure"))
            measure = found if found < len(self.measures) else measure
        m = _place(self.measures, measure, "measure")
        mean = lib.psb_evaluation_mean(self._handle, k, m, group)
        return Mean(mean.value, mean.error, mean.queries, mean.classes)

    def per_class(
        self, measure: Union[int, str] = 0, method: Union[int, str] = 0
    ) -> dict[str, Mean]:
        """The mean over each class's own queries, of those classes that have some."""
        found: dict[str, Mean] = {}
        names = {
            lib.psb_collection_class_of(self._models._handle, i): label
            for i, label in zip(self._models.numbers, self.classes)
        }
        group = lib.psb_groups(ENUMS["PSB_PER_CLASS"])
        while lib.psb_group_next(self._handle, ctypes.byref(group)):
            found[names[group.which]] = self._mean(measure, method, group)
        return found

    def table(self, per: str = "micro", errors: bool = False, format: str = "txt") -> str:
        """The text that ``psbench eval --per PER -f FORMAT`` prints: txt, tsv, json, md, tex or csv."""

        def text(form: str) -> str:
            return taken_text(
                lib.psb_evaluation_table, self._handle, _grouping(per), bool(errors),
                encode(form, "a format"),
            )  # fmt: skip

        found = Text(text(format))
        found.shown = lambda: text("md")
        return found

    def dicts(self, per: str = "micro", errors: bool = False) -> list[dict[str, Any]]:
        """The rows of that table, each a dict; what is not known is None."""
        return json.loads(self.table(per, errors, "json"))["rows"]

    def frame(self, per: str = "micro", errors: bool = False) -> Any:
        """The same as a pandas.DataFrame."""
        return frame_of(self.dicts(per, errors))

    def classify(
        self,
        k: int = 1,
        per: str = "micro",
        *,
        errors: bool = False,
        confusion: bool = False,
        threads: int = 0,
    ) -> Table:
        """How often the k nearest vote for a query's own class, as ``psbench classify``.

        confusion: of one method, the classes and what their queries were taken for.
        """
        options = structs["psb_classify_options"](
            size(k, "k"), _grouping(per), 0, bool(errors), bool(confusion)
        )
        with Session(threads) as work:
            return table_of(
                lib.psb_classify, work.psb, self._methods, ctypes.byref(options)
            )

    def cluster(self, clusters: int = 0, *, members: bool = False, threads: int = 0) -> Table:
        """Clusters by average linkage beside the classes, as ``psbench cluster``.

        clusters: how many; 0: as many as there are classes, at each level. members: of one method,
        the cluster of each model.
        """
        options = structs["psb_cluster_options"](size(clusters, "clusters"), bool(members))
        with Session(threads) as work:
            return table_of(lib.psb_cluster, work.psb, self._methods, ctypes.byref(options))

    def compare(
        self,
        other: Optional[Evaluation] = None,
        measure: str = "dcg",
        *,
        per_class: bool = False,
        rounds: int = 0,
        seed: int = 1,
        threads: int = 0,
        progress: Optional[Progress] = None,
    ) -> Comparisons:
        """Compares every pair of methods, of this evaluation and the other, by one measure.

        Queries are compared, or class means. rounds of the test: 0 is 10000, or 2000 for each pair.
        ``[c] = a.compare(b)`` where both have one method.
        """
        matrices = dict(self._matrices)
        classes = dict(zip(self.names, self.classes))
        if other is not None:
            if not isinstance(other, Evaluation):
                raise TypeError(f"want an evaluation, not {type(other).__name__}")
            if dict(zip(other.names, other.classes)) != classes:
                raise UsageError("the two evaluations are not of the same models and classes")
            if other._sides != self._sides:
                raise UsageError("the two evaluations are not of the same queries and targets")
            for label, matrix in other._matrices.items():
                matrices[_new_label(label, matrices)] = matrix
        options = structs["psb_compare_options"](
            bool(per_class), size(rounds, "rounds"), size(seed, "seed"), 0
        )
        with Session(threads, progress) as work:
            both = Evaluation(self._models, classes, matrices, measure, work, *self._sides)
            n = len(both.methods)
            pairs = (structs["psb_comparison"] * (n * (n - 1) // 2))()
            call(
                lib.psb_compare, work.psb, both._handle, ctypes.byref(options),
                ctypes.cast(pairs, ctypes.POINTER(structs["psb_comparison"])),
            )  # fmt: skip
        found = Comparisons(
            Comparison(
                both.methods[c.a], both.methods[c.b], c.difference, c.low, c.high, c.p, c.p_holm,
                c.units,
            )
            for c in pairs
        )  # fmt: skip
        found.measure = both.measures[0]
        return found

    def report(self, folder: Optional[Path] = None, **options: Any) -> FilePath:
        """Writes the pages of ``psbench report`` and returns the file to open in a browser.

        folder: for all pages, and without it
        single: a file .html for the front page with all that it shows inside, or
        zip: a file for all pages.
        models: a folder of the models, for pictures.
        title: of the pages.
        threads, progress: as in evaluate.
        """
        return _report(folder, methods=self._methods._as_parameter_, **options)

    def __reduce__(self) -> Any:
        matrices = {}
        for label, matrix in self._matrices.items():
            if isinstance(matrix, np.ndarray):
                matrices[label] = matrix, None
                continue
            array = np.array(matrix_view(matrix))
            names = [lib.psb_matrix_name(matrix, i) for i in range(len(array))]
            matrices[label] = array, None if None in names else [decode(name) for name in names]
        of = dict(zip(self.names, self.classes))
        return _evaluation_again, (self._models, of, matrices, self._measures, *self._sides)

    def _repr_html_(self) -> str:
        return html_table(self.table(format="md"))

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<psbench.Evaluation of {', '.join(self.methods)} on {len(self.names)} models>"


def _evaluation_again(
    models: Collection,
    of: dict[str, str],
    matrices: dict[str, Any],
    measures: Measures,
    queries: Any,
    targets: Optional[Mapping[str, str]],
) -> Evaluation:
    with Session() as work:
        methods = {
            label: array if targets is not None else _new_matrix(array, names)
            for label, (array, names) in matrices.items()
        }
        return Evaluation(models, of, methods, measures, work, queries, targets)


def _files_of(
    folder: str, methods: Mapping[str, Any], queries: Any, targets: Any
) -> dict[str, Any]:
    """What the library takes as files: a list of queries; other targets, and distances to them."""
    given: dict[str, Any] = {}
    if isinstance(queries, (str, os.PathLike)):
        given["query_list"] = encode(queries, "a path")
    elif queries is not None:
        path = os.path.join(folder, "queries")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(name + "\n" for name in queries)
        given["query_list"] = encode(path, "a path")
    if targets is None:
        return given
    with open(os.path.join(folder, "targets.csv"), "w", encoding="utf-8", errors="surrogateescape") as file:
        rows = [("id", "class"), *((name, _flat(label)) for name, label in targets.items())]
        csv.writer(file, lineterminator="\n").writerows(rows)
    paths = []
    for label, array in methods.items():
        if os.path.basename(label) != label or label.startswith("."):
            raise UsageError(f"with targets a label is a file's name, not {label!r}")
        np.save(os.path.join(folder, label + ".npy"), array)  # in the order of queries and targets
        paths.append(os.path.join(folder, label + ".npy"))
    given["targets"] = encode(os.path.join(folder, "targets.csv"), "a path")
    given["files"], given["nfiles"] = encode_all(paths, "a path"), len(paths)
    return given


def _new_matrix(array: np.ndarray, names: Optional[Sequence[str]]) -> Handle:
    given = None if names is None else encode_all(names, "a name")
    return Handle(lib.psb_matrix_free, lib.psb_matrix_new, array.ctypes.data, len(array), given)


def _report(
    folder: Optional[Path],
    *,
    single: Optional[Path] = None,
    zip: Optional[Path] = None,
    models: Optional[Path] = None,
    title: Optional[str] = None,
    since: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
    **of: Any,
) -> FilePath:
    texts = dict(folder=folder, single=single, zip=zip, models=models, title=title, since=since)
    given = {name: encode(text, name) for name, text in texts.items() if text is not None}
    options = structs["psb_pages_options"](**of, **given)
    result = structs["psb_pages_result"]()
    with Session(threads, progress) as work:
        call(lib.psb_pages_write, work.psb, ctypes.byref(options), ctypes.byref(result))
        for failure in work.failures:
            warnings.warn(failure, stacklevel=3)
    if folder is None and (single or zip):
        return FilePath(os.fspath(single or zip or ""))
    place = FilePath(os.fspath(folder)) if folder is not None else FilePath(decode(of["run"]), "report")
    return place / "index.html"


def _new_label(label: str, taken: Mapping[str, Any]) -> str:
    number, found = 2, label
    while found in taken:
        number, found = number + 1, f"{label} ({number})"
    return found


# ---- what is evaluated ------------------------------------------------------------------


class Classes(NamedTuple):
    """Models and their classes."""

    models: Collection
    of: dict[str, str]  #: the class of each model, in the caller's order and words
    names: Optional[Names]  #: None: the caller's list has none


def _label(name: str, label: Any) -> str:
    if isinstance(label, bytes):
        return label.decode("utf-8", "surrogateescape")
    if hasattr(label, "__len__") and not isinstance(label, str):
        raise TypeError(f"the class of {name!r} is a {type(label).__name__}, want text or a number")
    if label is None or str(label) in ("nan", "<NA>", "NaT") and not isinstance(label, str):
        raise InputError(f"the class of {name!r} is missing ({label}); '-1' says that a model has none")
    return str(label)


def _classes(classes: Any) -> Classes:
    if isinstance(classes, (str, os.PathLike)):
        classes = Collection(classes)
    if isinstance(classes, Collection):
        of = dict(zip(classes.names, classes.classes))
        return Classes(classes, of, Names(list(of)))
    if hasattr(classes, "__len__") and len(classes) >= 1 << 31:
        raise UsageError(f"classes of {len(classes)} models")
    if getattr(classes, "ndim", 1) == 2 and hasattr(classes, "iloc"):
        if classes.shape[1] != 1:
            raise UsageError(f"classes: a DataFrame of {classes.shape[1]} columns: give the one of the classes")
        classes = classes.iloc[:, 0]
    if isinstance(classes, np.ma.MaskedArray):
        unmasked(classes, "classes")
    labels = list(classes.values() if isinstance(classes, Mapping) else classes)
    names = names_of(classes) if isinstance(classes, Mapping) else index_of(classes)
    if names is not None and isinstance(classes, Mapping):
        names.twice("classes")
    once = names is not None and len(set(names.all)) == len(names.all)
    own = names.all if names is not None and once else [str(i) for i in range(len(labels))]
    of = {name: _label(name, label) for name, label in zip(own, labels)}
    return Classes(Collection(names=of, classes=of.values()), of, names)


def _labelled(sources: Any) -> dict[str, Any]:
    if isinstance(sources, Mapping):
        return {str(label): source for label, source in sources.items()}
    several = isinstance(sources, (list, tuple)) and any(
        isinstance(s, (str, os.PathLike, Features)) for s in sources
    )
    found: dict[str, Any] = {}
    for source in sources if several else [sources]:
        label = "distances"
        if isinstance(source, (str, os.PathLike)):
            label = FilePath(os.fspath(source)).stem
        elif isinstance(source, Features):
            label = source.spec or "features"
        found[_new_label(label, found)] = source
    return found


def _own_rows(source: Any, models: Collection, order: Optional[Sequence[str]], placed: bool) -> Handle:
    """Rows with the names of their models: their own, else those of the order; None: of the file's."""
    if isinstance(source, Features) and source.names and not placed:
        return source._handle
    count = len(numbers(source, "features"))
    if count != len(models):
        raise UsageError(f"{count} rows, but there are {len(models)} models")
    return rows_of(source, None if order is None else encode_all(order, "a name"))


def _read(source: Any, models: Collection, metric: Any, work: Session) -> Handle:
    """Distances of a file, or of the features there."""
    path = encode(source, "a path")
    if metric is None:
        return Handle(
            lib.psb_matrix_free, lib.psb_distances_read, work.psb, path, models._handle
        )  # fmt: skip
    rows = Handle(lib.psb_rows_free, lib.psb_rows_read, work.psb, path, models._handle)
    return matrix_of(rows, rows, encode(metric, "a metric"), work)


def _found(source: Any, classes: Any, metric: Optional[str]) -> tuple[Any, Optional[str]]:
    """The file and the metric that a text names: a method of the run that has the classes, RUN/NAME or FILE:METRIC."""
    text = os.fspath(source)
    run = os.fspath(classes) if isinstance(classes, (str, os.PathLike)) else ""
    for folder, name in ((run, text), os.path.split(text)):
        path = FilePath(folder, "matrices", _stem(name) + ".matrix")
        if folder and name and path.is_file():
            return path, None
    file, _, named = text.rpartition(":")
    if metric is None and not os.path.exists(text) and os.path.exists(file):
        return file, named
    return source, metric


def _matrix(
    source: Any,
    models: Collection,
    order: Optional[Sequence[str]],
    placed: bool,
    metric: Any,
    work: Session,
) -> Handle:
    """A method's distances, with the names of the models, or in the collection's order."""
    if isinstance(source, (str, os.PathLike)):
        return _read(source, models, metric, work)
    if isinstance(source, Features) or metric is not None:
        rows = _own_rows(source, models, order, placed)
        return matrix_of(rows, rows, metric_of(source, None, metric), work)
    array = floats(numbers(source, "distances"))
    if array.shape != (len(models), len(models)):
        raise UsageError(f"distances of {array.shape}, but there are {len(models)} models")
    return _new_matrix(array, order)


def evaluate(
    classes: Any,
    sources: Any,
    *,
    names: Optional[Iterable[Any]] = None,
    queries: Union[None, Path, Iterable[Any]] = None,
    targets: Any = None,
    metric: Union[None, str, Mapping[str, str]] = None,
    measures: Measures = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Evaluation:
    """Evaluates one or several methods.

    classes: the path of a classification, a table, a list, a folder of class folders or a run,
        a Collection, a mapping from names to classes, or a list with the class of each row; levels are "animal/dog".
    sources: distances (n, n), Features, or a path of distances; with a metric also features (n,
        length) and paths of them, or "rows.npy:l2"; "run/SHD", and "SHD" where the classes are a run; several as a mapping from labels, Features and paths also as a
        list. Features and files with names find their places by these; all else has to be in the
        order of the classes' file; a run that was made from a list in another order than its own has
        two orders, and rows without names are refused. A file needs classes that are a path or a Collection.
    names: of the rows of arrays, which then find their places by them, as rows of a DataFrame do by
        its index where the classes have names, too: a Series or a DataFrame with its own, a mapping,
        a Collection, a path. An index 0, 1, 2 ... names rows only to another index of numbers.
    queries: names of the models that means are taken over, or the path of a list of them.
    targets: the models that are searched, with their classes, as classes are given, where they are
        others than the queries. Sources are then distances (queries, targets), or pairs of features
        with a metric: ``{"mine": (x, y)}``.
    metric: of all features, or a mapping from labels of sources to theirs.
    measures: as in ``psbench eval -m``, "dcg,precision@10", or a list; else the five of the paper's
        Table 4.
    """
    given = _classes(classes)
    rows = None if names is None else Names([str(name) for name in names])
    if rows is not None and (given.names is None or given.names.counted):
        raise UsageError("names= needs classes with names: a mapping, a Series, a Collection, a path")
    several = targets is None or isinstance(sources, Mapping)
    labelled = _labelled(sources) if several else {"distances": sources}
    by = metric if isinstance(metric, Mapping) else dict.fromkeys(labelled, metric)
    for label in by:
        if label not in labelled:
            raise UsageError(f"metric: there is no {label!r}; there are {', '.join(labelled)}")
    methods: dict[str, Any] = {}
    if queries is not None and not isinstance(queries, (str, os.PathLike)):
        wanted = [str(name) for name in queries]
        own = dict(zip(given.of, given.models.names))  # as the library writes them
        unknown = [name for name in wanted if name not in own]
        if unknown:
            raise InputError(f"queries: there is no model {unknown[0]!r} ({len(unknown)} of {len(wanted)})")
        queries = [own[name] for name in wanted]
    searched = None if targets is None else _classes(targets)
    if searched is not None and (searched.names is None or searched.names.counted):
        own = {f"target {i}": label for i, label in enumerate(searched.of.values())}
        searched = searched._replace(of=own)  # number 3 here is not number 3 of the queries
    with Session(threads, progress) as work:
        for label, source in labelled.items():
            try:
                if searched is None:
                    methods[label] = _method(classes, given, source, rows, by.get(label), work)
                else:
                    methods[label] = _between(given, searched, source, rows, by.get(label), work)
            except (InputError, UsageError, TypeError) as error:
                if not isinstance(sources, Mapping):
                    raise
                raise type(error)(f"{label}: {error}") from None
        if searched is None:
            return Evaluation(given.models, given.of, methods, measures, work, queries)
        flat = Collection(names=given.of, classes=[_flat(label) for label in given.of.values()])
        return Evaluation(flat, given.of, methods, measures, work, queries, searched.of)


def _flat(label: str) -> str:
    """A class by its whole name: a table of targets has no levels."""
    return label.replace("___", ", ").replace("/", ", ")


def _between(
    given: Classes, searched: Classes, source: Any, rows: Optional[Names], metric: Any, work: Session
) -> np.ndarray:
    """Distances of the queries to other targets, in the order of both."""
    if isinstance(source, (tuple, list)) and len(source) == 2:
        sides = []
        for data, own, of in ((source[0], rows, given), (source[1], None, searched)):
            if isinstance(data, Features) and data.names and own is None:
                own = Names(data.names)
            own = index_of(data) if own is None else own
            array = data if own is None else joined(data, own, of.names, False)
            sides.append(rows_of(array))
        by = metric_of(source[0], None, metric)
        array = np.array(matrix_view(matrix_of(*sides, by, work)))
    else:
        array = floats(numbers(source, "distances"))
        for axis, own, of in ((0, index_of(source) if rows is None else rows, given),
                              (1, names_of(getattr(source, "columns", ())), searched)):  # fmt: skip
            if own is not None and own.all:
                array = joined(array.T if axis else array, own, of.names, False)
                array = np.ascontiguousarray(array.T) if axis else array
    if array.shape != (len(given.of), len(searched.of)):
        raise UsageError(
            f"distances of {array.shape}, but there are {len(given.of)} queries and {len(searched.of)} targets"
        )
    return array


def _method(
    classes: Any, given: Classes, source: Any, rows: Optional[Names], metric: Any, work: Session
) -> Handle:
    """The distances of one method."""
    path = isinstance(classes, (str, os.PathLike))
    if isinstance(source, (str, os.PathLike)):
        if not path and not isinstance(classes, Collection):
            raise UsageError(
                f"{os.fspath(source)}: files go with a .cla, a table or a Collection, whose "
                "order their rows may be in; load it, and give the array"
            )
        source, metric = _found(source, classes, metric)
    # The library knows the order of a path's rows, and whether there is one.
    order = None if path else given.models.names
    own = index_of(source) if rows is None else rows
    if own is not None and not isinstance(source, (str, os.PathLike, Features)):
        source = joined(source, own, given.names, metric is None)
        order = given.models.names if meet(own, given.names) else order
    placed = given.names is None or given.names.counted
    return _matrix(source, given.models, order, placed, metric, work)


# ---- runs -------------------------------------------------------------------------------


class Run:
    """The folder of a finished ``psbench run`` or ``psbench table4``, for reading.

    Files that are not as the run left them raise InputError when they are asked for.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = FilePath(os.fspath(folder))
        if not (self.folder / "models.cla").is_file():
            raise UsageError(f"{self.folder}: not the folder of a run: no models.cla")
        self.models = Collection(cla=self.folder / "models.cla")  #: those really used
        with open(self.folder / "run.json", encoding="utf-8", errors="surrogateescape") as file:
            self.record: dict[str, Any] = json.load(file)  #: run.json: parameters, costs, failures

    def _found(self, kind: str, ending: str) -> list[str]:
        """Labels of files, those of the run's descriptors first, as run.json lists them."""
        listed = [d["label"] for d in self.record.get("descriptors", [])]
        there = sorted(path.stem for path in (self.folder / kind).glob("*" + ending))
        first = [label for label in listed if _stem(label) in there]
        taken = {_stem(label) for label in first}
        return first + [stem for stem in there if stem not in taken]

    @property
    def descriptors(self) -> list[str]:
        """Labels of what there are features of."""
        return self._found("features", ".npy")

    @property
    def methods(self) -> list[str]:
        """Labels of what there are distances of: the descriptors', and rows added later."""
        return self._found("matrices", ".matrix")

    def features(self, label: str) -> Features:
        """The rows of a descriptor, (models, length), in the models' order; the file is mapped."""
        path = self.folder / "features" / (_stem(label) + ".npy")
        with Session() as work:
            rows = Handle(
                lib.psb_rows_free, lib.psb_rows_read, work.psb, encode(path, "a path"),
                self.models._handle,
            )  # fmt: skip
        listed = [d["label"] for d in self.record.get("descriptors", [])]
        return Features(rows, label if label in listed else None)

    def distances(self, label: str) -> np.ndarray:
        """(models, models), float32, in the models' order; the file is mapped, not copied."""
        return matrix_view(self._matrix(label))

    def _matrix(self, label: str) -> Handle:
        path = self.folder / "matrices" / (_stem(label) + ".matrix")
        with Session() as work:
            return _read(path, self.models, None, work)

    def evaluate(
        self, *labels: str, measures: Measures = None, threads: int = 0
    ) -> Evaluation:
        """Of those methods, or all."""
        with Session(threads) as work:
            matrices = {label: self._matrix(label) for label in labels or self.methods}
            models, of, _ = _classes(self.models)
            return Evaluation(models, of, matrices, measures, work)

    def table(self, format: str = "txt") -> str:
        """The run's own table, as ``psbench run`` wrote it: txt, tsv, json, md or tex."""
        for name in ("table4", "table"):
            path = self.folder / f"{name}.{format}"
            if path.is_file():
                return path.read_text(encoding="utf-8", errors="surrogateescape")
        raise UsageError(f"{self.folder}: has no table of the format {format!r}")

    def report(self, folder: Optional[Path] = None, **options: Any) -> FilePath:
        """As Evaluation.report, in the run's own folder where none is given; since: another run."""
        return _report(folder, run=encode(self.folder, "a folder"), **options)

    def _repr_html_(self) -> str:
        return html_table(self.table("md"))

    def __repr__(self) -> str:
        return f"<psbench.Run {str(self.folder)!r}: {len(self.models)} models>"


def _stem(label: str) -> str:
    return label.replace(":", "-").replace(",", "-")


def load_run(folder: Path) -> Run:
    """The folder of a finished run."""
    return Run(folder)

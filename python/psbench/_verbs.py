"""What the program's commands do, with their names and options, by the library's own verbs."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._evaluation import Run
from ._features import Collection, Features, Spec, floats, metric_of, rows_of, size
from ._features import size as _size
from ._meshes import Path, encodings, numbers, unmasked, word
from ._library import ENUMS, Handle, InputError, Progress, Session, UsageError, call, call_beside, decode
from ._library import encode, encode_all, lib, structs, taken_text
from ._tables import Table, optional, table_of, table_or_none


# ---- one model --------------------------------------------------------------------------


def info(path: Path) -> dict[str, Any]:
    """What the benchmark's _info.txt files say of a model, as ``psbench info --json``, and further numbers."""
    found = structs["psb_annotations"]()
    call_beside(lib.psb_info, encode(path, "a path"), ctypes.byref(found))
    return {
        "polygons": found.polygons,
        "connected_components": found.connected_components,
        "average_dihedral_angle": found.average_dihedral_angle,
        "bounding_box": {"min": list(found.lowest), "max": list(found.highest)},
        "avg_depth": found.average_depth,
        "center": list(found.centre),
        "scale": found.scale,
        "principle_axes": [list(axis) for axis in found.axes.axis],
        "principle_values": list(found.axes.values),
        "vertices": found.vertices,
        "triangles": found.triangles,
        "watertight": found.watertight,
        "area": found.area,
        "volume": found.volume,
    }


def attributes(
    models: Collection,
    *,
    where: Optional[str] = None,
    largest: Optional[str] = None,
    list: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Table:
    """``psbench info --models``: a row for each model of the set, which has files.

    where: "polygons>=1000,watertight=1"; largest: "stick=200". list: a file for the ids of these
    models, as lists of queries are.
    """
    options = structs["psb_attributes_options"](
        where=optional(where, "conditions"), largest=optional(largest, "an attribute"),
        list=optional(list),
    )  # fmt: skip
    with Session(threads, progress) as work:
        return table_of(
            lib.psb_attributes_table, work.psb, models._handle, ctypes.byref(options)
        )  # fmt: skip


def convert(source: Path, target: Path, *, encoding: str = "preset", single: bool = False) -> None:
    """Writes a mesh of any format in that of target's ending: OFF, OBJ, PLY or STL."""
    options = structs["psb_convert_options"](
        word(encodings, encoding, "an encoding"), bool(single)
    )
    call_beside(
        lib.psb_convert, encode(source, "a path"), encode(target, "a path"), ctypes.byref(options)
    )


def render(
    model: Path,
    png: Path,
    *,
    width: int = 640,
    height: int = 480,
    azimuth: float = 35,
    elevation: float = 25,
    aligned: bool = False,
) -> None:
    """Draws a shaded picture of a model; aligned: in its principal axes."""
    view = structs["psb_view"](
        size(width, "width"), size(height, "height"), float(azimuth), float(elevation),
        bool(aligned),
    )  # fmt: skip
    call_beside(lib.psb_render_file, encode(model, "a path"), ctypes.byref(view), encode(png, "a path"))


def compare_shapes(
    a: Path,
    b: Path,
    *,
    points: int = 2048,
    pose: str = "file",
    align: bool = False,
    threshold: float = 0.01,
) -> Table:
    """Distances of a shape from what it should be, as ``psbench compare-shapes``.

    points: on each surface. pose: the frame of the points: file, sphere, box or aligned. align:
    turn, scale and shift a onto b first. threshold: of the F-score, as a share of the longest side
    of b's box.
    """
    options = structs["psb_compare_shapes_options"](
        a=encode(a, "a path"), b=encode(b, "a path"), points=size(points, "points"),
        pose=encode(pose, "a pose"), align=bool(align), threshold=float(threshold),
    )  # fmt: skip
    work = Session(1)
    found = table_of(lib.psb_compare_shapes, work.psb, ctypes.byref(options), beside=True)
    work.tell()
    return found


def align(
    model: Path,
    onto: Path,
    *,
    output: Optional[Path] = None,
    picture: Optional[Path] = None,
    mirror: bool = False,
    turn: Optional[int] = None,
) -> dict[str, Any]:
    """``psbench align --format json``: the matrix that brings a model onto another, and how near.

    output: a file for the model there. picture: a file.png. mirror: reflections will do as well.
    """
    seed = None if turn is None else ctypes.c_uint64(size(turn, "turn"))
    options = structs["psb_align_options"](
        encode(model, "a path"), encode(onto, "a path"), optional(output), optional(picture),
        bool(mirror), None if seed is None else ctypes.addressof(seed),
    )  # fmt: skip
    found = structs["psb_alignment"]()
    call_beside(lib.psb_align_models, ctypes.byref(options), ctypes.byref(found))
    return {
        "matrix": [list(row) for row in found.matrix],
        "scale": found.scale,
        "determinant": -1 if found.mirrored else 1,
        "frame": ("surface", "normals")[found.frame],
        "distance": found.distance,
        "before": found.before,
        "residual": found.residual,
        "steps": found.steps,
    }


# ---- runs -------------------------------------------------------------------------------


#: "SHD,GEDT:width=3,T3", or a list of names and Specs
Methods = Union[None, str, Spec, Iterable[Union[str, Spec]]]


def _run_options(
    folder: Path, descriptors: Methods, set_of: dict[str, Any], options: dict[str, Any]
) -> Any:
    """The library's struct: texts and numbers of the set, then of the run, by their names there."""
    if descriptors is not None and not isinstance(descriptors, str):
        several = [descriptors] if isinstance(descriptors, Spec) else descriptors
        descriptors = ",".join(d.label if isinstance(d, Spec) else d for d in several)
    known = dict(structs["psb_run_options"]._fields_)
    for name in (*set_of, *options):
        if name not in known and name not in dict(known["data"]._fields_):
            raise TypeError(f"a run has no option {name!r}")
    value = {
        name: encode(given, name) if isinstance(given, (str, os.PathLike)) else given
        for name, given in {**set_of, **options}.items()
        if given is not None
    }
    data = {name: value.pop(name) for name in [*value] if name in dict(known["data"]._fields_)}
    return structs["psb_run_options"](
        data=known["data"](**data), folder=encode(folder, "a folder"),
        descriptors=optional(descriptors, "descriptors"), **value,
    )  # fmt: skip


def run(
    folder: Path,
    descriptors: Methods = None,
    *,
    models: Path,
    cla: Optional[Path] = None,
    labels: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Run:
    """``psbench run``: rows, distances, scores and the table, as files in a folder.

    It goes on from what an earlier run finished. descriptors: methods, as "SHD,GEDT:width=3,T3", or
    a list; None: the paper's twelve. options are the fields of psb_run_options and of its data, as
    skip_missing, split, level, reference, max_faces, replace, no_times. Models that fail are in
    ``record["failures"]`` of the result.
    """
    filled = _run_options(folder, descriptors, dict(models=models, cla=cla, labels=labels), options)
    result = structs["psb_run_result"]()
    with Session(threads, progress) as work:
        try:
            call(lib.psb_run, work.psb, ctypes.byref(filled), ctypes.byref(result))
        finally:
            lib.psb_run_free(ctypes.byref(result))
    return Run(folder)


def sweep(
    folder: Path,
    descriptors: str,
    *,
    models: Path,
    cla: Path,
    test: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Table:
    """``psbench sweep``: variants, "GEDT:width={1,2}", on a training list; the best on a test list."""
    filled = _run_options(folder, descriptors, dict(models=models, cla=cla), options)
    result = structs["psb_run_result"]()
    with Session(threads, progress) as work:
        return table_of(
            lib.psb_make_sweep, work.psb, ctypes.byref(filled), optional(test), ctypes.byref(result)
        )


def beyond(
    folder: Path,
    psb: Path,
    *,
    threads: int = 0,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Table:
    """``psbench beyond``: the second table, from the benchmark's folder; leaves three runs in folder."""
    filled = _run_options(folder, None, {}, options)
    result = structs["psb_run_result"]()
    with Session(threads, progress) as work:
        return table_of(
            lib.psb_make_beyond, work.psb, ctypes.byref(filled), encode(psb, "a folder"),
            ctypes.byref(result),
        )  # fmt: skip


def _paper_table(
    number: int, run: Path, methods: Any, psb: Path, how: Optional[str], threads: int
) -> Table:
    options = structs["psb_paper_options"](
        number=number, run=encode(run, "a run"), benchmark=encode(psb, "a folder"),
        miscellaneous=optional(how, "a way"),
    )  # fmt: skip
    with Session(threads) as work:
        opened = _open(work, run, methods)
        return table_of(lib.psb_make_paper_table, work.psb, opened, ctypes.byref(options))


def table5(run: Path, *methods: str, psb: Path, threads: int = 0) -> Table:
    """``psbench table5``: Table 5 of the paper, from a run and the benchmark's folder; leaves RUN/table5.*."""
    return _paper_table(5, run, methods, psb, None, threads)


def table6(
    run: Path, *methods: str, psb: Path, miscellaneous: Optional[str] = None, threads: int = 0
) -> Table:
    """``psbench table6``: Table 6 of the paper; miscellaneous: listed, left-out, class or swapped."""
    return _paper_table(6, run, methods, psb, miscellaneous, threads)


def status(folder: Path, parts: bool = False) -> Table:
    """How far a run is: a row for each descriptor, with parts for each part as well."""
    with Session() as work:
        return table_of(lib.psb_run_state, work.psb, encode(folder, "a folder"), bool(parts))


def verify(folder: Path) -> Table:
    """The state of each file of a run, all of whose bytes are read; ``whole`` where all is ok."""
    with Session() as work:
        return table_of(lib.psb_verify, work.psb, encode(folder, "a folder"))


# ---- further methods of a run -------------------------------------------------------------


def combine(
    run: Path,
    *recipes: str,
    sum: Optional[str] = None,
    scale: Optional[str] = None,
    tune: Optional[Path] = None,
    name: Optional[str] = None,
    reference: Optional[Path] = None,
    features: bool = False,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Optional[Table]:
    """``psbench combine``: sums as methods of a run, whose table is returned; None of features.

    recipes: "t3", or NAME+co with a reference. sum: "A=1,B=2" instead, with scale="mean" and
    tune=RUN if wanted.
    """
    texts = encode_all(recipes, "a recipe")
    options = structs["psb_combine_options"](
        run=encode(run, "a folder"), recipes=texts, nrecipes=len(recipes),
        sum=optional(sum, "a sum"), tune=optional(tune), name=optional(name, "a name"),
        scale=word({"none": "PSB_SUM_PLAIN", "mean": "PSB_SUM_MEANS"}, scale or "none", "a scale"),
        reference=optional(reference), features=bool(features),
    )  # fmt: skip
    with Session(threads, progress) as work:
        return table_or_none(lib.psb_combine, work.psb, ctypes.byref(options))


_ways = {"kr": "PSB_KR", "mr": "PSB_MR", "both": "PSB_KR_MR"}


def rerank(
    run: Path,
    *methods: Path,
    method: str = "kr",
    k1: int = 10,
    k2: int = 3,
    weight: float = 0.5,
    lists: Optional[Path] = None,
    output: Optional[Path] = None,
    mean: float = 0,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Optional[Table]:
    """``psbench rerank``: re-ranked methods of a run, whose table is returned.

    weight: of the distance, the program's --lambda. With lists and output, files of lists, the
    first argument is a classification, and the result None.
    """
    texts = encode_all(methods, "a method")
    options = structs["psb_rerank_options"](
        run=encode(run, "a path"), methods=texts, nmethods=len(methods),
        classes=encode(run, "a path"), lists=optional(lists), output=optional(output),
        mean=float(mean), method=word(_ways, method, "a method"), k1=size(k1, "k1"),
        k2=size(k2, "k2"),
    )  # fmt: skip
    setattr(options, "lambda", float(weight))
    with Session(threads, progress) as work:
        return table_or_none(lib.psb_rerank, work.psb, ctypes.byref(options))


_blocks = {"few": "PSB_BLOCKS_FEW", "all": "PSB_BLOCKS_ALL", "views": "PSB_BLOCKS_VIEWS"}


def signature(
    run: Path,
    *,
    train: Optional[Path] = None,
    output: Optional[Path] = None,
    blocks: str = "few",
    size: int = 100,
    labels: bool = False,
    by: Optional[Path] = None,
    row: bool = False,
    as_reference: bool = False,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Optional[Table]:
    """``psbench signature``: directions of a training list, or signatures of a run by them.

    train and output find the directions and write them; by makes RUN/features/SIGNATURE.npy, and
    with row a method of the run, whose table is returned.
    """
    options = structs["psb_signature_options"](
        run=encode(run, "a folder"), train=optional(train), output=optional(output),
        blocks=word(_blocks, blocks, "blocks"), size=_size(size, "size"), labels=bool(labels),
        by=optional(by), row=bool(row), as_reference=bool(as_reference),
    )  # fmt: skip
    with Session(threads, progress) as work:
        return table_or_none(lib.psb_make_signatures, work.psb, ctypes.byref(options))


# ---- methods ----------------------------------------------------------------------------


def _open(
    work: Session, classes: Path, methods: Any, sources: str = "PSB_MATRICES", **options: Any
) -> Handle:
    """Methods as the program takes them; without other sources all of them are matrices."""
    files = encode_all(methods, "a method")
    texts = {name: optional(text, name) for name, text in options.items()}
    filled = structs["psb_methods_options"](
        queries=encode(classes, "classes"), files=files, nfiles=len(methods),
        sources=ENUMS[sources], **texts,
    )  # fmt: skip
    return Handle(
        lib.psb_methods_free, lib.psb_methods_open, work.psb, ctypes.byref(filled),
        keep=(work, files),
    )  # fmt: skip


_averages = {
    "micro": "PSB_MICRO", "macro": "PSB_MACRO", "class": "PSB_PER_CLASS", "model": "PSB_PER_MODEL",
}  # fmt: skip
_forms = {"trec": "PSB_EXPORT_TREC", "shrec": "PSB_EXPORT_SHREC"}


def export(
    classes: Path,
    *methods: Path,
    folder: Path,
    format: str = "trec",
    metric: Optional[str] = None,
    threads: int = 0,
) -> None:
    """``psbench export``: ranked lists for trec_eval or in the manner of SHREC tracks.

    classes and methods as the program takes them: a .cla and matrices, or a run and names.
    """
    form = word(_forms, format, "a format")
    with Session(threads) as work:
        opened = _open(work, classes, methods, metric=metric)
        call(lib.psb_export, opened, form, encode(folder, "a folder"))


def check_lists(classes: Path, *lists: Path, form: Optional[str] = None) -> list[str]:
    """``psbench eval --check``: a line for everything that is wrong with ranked lists, and one for each file.

    form: search, trec, shrec, shapenet or rows, where the contents do not show it.
    """
    lines: list[str] = []
    function = lib.psb_check_lists.argtypes[1]
    with Session() as work:
        opened = _open(work, classes, lists, "PSB_ALL_SOURCES", lists=form)
        line = function(lambda _, text: lines.append(decode(text)))
        call(lib.psb_check_lists, opened, line, None, ctypes.byref(ctypes.c_size_t()))
    return lines


def losses(
    classes: Path,
    exact: Path,
    *lists: Path,
    measures: str = "all",
    per: str = "micro",
    errors: bool = False,
    threads: int = 0,
) -> list[dict[str, Any]]:
    """``psbench eval --exact``: how much approximate lists of neighbors lose against exact ones.

    A dict for each row; what is not known is None.
    """
    wanted = structs["psb_evaluate_options"](measures=encode(measures, "measures"), unknown=True)
    with Session(threads) as work:
        opened = _open(work, classes, lists, "PSB_ALL_SOURCES", exact=exact)
        found = Handle(
            lib.psb_evaluation_free, lib.psb_evaluate, work.psb, opened, ctypes.byref(wanted),
            keep=opened,
        )  # fmt: skip
        by = word(_averages, per, "an average")
        text = taken_text(lib.psb_loss_table, found, by, bool(errors), b"json")
    return json.loads(text)["rows"]


_kinds = ("pr", "cg", "ncg", "dcg", "ndcg", "distance", "tier", "classes", "map", "tree")


def plot(
    classes: Path,
    *methods: Path,
    stem: Path,
    kind: str = "pr",
    per: str = "micro",
    formats: Optional[str] = None,
    title: Optional[str] = None,
    shown: Optional[str] = None,
    measure: Optional[str] = None,
    width: float = 0,
    text: float = 0,
    font: Optional[str] = None,
    gray: bool = False,
    count_query: bool = False,
    length: int = 0,
    cell: int = 0,
    metric: Optional[str] = None,
    threads: int = 0,
) -> None:
    """``psbench plot``: curves, images and maps as files STEM.svg and so on.

    classes and methods are as in export; shown: "A..B", the classes of an image.
    """
    if kind not in _kinds:
        raise UsageError(f"a plot is {', '.join(_kinds)}, not {kind!r}")
    style = structs["psb_picture_style"](
        float(width), float(text), optional(font, "a font"), bool(gray)
    )
    options = structs["psb_plot_options"](
        kind=_kinds.index(kind), grouping=word(_averages, per, "an average"),
        stem=encode(stem, "a stem"), formats=optional(formats, "formats"),
        title=optional(title, "a title"), classes=optional(shown, "classes"),
        measure=optional(measure, "a measure"), count_query=bool(count_query),
        length=size(length, "length"), cell=size(cell, "cell"), style=style,
    )  # fmt: skip
    with Session(threads) as work:
        call(lib.psb_plot, _open(work, classes, methods, metric=metric), ctypes.byref(options))


# ---- search -----------------------------------------------------------------------------


def _opened(data: Any, work: Session) -> Handle:
    """Rows of a file, which is mapped, or of memory."""
    if isinstance(data, (str, os.PathLike)):
        return Handle(lib.psb_rows_free, lib.psb_rows_read, work.psb, encode(data, "a path"), None)
    return rows_of(data)


class Neighbors(NamedTuple):
    """The nearest rows of each query, nearest first, (queries, neighbors)."""

    rows: np.ndarray  #: their numbers in the database, -1 where a list ends early
    distances: np.ndarray  #: float32, NaN there


def _unnamed(data: Any) -> np.ndarray:
    if isinstance(data, (str, os.PathLike)):
        with Session() as work:
            data = Features(_opened(data, work), None)
    return numbers(data.array if isinstance(data, Features) else data, "features")


def _neighbors(queries: Any, database: Any, metric: Optional[str], options: dict[str, Any]) -> Neighbors:
    """Lists of rows without names have the numbers of the rows."""
    rows = _unnamed(queries)
    others = rows if database is queries else _unnamed(database)
    if metric is None and not isinstance(queries, (str, os.PathLike)):
        by = metric_of(queries, None, None)
        metric = None if by is None else decode(by)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lists")
        search(rows, others, path, metric=metric, **options)
        with open(path, encoding="utf-8") as file:
            lines = [line.split("\t") for line in file if line[0].isdigit()]
    most = max((int(rank) for _, rank, _, _ in lines), default=0)
    near = np.full((len(rows), most), -1, np.int64)
    far = np.full((len(rows), most), np.nan, np.float32)
    for query, rank, row, distance in lines:
        near[int(query), int(rank) - 1] = int(row)
        far[int(query), int(rank) - 1] = float(distance)
    return Neighbors(near, far)


def search(
    queries: Any,
    database: Any = None,
    path: Optional[Path] = None,
    *,
    neighbors: int = 100,
    metric: Optional[str] = None,
    own: bool = False,
    reference: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Optional[Neighbors]:
    """``psbench search``: the nearest rows of the database for each query.

    queries, database: Features, arrays, or paths of features; without a database, the queries'.
    path: a file for the lists; without it they are returned as arrays:
    ``rows, distances = search(x, y, neighbors=5)``.
    own: row i of both is one model, and left out of its own list. reference: as in the program,
    divides the distances.
    """
    database = queries if database is None else database
    if path is None:
        options = dict(
            neighbors=neighbors, own=own, reference=reference, threads=threads, progress=progress
        )
        return _neighbors(queries, database, metric, options)
    with Session(threads, progress) as work:
        rows = _opened(queries, work)
        by = metric_of(queries, None, metric)
        options = structs["psb_search_options"](
            neighbors=size(neighbors, "neighbors"), metric=by, self=bool(own),
            reference=optional(reference),
        )  # fmt: skip
        of = rows if database is queries else _opened(database, work)
        call(lib.psb_search, work.psb, rows, of, ctypes.byref(options), encode(path, "a path"))
    return None


def query(
    run: Path,
    model: Path,
    *,
    descriptor: Optional[str] = None,
    neighbors: int = 24,
    page: Optional[Path] = None,
    threads: int = 0,
) -> list[dict[str, Any]]:
    """``psbench query``: the models of a run that are nearest to a mesh file; page: a file for pictures."""
    options = structs["psb_query_options"](
        run=encode(run, "a run"), model=encode(model, "a path"),
        descriptor=optional(descriptor, "a descriptor"), neighbors=size(neighbors, "neighbors"),
        page=optional(page),
    )  # fmt: skip
    with Session(threads) as work:
        lines = taken_text(lib.psb_query, work.psb, ctypes.byref(options)).splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:]]
    return [{**row, "rank": int(row["rank"]), "distance": float(row["distance"])} for row in rows]


def measures() -> str:
    """What measures there are, with their definitions."""
    return taken_text(lib.psb_measures_text)


def versions() -> Table:
    """Names and versions of the library, its compiler, and the libraries below it."""
    return table_of(lib.psb_versions)


# ---- sets of models ---------------------------------------------------------------------

_rows = {"set": "PSB_ROWS_SETS", "top": "PSB_ROWS_TOPS", "class": "PSB_ROWS_CLASSES"}


def cla(
    *inputs: Path,
    per: str = "set",
    output: Optional[Path] = None,
    **options: Any,
) -> Table:
    """``psbench cla``: what sets are made of, side by side; with output also all of them as a file.

    options: models, split, level, id_column, class_column.
    """
    kind = dict(structs["psb_classes_options"]._fields_)["data"]
    for name in options:
        if name not in ("models", "split", "level", "id_column", "class_column"):
            raise TypeError(f"cla has no option {name!r}")
    data = kind(**{
        name: size(given, name) if name == "level" else encode(given, name)
        for name, given in options.items() if given is not None
    })  # fmt: skip
    texts = encode_all(inputs, "a path")
    filled = structs["psb_classes_options"](
        inputs=texts, ninputs=len(inputs), data=data, output=optional(output),
        rows=word(_rows, per, "a row"),
    )  # fmt: skip
    with Session() as work:
        return table_of(lib.psb_classes, work.psb, ctypes.byref(filled))



def duplicates(
    of: Path,
    *,
    descriptor: Optional[str] = None,
    metric: Optional[str] = None,
    quantile: float = 0.03,
    models: Optional[Path] = None,
    rows_only: bool = False,
    add: Optional[Path] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Table:
    """Models of a run, or of a file of features, that are the same or nearly, as ``psbench duplicates``.

    quantile: rows are near up to the distance that this share of them have to their nearest; 0:
        rows are not compared.
    models: their folder; else the one that the run used. rows_only: files are not compared.
    add: a folder of more models, which alone are described; what they are like is listed.
    """
    options = structs["psb_duplicates_options"](
        of=encode(of, "a path"), descriptor=optional(descriptor, "a descriptor"),
        metric=optional(metric, "a metric"), quantile=quantile,
        models=optional(models, "a path"), rows_only=bool(rows_only), add=optional(add, "a path"),
    )  # fmt: skip
    with Session(threads, progress) as work:
        return table_of(lib.psb_duplicates, work.psb, ctypes.byref(options))


def _cloud(data: Any, what: str) -> np.ndarray:
    points = numbers(data, what)
    if points.shape[1] != 3:
        raise InputError(f"{what}: an array {points.shape}, want (points, 3)")
    return points


def _set_of(data: Any, folder: str, what: str) -> Path:
    """A path; or that of what is in memory, in a form that the program reads: rows or clouds of one size as an
    array, others as a file each."""
    if isinstance(data, (str, os.PathLike)):
        return data
    path = os.path.join(folder, what)
    if not isinstance(data, (Mapping, list, tuple)):
        array = unmasked(data.array if isinstance(data, Features) else data, what)
        if array.ndim not in (2, 3) or array.dtype.kind not in "fiub":
            raise InputError(f"{what}: an array {array.shape} of {array.dtype}, want (n, points, 3) or rows")
        np.save(path + ".npy", floats(array) if array.dtype != np.uint8 else array)
        return path + ".npy"
    os.mkdir(path)
    named = data if isinstance(data, Mapping) else {f"{i:09}": cloud for i, cloud in enumerate(data)}
    for name, cloud in named.items():
        file = f"{name}.npy"
        if os.path.basename(file) != file or file.startswith(".") or "\0" in file:
            raise UsageError(f"{what}: {name!r} is no name of a file")
        said = name if isinstance(data, Mapping) else int(name)
        np.save(os.path.join(path, file), _cloud(cloud, f"{what}: {said}"))
    return path


def generative(
    generated: Any,
    reference: Any,
    descriptors: Union[str, Sequence[str], None] = None,
    *,
    metric: Optional[str] = None,
    folder: Optional[Path] = None,
    report: Optional[Path] = None,
    rounds: int = 10000,
    seed: int = 1,
    distributions: bool = False,
    floor: bool = False,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Table:
    """Matching distance, coverage and 1-NNA of generated shapes, as ``psbench generative``.

    Each is a folder of models, described by LFD or those descriptors; or, with metrics as "cd,emd",
    point clouds: an array (n, points, 3), a list of arrays (points, 3), or a mapping from names to
    such; or rows of features with a metric; or paths of such arrays. folder: for the tables and finished rows. report: one for the page of their shapes.
    rounds: of the bootstrap; 0: no intervals. distributions: the Frechet and the kernel distance as
    well. floor: a second row, of the references beside themselves.
    """
    if descriptors is not None and not isinstance(descriptors, str):
        descriptors = ",".join(descriptors)
    options = structs["psb_generative_options"](
        descriptors=optional(descriptors, "descriptors"), metric=optional(metric, "a metric"),
        folder=optional(folder, "a path"), report=optional(report, "a path"),
        rounds=size(rounds, "rounds"), seed=size(seed, "seed"),
        distributions=bool(distributions), floor=bool(floor),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as place, Session(threads, progress) as work:
        sets = _set_of(generated, place, "generated"), _set_of(reference, place, "reference")
        options.sets[:] = [encode(data, "a path") for data in sets]
        return table_of(lib.psb_generative, work.psb, ctypes.byref(options))

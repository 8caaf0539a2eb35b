"""Meshes, descriptors, collections of models, features and their distances."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional, Sequence, Union, overload

import numpy as np

from ._library import ENUMS, Error, FileError, Handle, InputError, Progress, Session, UsageError
from ._library import Watch
from ._library import call, check_threads, decode, encode, encode_all, lib, structs, units
from ._meshes import Path, as_mesh, numbers, struct_of
from ._own import Own, Parameters, add_all, added, own_of

# ---- arrays -----------------------------------------------------------------------------


class _Memory:
    """Memory of the library as NumPy sees it: it stays as long as an array looks at it."""

    def __init__(self, address: int, shape: tuple[int, int], dtype: str, owner: Handle) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "version": 3, "shape": shape, "typestr": dtype, "data": (address, True)
        }  # fmt: skip


def view(address: Optional[int], shape: tuple[int, int], dtype: str, owner: Handle) -> np.ndarray:
    if address is None or 0 in shape:
        return np.empty(shape, dtype)
    return np.asarray(_Memory(address, shape, dtype, owner))


def floats(array: np.ndarray) -> np.ndarray:
    """In C order as float32; what is too large becomes infinite, which the library refuses."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, np.float32)


def size(number: Any, what: str) -> int:
    """A number that fits a size_t."""
    found = operator.index(number)
    if not 0 <= found < 1 << 63:
        raise UsageError(f"{what} {found} is out of range")
    return found


def counted(array: Any) -> tuple[Any, int]:
    return array, len(array)


# ---- descriptors ------------------------------------------------------------------------


class Descriptor(NamedTuple):
    """An entry of the library's table."""

    name: str
    title: str
    bibtex: str  #: what to cite


class _Told(threading.local, Watch):
    """What is noted of a thread's own call."""

    stop: Optional[threading.Event] = None  #: set by another thread

    def step(self, *_: Any) -> int:
        return self.asks_to_stop() or self.stop is not None and self.stop.is_set()


class _Context:
    """What single meshes are described with: one for all threads, a shape for each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._psb: Optional[Handle] = None
        self._own = threading.local()
        self.told = _Told()
        kinds = dict(structs["psb_observer"]._fields_)
        self._step = kinds["progress"](self.told.step)
        observer = structs["psb_observer"](progress=self._step)
        self._options = structs["psb_context_options"](1, observer)

    @property
    def psb(self) -> Handle:
        with self._lock:
            if self._psb is None:
                given = ctypes.byref(self._options)
                self._psb = Handle(lib.psb_context_free, lib.psb_context_new, given, keep=[self])
                self._psb._keep.append(add_all(self._psb, self.told))
            return self._psb

    def renew(self) -> None:
        """Behind a change of one's own descriptors; what was made in the old context keeps it."""
        with self._lock:
            self._psb = None

    @contextmanager
    def shape(self) -> Iterator[Handle]:
        """One that the thread has at hand; a descriptor of Python's may describe, too."""
        idle = self._own.__dict__.setdefault("idle", [])
        psb = self.psb
        shape = idle.pop() if idle else Handle(lib.psb_shape_free, lib.psb_shape_open, psb, keep=psb)
        try:
            yield shape
        finally:
            idle.append(shape)

    def call(self, function: Any, *arguments: Any) -> None:
        self.told.exception = None
        try:
            with self.told:
                call(function, *arguments)
        except Error:
            if self.told.exception is not None:
                raise self.told.exception from None
            raise


_context = _Context()
units.append(add_all)


class Spec:
    """A descriptor with its parameters: ``Spec("GEDT:width=3")``.

    Raises UsageError for an unknown name or a value outside of its range.
    """

    def __init__(self, text: str) -> None:
        psb = _context.psb
        self._handle = Handle(
            lib.psb_spec_free, lib.psb_spec_open, psb, encode(text, "a spec"), keep=psb
        )

    @property
    def label(self) -> str:
        """The name, then every parameter that differs from its default."""
        return decode(lib.psb_spec_label(self._handle))

    @property
    def length(self) -> int:
        """Numbers in one row."""
        return lib.psb_spec_length(self._handle)

    @property
    def dtype(self) -> np.dtype:
        """Of a row: float32 or, for LFD, uint8."""
        kind = lib.psb_spec_element(self._handle)
        return np.dtype(np.uint8 if kind == ENUMS["PSB_UINT8"] else np.float32)

    @property
    def metric(self) -> str:
        """By which its rows are compared."""
        return decode(lib.psb_spec_metric_name(self._handle))

    def __reduce__(self) -> Any:
        return _spec_again, (self.label, added.get(self.label.split(":")[0].lower()))

    def __repr__(self) -> str:
        return f"Spec({self.label!r})"


def _spec_again(label: str, own: Optional[Own]) -> Spec:
    if own is not None and own.name.lower() not in added:
        _add(own)
    return Spec(label)


def _add(own: Own) -> None:
    before = dict(added)
    added[own.name.lower()] = own
    try:
        _context.renew()
        _context.psb
    except BaseException:
        added.clear()
        added.update(before)
        _context.renew()
        raise


def add_descriptor(
    compute: Callable[..., Any],
    length: Union[int, Callable[..., int]],
    *,
    parameters: Optional[Parameters] = None,
    name: Optional[str] = None,
    metric: str = "l2",
    revision: int = 1,
    title: Optional[str] = None,
) -> Spec:
    """A descriptor of one's own: from here on its name goes wherever a spec does, also in a run.

    compute(vertices, faces, **parameters): returns the row of a mesh, numbers of that length. Threads
        call it in turns. InputError leaves the model out; what else it raises ends the work and is
        raised there.
    length: numbers in a row, or a function of the parameters. parameters: {"bins": (24, 2, 64)}, the
        default, the lowest and the highest value, real numbers.
    name: letters and digits; else the function's. The last one of a name counts.
    metric: how rows are compared. revision: another one makes runs compute their rows again.
    """
    own = own_of(compute, length, parameters, name, metric, revision, title)
    _add(own)
    return Spec(own.name)


def _spec(spec: Union[str, Spec]) -> Spec:
    return spec if isinstance(spec, Spec) else Spec(spec)


def descriptors() -> list[Descriptor]:
    """The descriptors that there are: the paper's twelve, best first, then others."""
    table = [lib.psb_descriptor_at(i) for i in range(lib.psb_descriptor_count())]
    return [
        Descriptor(
            decode(lib.psb_descriptor_name(d)),
            decode(lib.psb_descriptor_title(d)),
            decode(lib.psb_descriptor_bibtex(d)),
        )
        for d in table
    ]


# ---- single meshes ----------------------------------------------------------------------


@overload
def describe(vertices: Any, spec: Union[str, Spec], /, *, id: str = "") -> np.ndarray: ...


@overload
def describe(
    vertices: Any, faces: Any = None, spec: Union[str, Spec] = "SHD", *, id: str = ""
) -> np.ndarray: ...


def describe(vertices, faces=None, spec="SHD", *, id=""):
    """The descriptor of a mesh: ``describe(vertices, faces, "SHD")`` or ``describe(mesh, "SHD")``.

    vertices: (n, 3) numbers, in any unit: descriptors do not depend on it, nor on where the mesh
        lies. faces: (m, k) whole numbers from 0, k corners of each; polygons become triangle fans.
    mesh: a path, (vertices, faces), or what has both: trimesh.Trimesh, Open3D's and PyVista's meshes.
    id seeds what is random (D2): the same id and mesh give the same row. Runs and files take the
        model's name, as "812" for m812.off.

    A row: (spec.length,), float32 or, for LFD, uint8. Raises InputError for a mesh that cannot be
    described: a coordinate that is not finite, a face without its vertices, no area.
    """
    if isinstance(faces, (str, Spec)):
        faces, spec = None, faces
    mesh = as_mesh(vertices if faces is None else (vertices, faces))
    wanted = _spec(spec)
    name, looked_at = encode(id, "an id"), struct_of(mesh)  # until the shape is idle again
    row = np.empty(wanted.length, wanted.dtype)
    with _context.shape() as shape:
        _context.call(lib.psb_shape_load, shape, ctypes.byref(looked_at), name)
        _context.call(lib.psb_describe, shape, wanted._handle, row.ctypes.data, row.nbytes)
    return row


def describe_meshes(
    meshes: Iterable[Any], spec: Union[str, Spec] = "SHD", *, threads: int = 0
) -> np.ndarray:
    """The rows of meshes as describe takes them, (n, spec.length), in their order.

    threads: 0 is one for each processor. What is wrong with a mesh is raised, with its number.
    """
    wanted = _spec(spec)
    check_threads(threads)

    stop = threading.Event()

    def row(item: tuple[int, Any]) -> np.ndarray:
        _context.told.stop = stop
        try:
            return describe(item[1], wanted)
        except (InputError, FileError) as error:
            raise type(error)(f"mesh {item[0]}: {error}") from None

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        try:
            found = list(pool.map(row, enumerate(meshes)))
        except BaseException:
            stop.set()
            raise
    return np.stack(found) if found else np.empty((0, wanted.length), wanted.dtype)


# ---- collections ------------------------------------------------------------------------


class Collection:
    """Models in an order, with their classes, and their files where these are asked for.

    One of classes_of (whatever says classes: a .cla, a table, a list of files, a folder of class
    folders, a run), cla (a classification, .cla), labels (a table, .csv or .tsv), names with
    classes, files (of no class), or models alone, the folder that the models lie below, whose
    folders are classes. The order is that of the file. With cla or labels models is the folder of their files. split, level, id_column, class_column, unlabelled
    and skip_missing are as in ``psbench run``.
    """

    def __init__(
        self,
        classes_of: Optional[Path] = None,
        *,
        cla: Optional[Path] = None,
        labels: Optional[Path] = None,
        names: Optional[Iterable[Any]] = None,
        classes: Optional[Iterable[Any]] = None,
        files: Optional[Iterable[Path]] = None,
        models: Optional[Path] = None,
        split: Optional[str] = None,
        level: int = 0,
        id_column: Optional[str] = None,
        class_column: Optional[str] = None,
        unlabelled: bool = False,
        skip_missing: bool = False,
    ) -> None:
        options = structs["psb_collection_options"]()
        names, classes, files = (  # an iterator can be read once
            list(of) if isinstance(of, Iterable) and not isinstance(of, (str, bytes)) else of
            for of in (names, classes, files)
        )
        #: what makes it again
        self._given: dict[str, Any] = dict(
            classes_of=classes_of, cla=cla, labels=labels, names=names, classes=classes, files=files,
            models=models, split=split, level=level, id_column=id_column, class_column=class_column,
            unlabelled=unlabelled, skip_missing=skip_missing,
        )  # fmt: skip
        given = {
            "classes_of": classes_of, "cla": cla, "labels": labels, "models": models,
            "split": split, "id_column": id_column, "class_column": class_column,
        }  # fmt: skip
        for name, value in given.items():
            setattr(options, name, None if value is None else encode(value, name))
        options.level, options.unlabelled = size(level, "level"), bool(unlabelled)
        options.skip_missing = bool(skip_missing)
        if files is not None:
            options.files, options.nfiles = counted(encode_all(files, "a path"))
        if names is not None or classes is not None:
            options.names, options.nnames = counted(encode_all(names or (), "a name"))
            options.classes, nclasses = counted(encode_all(classes or (), "a class"))
            if nclasses != options.nnames:
                raise UsageError(f"{options.nnames} names, but {nclasses} classes")
        with Session() as work:
            self._handle = Handle(
                lib.psb_collection_free, lib.psb_collection_open, work.psb, ctypes.byref(options)
            )
        #: the library's numbers of the models, which go class by class, in the order of the file
        self.numbers = sorted(
            range(len(self)), key=lambda i: lib.psb_collection_row(self._handle, i)
        )

    def __len__(self) -> int:
        return lib.psb_collection_count(self._handle)

    @property
    def names(self) -> list[str]:
        """The models, in the order of the collection."""
        return [decode(lib.psb_collection_id(self._handle, i)) for i in self.numbers]

    @property
    def files(self) -> list[Optional[str]]:
        """Their files; None where these were not asked for."""
        paths = [lib.psb_collection_file(self._handle, i) for i in self.numbers]
        return [None if path is None else decode(path) for path in paths]

    @property
    def class_names(self) -> list[str]:
        """All levels, "aircraft___airplane"; "-1" is the class of the models without one."""
        count = lib.psb_collection_classes(self._handle)
        return [decode(lib.psb_collection_class_name(self._handle, c)) for c in range(count)]

    @property
    def classes(self) -> list[str]:
        """The class of each model."""
        names = self.class_names
        return [names[lib.psb_collection_class_of(self._handle, i)] for i in self.numbers]

    def __reduce__(self) -> Any:
        return _collection_again, (self._given, self.names, self.classes)

    def __repr__(self) -> str:
        return f"<psbench.Collection: {len(self)} models in {len(self.class_names)} classes>"


def _collection_again(given: dict[str, Any], names: list[str], classes: list[str]) -> Collection:
    """From the same files, which must say the same."""
    found = Collection(**given)
    if found.names != names or found.classes != classes:
        raise InputError("the files of a collection that was pickled list other models or classes now")
    return found


# ---- features ---------------------------------------------------------------------------


class Features:
    """Rows of one descriptor, a row for each model, with the models' names.

    NumPy takes it for its array. Of files that could not be described ``failures`` says why.
    """

    def __init__(self, handle: Handle, spec: Optional[str], failures: Sequence[str] = ()) -> None:
        self._handle = handle
        self._names: Optional[list[str]] = None  # where they are not the handle's
        self.spec = spec  #: label of the descriptor, None where it is not known
        self.failures = list(failures)
        count, length = lib.psb_rows_count(handle), lib.psb_rows_length(handle)
        kind = "|u1" if lib.psb_rows_element(handle) == ENUMS["PSB_UINT8"] else "<f4"
        #: (models, numbers), float32 or uint8, not a copy, and not to be written to
        self.array = view(lib.psb_rows_at(handle, 0), (count, length), kind, handle)

    def __reduce__(self) -> Any:
        return _features_again, (np.array(self.array), self.names, self.spec, self.failures)

    @property
    def names(self) -> list[str]:
        """The model of each row; empty where a file does not say."""
        if self._names is not None:
            return list(self._names)
        names = [lib.psb_rows_name(self._handle, i) for i in range(len(self))]
        return [decode(name) for name in names if name is not None]

    def write(self, path: Path) -> None:
        """Writes an .npy file, and the names beside it, PATH.ids."""
        call(lib.psb_rows_write, self._handle, encode(path, "a path"))

    def __len__(self) -> int:
        return len(self.array)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return np.array(self.array, dtype, copy=bool(copy) or dtype not in (None, self.array.dtype))

    def __repr__(self) -> str:
        return f"<psbench.Features of {self.spec}: {self.array.shape} {self.array.dtype}>"


def _features_again(
    array: np.ndarray, names: list[str], spec: Optional[str], failures: list[str]
) -> Features:
    once = 0 < len(names) == len(set(names))  # a file that was described twice has two rows
    found = Features(rows_of(array, encode_all(names, "a name") if once else None), spec, failures)
    found._names = names
    return found


@overload
def describe_files(
    paths: Union[Iterable[Path], Collection], specs: Union[str, Spec], *, threads: int = 0,
    progress: Optional[Progress] = None,
) -> Features: ...  # fmt: skip


@overload
def describe_files(
    paths: Union[Iterable[Path], Collection], specs: Iterable[Union[str, Spec]], *,
    threads: int = 0, progress: Optional[Progress] = None,
) -> dict[str, Features]: ...  # fmt: skip


def describe_files(paths, specs, *, threads=0, progress=None):
    """Describes mesh files, or all models of a collection.

    One spec gives its Features, several a dict of Features by their labels. threads: 0 is one for
    each processor; the numbers are the same for any. Files that cannot be described have no row,
    and are listed in ``failures`` with the reason.

    progress(stage, done, total, failures) is called after each model, in any thread, one call at a
    time; what it raises ends the work and is raised here, a true result ends it with Stopped.
    Ctrl-C ends it with KeyboardInterrupt.
    """
    models = paths if isinstance(paths, Collection) else Collection(files=paths)
    single = isinstance(specs, (str, Spec))
    wanted = [_spec(spec) for spec in ([specs] if single else specs)]
    found: dict[str, Features] = {}
    with Session(threads, progress) as work:
        for spec in wanted:
            own = Handle(  # of this context: what a descriptor of Python's raises is told here
                lib.psb_spec_free, lib.psb_spec_open, work.psb, encode(spec.label, "a spec"),
            )  # fmt: skip
            handle = Handle(
                lib.psb_rows_free, lib.psb_describe_all, work.psb, models._handle, own, keep=work
            )
            found[spec.label] = Features(handle, spec.label, work.failures)
    return found[wanted[0].label] if single else found


# ---- distances --------------------------------------------------------------------------


def rows_of(data: Any, names: Any = None) -> Handle:
    """Features, or an array, as rows of the library, which keep the array."""
    if isinstance(data, Handle):
        return data
    if isinstance(data, Features) and names is None:
        return data._handle
    array = numbers(data.array if isinstance(data, Features) else data, "features")
    bytes_ = array.dtype == np.uint8
    array = np.ascontiguousarray(array) if bytes_ else floats(array)
    kind = ENUMS["PSB_UINT8" if bytes_ else "PSB_FLOAT32"]
    return Handle(
        lib.psb_rows_free, lib.psb_rows_wrap, array.ctypes.data, *array.shape, kind, names,
        keep=array,
    )  # fmt: skip


def metric_of(data: Any, spec: Any, metric: Any) -> Optional[bytes]:
    """The metric's name; None is that of the rows."""
    if metric is not None:
        return encode(metric, "a metric")
    label = spec if spec is not None else getattr(data, "spec", None)
    if label is None:
        return None
    wanted, array = _spec(label), np.asarray(data)
    if array.ndim == 2 and (array.shape[1], array.dtype == np.uint8) != (
        wanted.length,
        wanted.dtype == np.uint8,
    ):
        raise UsageError(
            f"rows of {array.shape[1]} {array.dtype} numbers, but those of {wanted.label} have "
            f"{wanted.length} of {wanted.dtype}"
        )
    return encode(wanted.metric, "a metric")


def matrix_of(a: Any, b: Any, metric: Optional[bytes], work: Session) -> Handle:
    queries = rows_of(a)
    targets = queries if b is None else rows_of(b)
    return Handle(
        lib.psb_matrix_free, lib.psb_distances_between, work.psb, queries, targets, metric
    )


def matrix_view(matrix: Handle) -> np.ndarray:
    shape = lib.psb_matrix_count(matrix), lib.psb_matrix_columns(matrix)
    return view(lib.psb_matrix_at(matrix, 0), shape, "<f4", matrix)


def distances(
    a: Any,
    b: Any = None,
    spec: Union[None, str, Spec] = None,
    *,
    metric: Optional[str] = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> np.ndarray:
    """Distances of all rows of a to all rows of b, or of a to each other.

    a, b: Features, or arrays (n, length) and (m, length), float32 or uint8; float64 is rounded.
    The metric is that of spec, or the one named ("l1", "l2", "cosine", "chi2", "lfd", ...); without
    either that of the Features; arrays have none.

    An array (n, m), float32, not to be written to; without b symmetric, with 0 on the diagonal.
    """
    with Session(threads, progress) as work:
        return matrix_view(matrix_of(a, b, metric_of(a, spec, metric), work))

"""Meshes, descriptors, collections of models, features and their distances."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union, overload

import numpy as np

from ._library import ENUMS, Handle, InputError, Progress, Session, UsageError, call, decode
from ._library import encode, encode_all, lib, structs

Path = Union[str, "os.PathLike[str]"]

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


def numbers(data: Any, what: str, kinds: str = "fiub") -> np.ndarray:
    """An array of numbers of two dimensions."""
    array = np.asarray(data)
    if array.dtype.kind not in kinds:
        raise TypeError(f"{what}: an array of {array.dtype} is none of numbers")
    if array.ndim != 2:
        raise InputError(f"{what}: an array of {array.ndim} dimensions, want 2")
    return array


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


class _Context:
    """What single meshes are described with: one for all threads, a shape for each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._psb: Optional[Handle] = None
        self._own = threading.local()

    @property
    def psb(self) -> Handle:
        with self._lock:
            if self._psb is None:
                self._psb = Handle(lib.psb_context_free, lib.psb_context_new, None)
            return self._psb

    @property
    def shape(self) -> Handle:
        if not hasattr(self._own, "shape"):
            psb = self.psb
            self._own.shape = Handle(lib.psb_shape_free, lib.psb_shape_open, psb, keep=psb)
        return self._own.shape


_context = _Context()


class Spec:
    """A descriptor with its parameters: ``Spec("GEDT:width=3")``.

    Raises UsageError for an unknown name or a value outside of its range.
    """

    def __init__(self, text: str) -> None:
        self._handle = Handle(
            lib.psb_spec_free, lib.psb_spec_open, _context.psb, encode(text, "a spec")
        )

    @property
    def label(self) -> str:
        """The name, then every parameter that differs from its preset."""
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

    def __repr__(self) -> str:
        return f"Spec({self.label!r})"


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


# ---- meshes -----------------------------------------------------------------------------


class Mesh(NamedTuple):
    """Vertices (n, 3), float64, in the units of the file; triangles (m, 3), uint32, from 0."""

    vertices: np.ndarray
    faces: np.ndarray


def read_mesh(path: Path) -> Mesh:
    """Reads a mesh file of any format that psbench knows; polygons become triangle fans."""
    mesh = structs["psb_mesh"]()
    call(lib.psb_mesh_read, encode(path, "a path"), ctypes.byref(mesh))
    try:
        vertices = ctypes.cast(mesh.vertices, ctypes.POINTER(ctypes.c_double))
        triangles = ctypes.cast(mesh.triangles, ctypes.POINTER(ctypes.c_uint32))
        return Mesh(
            np.ctypeslib.as_array(vertices, (mesh.nvertices, 3)).copy(),
            np.ctypeslib.as_array(triangles, (mesh.ntriangles, 3)).copy(),
        )
    finally:
        lib.psb_mesh_free(ctypes.byref(mesh))


def _triangles(faces: Any, count: int) -> np.ndarray:
    """A copy, which nobody else can change while it is worked on."""
    array = numbers(faces, "faces", "iu")
    if array.shape[1] < 3:
        raise InputError(f"faces: of {array.shape[1]} corners, want 3 or more")
    wrong = (array < 0) | (array >= count)
    if wrong.any():
        face, corner = np.argwhere(wrong)[0]
        raise InputError(
            f"face {face} names vertex {array[face, corner]}, but there are {count} vertices"
        )
    first = np.broadcast_to(array[:, :1], (array.shape[0], array.shape[1] - 2))
    fans = np.stack([first, array[:, 1:-1], array[:, 2:]], axis=2)
    return np.array(fans.reshape(-1, 3), np.uint32, order="C")


def describe(
    vertices: Any, faces: Any, spec: Union[str, Spec] = "SHD", *, id: str = ""
) -> np.ndarray:
    """The descriptor of a mesh.

    vertices: (n, 3) numbers, in any unit: descriptors do not depend on it, nor on where the mesh
        lies. faces: (m, k) whole numbers from 0, k corners of each; polygons become triangle fans.
    id seeds what is random (D2): the same id and mesh give the same row. Runs and files take the
        model's name, as "812" for m812.off.

    A row: (spec.length,), float32 or, for LFD, uint8. Raises InputError for a mesh that cannot be
    described: a coordinate that is not finite, a face without its vertices, no area.
    """
    wanted = _spec(spec)
    points = np.array(numbers(vertices, "vertices"), np.float64, order="C")
    if points.shape[1] != 3:
        raise InputError(f"vertices: of {points.shape[1]} coordinates, want 3")
    triangles = _triangles(faces, len(points))
    mesh = structs["psb_mesh"](
        len(points), points.ctypes.data, len(triangles), triangles.ctypes.data, len(triangles)
    )
    row = np.empty(wanted.length, wanted.dtype)
    shape, name = _context.shape, encode(id, "an id")
    call(lib.psb_shape_load, shape, ctypes.byref(mesh), name)
    call(lib.psb_describe, shape, wanted._handle, row.ctypes.data, row.nbytes)
    return row


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

    def __repr__(self) -> str:
        return f"<psbench.Collection: {len(self)} models in {len(self.class_names)} classes>"


# ---- features ---------------------------------------------------------------------------


class Features:
    """Rows of one descriptor, a row for each model, with the models' names.

    NumPy takes it for its array. Of files that could not be described ``failures`` says why.
    """

    def __init__(self, handle: Handle, spec: Optional[str], failures: Sequence[str] = ()) -> None:
        self._handle = handle
        self.spec = spec  #: label of the descriptor, None where it is not known
        self.failures = list(failures)
        count, length = lib.psb_rows_count(handle), lib.psb_rows_length(handle)
        kind = "|u1" if lib.psb_rows_element(handle) == ENUMS["PSB_UINT8"] else "<f4"
        #: (models, numbers), float32 or uint8, not a copy, and not to be written to
        self.array = view(lib.psb_rows_at(handle, 0), (count, length), kind, handle)

    @property
    def names(self) -> list[str]:
        """The model of each row; empty where a file does not say."""
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
            handle = Handle(
                lib.psb_rows_free, lib.psb_describe_all, work.psb, models._handle, spec._handle
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
    """The metric's name; None is that of the rows, else l2."""
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
    either that of the Features, and l2 for arrays.

    An array (n, m), float32, not to be written to; without b symmetric, with 0 on the diagonal.
    """
    with Session(threads, progress) as work:
        return matrix_view(matrix_of(a, b, metric_of(a, spec, metric), work))

"""Meshes: files, arrays, and the objects of other programs, told by their attributes alone."""

from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._library import ENUMS, InputError, UsageError, call_beside, encode, lib, structs

Path = Union[str, "os.PathLike[str]"]


def unmasked(data: Any, what: str) -> np.ndarray:
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(f"{what}: a masked array: fill it, or leave its rows out")
    return np.asarray(data)


def numbers(data: Any, what: str, kinds: str = "fiub") -> np.ndarray:
    """An array of numbers of two dimensions."""
    array = unmasked(data, what)
    if array.dtype.kind not in kinds:
        raise TypeError(f"{what}: an array of {array.dtype} is none of numbers")
    if array.ndim != 2:
        raise InputError(f"{what}: an array of {array.ndim} dimensions, want 2")
    return array


class Mesh(NamedTuple):
    """Vertices (n, 3), float64, in the units of the file; triangles (m, 3), uint32, from 0."""

    vertices: np.ndarray
    faces: np.ndarray


def copied(mesh: Any) -> Mesh:
    """A psb_mesh of the library as arrays of one's own."""
    vertices = ctypes.cast(mesh.vertices, ctypes.POINTER(ctypes.c_double))
    triangles = ctypes.cast(mesh.triangles, ctypes.POINTER(ctypes.c_uint32))
    return Mesh(
        np.ctypeslib.as_array(vertices, (mesh.nvertices, 3)).copy(),
        np.ctypeslib.as_array(triangles, (mesh.ntriangles, 3)).copy(),
    )


def read_mesh(path: Path) -> Mesh:
    """Reads a mesh file of any format that psbench knows; polygons become triangle fans."""
    mesh = structs["psb_mesh"]()
    call_beside(lib.psb_mesh_read, encode(path, "a path"), ctypes.byref(mesh))
    try:
        return copied(mesh)
    finally:
        lib.psb_mesh_free(ctypes.byref(mesh))


def _fans(array: np.ndarray, count: int) -> np.ndarray:
    if array.shape[1] < 3:
        raise InputError(f"faces: of {array.shape[1]} corners, want 3 or more")
    wrong = (array < 0) | (array >= count)
    if wrong.any():
        face, corner = np.argwhere(wrong)[0]
        raise InputError(
            f"face {face} names vertex {array[face, corner]}, but there are {count} vertices"
        )
    first = np.broadcast_to(array[:, :1], (array.shape[0], array.shape[1] - 2))
    return np.stack([first, array[:, 1:-1], array[:, 2:]], axis=2).reshape(-1, 3)


def _polygons(flat: np.ndarray) -> list[np.ndarray]:
    """Faces as VTK lists them, each behind the number of its corners; those of one number at a time."""
    starts, at = [], 0
    while at < len(flat):
        starts.append(at)
        if not 0 <= flat[at] < len(flat) - at:
            raise InputError(f"faces: {flat[at]} corners of a face, but {len(flat) - at - 1} numbers follow")
        at += 1 + int(flat[at])
    first = np.array(starts, np.intp)
    counts = flat[first]
    return [
        flat[first[counts == k][:, None] + np.arange(1, k + 1)] for k in np.unique(counts)
    ]  # fmt: skip


def mesh_of(vertices: Any, faces: Any) -> Mesh:
    """Copies, which nobody else can change while they are worked on."""
    points = np.array(numbers(vertices, "vertices"), np.float64, order="C")
    if points.shape[1] != 3:
        raise InputError(f"vertices: of {points.shape[1]} coordinates, want 3")
    array = unmasked(faces, "faces")
    if array.ndim == 1 and array.dtype.kind in "iu" and len(array) > 0:
        kinds = [_fans(part, len(points)) for part in _polygons(array)]
        return Mesh(points, np.array(np.concatenate(kinds), np.uint32, order="C"))
    fans = _fans(numbers(faces, "faces", "iu"), len(points))
    return Mesh(points, np.array(fans, np.uint32, order="C"))


def _plain(data: Any) -> Any:
    """A tensor, which may lie elsewhere, as what NumPy takes."""
    return data.cpu().numpy() if hasattr(data, "cpu") and hasattr(data, "numpy") else data


_pairs = (("vertices", "faces"), ("vertices", "triangles"), ("points", "faces"))


def as_mesh(source: Any) -> Mesh:
    """A path, (vertices, faces), or an object that has both.

    Taken by their attributes are trimesh.Trimesh (vertices, faces), Open3D's TriangleMesh (vertices,
    triangles, or vertex.positions, triangle.indices) and PyVista's PolyData (points, faces).
    """
    if isinstance(source, (str, os.PathLike)):
        return read_mesh(source)
    if isinstance(source, (tuple, list)) and len(source) == 2:
        return mesh_of(_plain(source[0]), _plain(source[1]))
    if getattr(source, "n_strips", 0):
        raise InputError("the mesh has strips of triangles: take its triangulate()")
    for points, corners in _pairs:
        if hasattr(source, points) and hasattr(source, corners):
            return mesh_of(_plain(getattr(source, points)), _plain(getattr(source, corners)))
    if hasattr(source, "vertex") and hasattr(source, "triangle"):
        return mesh_of(_plain(source.vertex.positions), _plain(source.triangle.indices))
    raise TypeError(
        f"want a path, (vertices, faces), or what has vertices and faces, not {type(source).__name__}"
    )


def struct_of(mesh: Mesh) -> Any:
    """The library's, which looks at these arrays."""
    return structs["psb_mesh"](
        len(mesh.vertices), mesh.vertices.ctypes.data, len(mesh.faces), mesh.faces.ctypes.data,
        len(mesh.faces),
    )  # fmt: skip


encodings = {
    "preset": "PSB_PRESET", "little": "PSB_BINARY_LITTLE", "big": "PSB_BINARY_BIG",
    "text": "PSB_TEXT",
}  # fmt: skip


def word(words: dict[str, str], given: str, what: str) -> int:
    if given not in words:
        raise UsageError(f"{what} is {' or '.join(words)}, not {given!r}")
    return ENUMS[words[given]]


def write_mesh(path: Path, mesh: Any, *, encoding: str = "preset", single: bool = False) -> None:
    """Writes a mesh in the format of the path's ending: OFF, OBJ, PLY or STL.

    mesh: as in describe. single: numbers are rounded to float32.
    """
    given = as_mesh(mesh)
    call_beside(
        lib.psb_mesh_write, encode(path, "a path"), ctypes.byref(struct_of(given)),
        word(encodings, encoding, "an encoding"), bool(single),
    )  # fmt: skip

"""Light Field distances of meshes, in one call.

    from psbench import lfd

    lfd.distance(mesh, "chair.off")       # 0: the same from all sides; larger: less alike
    rows = lfd.rows([mesh, ...])          # describe once, compare often:
    psbench.distances(rows, metric="lfd")

A mesh is a path, (vertices, faces), or an object that has both, as trimesh.Trimesh, Open3D's and PyVista's
meshes. The numbers are those of a run with LFD, whatever the mesh's place, size and turn are.
"""

from __future__ import annotations

from typing import Any, Iterable

import numpy as np

from ._features import describe, describe_meshes, distances

__all__ = ["distance", "rows"]


def distance(mesh_a: Any, mesh_b: Any) -> float:
    """Chen et al.'s distance of two meshes, a whole number from 0."""
    both = [describe(mesh, spec="LFD")[None] for mesh in (mesh_a, mesh_b)]
    return float(distances(*both, metric="lfd", threads=1)[0, 0])


def rows(meshes: Iterable[Any], *, threads: int = 0) -> np.ndarray:
    """A row for each mesh, (n, 4700) uint8, in their order. threads: 0 is one for each processor."""
    return describe_meshes(meshes, "LFD", threads=threads)

#!/usr/bin/env python3
"""Compares the metrics of points with what SciPy computes: nearest points by a tree, the best map by its assignment.

    scripts/points_scipy.py PSBENCH

makes the built-in objects, rows of 600 points of four of them, and the distances by cd, cd-l1, hausdorff and emd. Exits with 1 where
one differs by more than a millionth. Needs SciPy, which nothing else here does, so no test calls it.
"""

import glob
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist, directed_hausdorff


def nearest(a, b):
    return cKDTree(b).query(a)[0]


METRICS = {
    "cd": lambda a, b: np.mean(nearest(a, b) ** 2) + np.mean(nearest(b, a) ** 2),
    "cd-l1": lambda a, b: (nearest(a, b).mean() + nearest(b, a).mean()) / 2,
    "hausdorff": lambda a, b: max(directed_hausdorff(a, b)[0], directed_hausdorff(b, a)[0]),
    "emd": lambda a, b: (costs := cdist(a, b))[linear_sum_assignment(costs)].mean(),
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program, worst = os.path.abspath(sys.argv[1]), 0.0

    def psbench(*arguments):
        subprocess.run([program, *arguments], check=True)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        psbench("synth", "-q", "set")
        files = [name for i in (2, 9, 16, 23) for name in glob.glob(f"set/db/0/m{i}/*.off")]
        psbench("describe", "-q", "-d", "POINTS:points=600", "-o", "rows.npy", *files)
        rows = np.load("rows.npy").astype(float).reshape(len(files), -1, 3)
        for name, metric in METRICS.items():
            psbench("distance", "-q", "--metric", name, "-o", name + ".npy", "rows.npy", "rows.npy")
            ours, scipys = np.load(name + ".npy"), np.array([[metric(a, b) for b in rows] for a in rows])
            apart = np.max(np.abs(ours - scipys) / np.where(scipys > 0, scipys, 1))
            print(f"{name}: {ours.size} distances, largest relative difference {apart:.1e}")
            worst = max(worst, apart)
        os.chdir("/")
    sys.exit(1 if worst > 1e-6 else 0)


if __name__ == "__main__":
    main()

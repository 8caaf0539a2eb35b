"""Shape descriptors, distances and retrieval statistics of the Princeton Shape Benchmark.

    import psbench

    row = psbench.describe(vertices, faces, "SHD")              # one mesh: an array
    rows = psbench.describe_files(["a.off", "b.ply"], "SHD")    # many: Features
    d = psbench.distances(rows)                                 # (n, n), float32
    print(psbench.evaluate(["chair", "chair", "table", ...], d).table())
    run = psbench.load_run("run-psb")                           # what psbench run left

It stands on libpsbench and gives the figures of the program psbench to the last bit. While the
library works other threads of Python go on. All that it refuses is raised as psbench.Error.
"""

from ._evaluation import Comparison, Comparisons, Evaluation, Mean, Run, evaluate, load_run
from ._features import Collection, Descriptor, Features, Spec, add_descriptor
from ._features import describe, describe_files, describe_meshes, descriptors, distances
from ._library import Error, FileError, InputError, InternalError, OutOfMemory, Stopped
from ._library import UsageError
from ._meshes import Mesh, as_mesh, read_mesh, write_mesh
from ._tables import Table
from ._verbs import align, attributes, beyond, check_lists, cla, combine, compare_shapes, convert
from ._verbs import Neighbors, duplicates, export, generative, info, losses, measures, plot, query
from ._verbs import render, rerank, run, search, signature, status, sweep, table5, table6
from ._verbs import verify, versions
from ._version import VERSION as __version__

__all__ = [
    "Collection", "Comparison", "Comparisons", "Descriptor", "Error", "Evaluation", "Features", "FileError",
    "InputError", "InternalError", "Mean", "Mesh", "Neighbors", "OutOfMemory", "Run", "Spec", "Stopped",
    "Table", "UsageError", "add_descriptor", "align", "as_mesh", "attributes", "beyond", "check_lists", "cla", "combine",
    "compare_shapes", "convert", "describe", "describe_files", "describe_meshes", "descriptors", "distances",
    "duplicates",
    "evaluate", "export", "generative", "info", "load_run", "losses", "measures", "plot",
    "query", "read_mesh", "render", "rerank", "run", "search", "signature", "status", "sweep",
    "table5", "table6", "verify", "versions", "write_mesh",
]  # fmt: skip

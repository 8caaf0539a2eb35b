"""Every public function and method of the module with every optional argument left out. One that has no line here
fails the test. Runs after module.py, in its folder."""

import inspect
import shutil
import warnings
from pathlib import Path

import check
import numpy as np
import psbench

warnings.simplefilter("ignore")
CLA = "set/classification/v1/base/test.cla"
A, B = [str(path) for path in sorted(Path("set/db").glob("*/*/*.off"))[:2]]
LISTS = "default.lists"


def heights(vertices, faces):
    return np.histogram(vertices[:, 1], 4)[0] / len(vertices)


def prepare():
    """What the calls are about: a run, a folder of few models, features, an evaluation, lists."""
    shutil.copytree("run", "default_run")
    for i, path in enumerate(sorted(Path("set/db").glob("*/*/*.off"))[:6]):
        folder = Path("few", "ab"[i % 2])
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
    psbench.run("few_run", "SHD", models="few")
    run = psbench.load_run("default_run")
    psbench.search("run/features/SHD.npy", "run/features/SHD.npy", LISTS, metric="l2")
    return run, run.features("SHD"), run.evaluate("SHD", "D2")


SMALL = "default_small.off"
Path(SMALL).write_text("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n")
run, rows, e = prepare()
table = psbench.verify("default_run")
usage, bad, io = psbench.UsageError, psbench.InputError, psbench.FileError

#: arguments, arguments by name, and what is raised where the required ones alone say too little
CALLS = {
    "add_descriptor": ((heights, 4), {}, None),
    "align": ((A, B), {}, None),
    "as_mesh": ((A,), {}, None),
    "attributes": ((psbench.Collection(files=[A, B]),), {}, None),
    "beyond": (("default_beyond", "set"), {}, io),
    "check_lists": ((CLA,), {}, None),
    "cla": ((), {}, usage),
    "combine": (("default_run",), {}, usage),
    "compare_shapes": ((SMALL, SMALL), {}, None),
    "convert": ((A, "default.ply"), {}, None),
    "describe": ((A,), {}, None),
    "describe_files": (([A], "D2"), {}, None),
    "describe_meshes": (([A],), {}, None),
    "descriptors": ((), {}, None),
    "distances": ((rows,), {}, None),
    "duplicates": (("few_run",), {}, None),
    "evaluate": ((CLA, psbench.distances(rows)), {}, None),
    "export": (("default_run",), {"folder": "default_export"}, None),
    "generative": (("few/a", "few/b"), {}, None),
    "info": ((A,), {}, None),
    "load_run": (("default_run",), {}, None),
    "losses": ((CLA, LISTS), {}, usage),
    "measures": ((), {}, None),
    "plot": (("default_run",), {"stem": "default_plot"}, None),
    "query": (("default_run", A), {}, None),
    "read_mesh": ((A,), {}, None),
    "render": ((A, "default.png"), {}, None),
    "rerank": (("default_run",), {}, usage),
    "run": (("default_new",), {"models": "few"}, None),
    "search": ((rows,), {}, None),
    "signature": (("default_run",), {}, usage),
    "status": (("default_run",), {}, None),
    "sweep": (("default_sweep", "SHELLS"), {"models": "set/db", "cla": CLA}, None),
    "table5": (("default_run",), {"psb": "set"}, bad),
    "table6": (("default_run",), {"psb": "set"}, None),
    "verify": (("default_run",), {}, None),
    "versions": ((), {}, None),
    "write_mesh": (("default.off", A), {}, None),
    "Evaluation.classify": ((e,), {}, None),
    "Evaluation.cluster": ((e,), {}, None),
    "Evaluation.compare": ((e,), {}, None),
    "Evaluation.dicts": ((e,), {}, None),
    "Evaluation.frame": ((e,), {}, ImportError),
    "Evaluation.mean": ((e,), {}, None),
    "Evaluation.per_class": ((e,), {}, None),
    "Evaluation.report": ((e,), {}, usage),
    "Evaluation.table": ((e,), {}, None),
    "Features.write": ((rows, "default.npy"), {}, None),
    "Run.distances": ((run, "SHD"), {}, None),
    "Run.evaluate": ((run,), {}, None),
    "Run.features": ((run, "SHD"), {}, None),
    "Run.report": ((run,), {}, None),
    "Run.table": ((run,), {}, None),
    "Table.frame": ((table,), {}, ImportError),
    "Table.show": ((table,), {}, None),
}  # fmt: skip


def public():
    """Functions, and methods of classes, by name."""
    for name in psbench.__all__:
        thing = getattr(psbench, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for method, of in vars(thing).items():
                if inspect.isfunction(of) and not method.startswith("_"):
                    yield f"{name}.{method}", of


def test_required_arguments_are_enough():
    found = dict(public())
    assert found.keys() == CALLS.keys(), found.keys() ^ CALLS.keys()
    for name, function in found.items():
        args, named, error = CALLS[name]
        given = inspect.signature(function).bind(*args, **named)
        for parameter in inspect.signature(function).parameters.values():
            required = parameter.default is parameter.empty and parameter.kind not in (
                parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD
            )  # fmt: skip
            assert (parameter.name in given.arguments) == required, (name, parameter)
        try:
            function(*args, **named)
            assert error in (None, ImportError), name
        except Exception as raised:
            assert error is not None and isinstance(raised, error), (name, raised)
            assert str(raised), name


check.run(dict(globals()))

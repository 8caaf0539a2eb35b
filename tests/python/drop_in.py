"""The Python module among other programs' objects: their meshes, functions of one's own, processes, tables.
Runs in the folder of module.py."""

import multiprocessing
import os
import pickle
import signal
import sys
import types
import warnings
from pathlib import Path

import check
import numpy as np
import psbench
from check import raises
from psbench import lfd

CLA = "set/classification/v1/base/test.cla"
FILES = sorted(str(path) for path in Path("set/db").glob("*/*/*.off"))[:24]


def spread(vertices, faces, bins):
    """How far corners lie from their mean: a histogram that sums to 1."""
    far = np.linalg.norm(vertices - vertices.mean(0), axis=1)
    return np.histogram(far / far.max(), int(bins), (0, 1))[0] / len(vertices)


def bins_of(bins):
    return int(bins)


def mixed(vertices, faces):
    """What the library says, in another place."""
    return np.concatenate([psbench.describe(vertices, faces, spec) for spec in ("SHELLS", "EXT")])


def pathless(vertices, faces):
    raise psbench.InputError("too thin")


def wrong(vertices, faces):
    return faces["x"]


def short(vertices, faces):
    return [1.0, 2.0]


def far_away(array):
    """What a process that was started anew finds of what was pickled."""
    spec, collection, features, mesh, evaluation, run = array
    described = psbench.describe(mesh, spec)
    return (described, psbench.describe_files(collection, spec, threads=2).array, features.names,
            features.array, psbench.distances(features), evaluation.table(format="json"),
            run.features("SHD").names)  # fmt: skip


def tensor(array):
    held = types.SimpleNamespace(numpy=lambda: np.asarray(array))
    return types.SimpleNamespace(cpu=lambda: held, numpy=None)


def test_meshes_of_other_programs():
    vertices, faces = psbench.read_mesh(FILES[0])
    flat = np.insert(faces.astype(np.int64), 0, 3, axis=1).ravel()
    these = types.SimpleNamespace
    like = [
        (vertices, faces),
        [vertices.tolist(), faces.tolist()],
        these(vertices=vertices, faces=faces, triangles="trimesh has these, too"),
        these(vertices=vertices, triangles=faces.astype(np.int32)),
        these(points=vertices, faces=flat, n_strips=0),
        these(vertex=these(positions=tensor(vertices)), triangle=these(indices=tensor(faces))),
        Path(FILES[0]),
        psbench.Mesh(vertices, faces),
    ]
    want = psbench.describe(vertices, faces, "SHD").tobytes()
    for mesh in like:
        assert psbench.describe(mesh, "SHD").tobytes() == want
        assert psbench.describe(mesh, spec=psbench.Spec("SHD")).tobytes() == want
        assert lfd.distance(mesh, FILES[0]) == 0
    # Polygons of several kinds in one list.
    square, triangle = [4, 0, 1, 3, 2], [3, 4, 5, 6]
    corners = np.random.default_rng(1).normal(size=(8, 3))
    found = psbench.as_mesh(these(points=corners, faces=np.array(triangle + square + triangle[:1] + [5, 6, 7])))
    assert sorted(map(tuple, found.faces.tolist())) == [(0, 1, 3), (0, 3, 2), (4, 5, 6), (5, 6, 7)]
    raises(psbench.InputError, "2 numbers follow", psbench.as_mesh, (corners, np.array([3, 0, 1])))
    raises(psbench.InputError, "triangulate()", psbench.as_mesh, these(points=corners, faces=flat, n_strips=2))
    raises(TypeError, "not int", psbench.describe, 7)
    raises(TypeError, "not SimpleNamespace", psbench.describe, these(vertices=corners))
    psbench.write_mesh("written.ply", like[2])
    assert psbench.describe("written.ply", "SHD").tobytes() == want
    raises(psbench.UsageError, "", psbench.write_mesh, "written.xyz", like[2])


def test_light_fields():
    rows = np.load("run/features/LFD.npy")
    run = psbench.load_run("run")
    at = {name: i for i, name in enumerate(run.models.names)}
    known = [f for f in FILES if Path(f).stem.lstrip("m") in at][:5]
    places = [at[Path(f).stem.lstrip("m")] for f in known]
    for threads in (1, 3):
        assert lfd.rows(map(psbench.read_mesh, known), threads=threads).tobytes() == rows[places].tobytes()
    both = run.distances("LFD")[places[0], places[1]]
    assert lfd.distance(known[0], psbench.read_mesh(known[1])) == both > 0
    assert lfd.rows([]).shape == (0, rows.shape[1])
    flat = (np.zeros((3, 3)), [[0, 1, 2]])
    raises(psbench.InputError, "mesh 1: the surface has no area", lfd.rows, [known[0], flat])
    raises(psbench.FileError, "mesh 0: ", lfd.rows, ["absent.off"])


def test_descriptors_of_ones_own():
    spec = psbench.add_descriptor(
        spread, bins_of, parameters={"bins": (24, 2, 64)}, name="SPREAD", metric="l1"
    )
    assert (spec.label, spec.length, spec.metric, spec.dtype) == ("SPREAD", 24, "l1", np.float32)
    meshes = [psbench.read_mesh(f) for f in FILES]
    for text, bins in (("SPREAD", 24), ("spread:bins=7", 7)):
        slow = np.array([spread(*mesh, bins) for mesh in meshes], np.float32)
        for threads in (1, 2):
            assert psbench.describe_files(FILES, text, threads=threads).array.tobytes() == slow.tobytes()
        assert psbench.describe_meshes(meshes, text).tobytes() == slow.tobytes()
    slow = np.abs(slow[:, None] - slow[None]).sum(2)
    assert np.allclose(psbench.distances(psbench.describe_files(FILES, text)), slow, atol=1e-6)
    psbench.add_descriptor(mixed, 64 + psbench.Spec("EXT").length)
    row = psbench.describe(FILES[0], "mixed")
    for found in (row, psbench.describe_files(FILES[:1], "mixed").array[0]):
        assert found[:64].tobytes() == psbench.describe(FILES[0], "SHELLS").tobytes()
        assert found[64:].tobytes() == psbench.describe(FILES[0], "EXT").tobytes()
    made = psbench.run(
        "own_run", ["SHELLS", "SPREAD:bins=7", spec], models="set/db", cla=CLA, no_times=True
    )  # fmt: skip
    assert made.methods == ["SHELLS", "SPREAD:bins=7", "SPREAD"]
    expected = psbench.describe_files(psbench.Collection(cla=CLA, models="set/db"), spec)
    assert made.features("SPREAD").array.tobytes() == expected.array.tobytes()
    assert psbench.verify("own_run").whole


def test_what_ones_own_descriptors_raise():
    for function, length in ((pathless, 3), (wrong, 3), (short, 3)):
        psbench.add_descriptor(function, length)
    rows = psbench.describe_files(FILES[:3], "pathless")
    assert len(rows) == 0 and [why.endswith("too thin") for why in rows.failures] == [True] * 3
    raises(psbench.InputError, "too thin", psbench.describe, FILES[0], "pathless")
    for name, kind, words in (("wrong", IndexError, ""), ("short", psbench.UsageError, "3 numbers, not (2,)")):
        raises(kind, words, psbench.describe, FILES[0], name)
        raises(kind, words, psbench.describe_files, FILES, name, threads=2)
        raises(kind, words, psbench.run, "none", name, models="set/db", cla=CLA)
    assert psbench.describe(FILES[0], "SHELLS").shape == (64,)
    for words, name, how in (
        ("exists already", "SHD", {}),
        ("no name of a unit", "a b", {}),
        ("no metric 'l3'", "fine", {"metric": "l3"}),
        ("not within", "fine", {"parameters": {"x": (3, 0, 1)}}),
    ):
        raises(psbench.UsageError, words, psbench.add_descriptor, spread, 3, name=name, **how)
        raises(psbench.UsageError, "no descriptor", psbench.Spec, "fine")
    raises(psbench.UsageError, "1 or more", psbench.add_descriptor, spread, 0)
    raises(TypeError, "a function", psbench.add_descriptor, 3, 3)
    # The last one of a name counts; what was made before stays as it was.
    old = psbench.add_descriptor(short, 2, name="again")
    assert psbench.add_descriptor(wrong, 5, name="again").length == 5 and old.length == 2


def test_what_is_pickled_is_the_same_elsewhere():
    spec = psbench.add_descriptor(
        spread, bins_of, parameters={"bins": (24, 2, 64)}, name="SPREAD", metric="l1"
    )
    some = psbench.Spec("SPREAD:bins=9")
    run = psbench.load_run("run")
    collection = psbench.Collection(files=iter(FILES[:4]))
    features = psbench.describe_files(FILES, "SHD")
    mesh = psbench.read_mesh(FILES[0])
    evaluation = run.evaluate("SHD", "LFD", measures=["dcg", "precision@3"])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(far_away, ([some, collection, features, mesh, evaluation, run],))
    assert found[0].tobytes() == psbench.describe(mesh, some).tobytes()
    assert found[1].tobytes() == psbench.describe_files(FILES[:4], some).array.tobytes()
    assert found[2] == features.names and found[3].tobytes() == features.array.tobytes()
    assert found[4].tobytes() == psbench.distances(features).tobytes()
    assert found[5] == evaluation.table(format="json") and found[6] == run.models.names
    assert evaluation.measures == ["dcg", "precision@3"]
    by_hand = psbench.evaluate(dict(zip(run.models.names, run.models.classes)), {"x": run.distances("D2")})
    again = pickle.loads(pickle.dumps(by_hand))
    assert np.array_equal(again.values, by_hand.values) and again.compare(by_hand)[0].difference == 0
    twice = psbench.describe_files([FILES[0], FILES[0]], "SHELLS")
    assert pickle.loads(pickle.dumps(twice)).names == twice.names
    error = pickle.loads(pickle.dumps(raises(psbench.FileError, "", psbench.read_mesh, "absent.off")))
    assert type(error) is psbench.FileError and "absent.off" in str(error)
    Path("changes.csv").write_text("id,class\na,x\nb,x\n")
    kept = pickle.dumps(psbench.Collection("changes.csv"))
    assert pickle.loads(kept).names == ["a", "b"]
    Path("changes.csv").write_text("id,class\na,x\nb,y\n")
    raises(psbench.InputError, "other models or classes", pickle.loads, kept)
    assert spec.label == "SPREAD"


def in_child(work):
    """What a forked process says; one that hangs ends before the runner loses patience."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        # From 3.12 on Python warns of every fork beside threads; this one is what is tested.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(1000)
        try:
            os.write(write, str(work()).encode())
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_a_forked_process_does_not_hang():
    rows = psbench.describe_files(FILES, "SHD", threads=2)
    mesh = psbench.read_mesh(FILES[0])
    said = in_child(lambda: psbench.describe_files(FILES, "SHD", threads=2))
    assert said.startswith("UsageError: this process was forked"), said
    for alone in (
        lambda: psbench.describe_files(FILES, "SHD", threads=1).array.tobytes().hex(),
        lambda: psbench.describe_meshes(FILES, "SHD", threads=2).tobytes().hex(),
    ):
        assert in_child(alone) == rows.array.tobytes().hex()
    assert in_child(lambda: lfd.distance(mesh, mesh)) == "0.0"


class Pandas(types.ModuleType):
    DataFrame = staticmethod(lambda data: data)


def test_tables_as_arrays_and_dicts():
    run = psbench.load_run("run")
    e = run.evaluate("SHD", "LFD", measures="dcg")
    table = run.evaluate("SHD").classify(3, "class")
    share = table["accuracy_1"]
    assert share.dtype == np.float64 and share.tolist() == [row["accuracy_1"] for row in table]
    near = psbench.duplicates("run", descriptor="SHD", rows_only=True, quantile=0.1)
    assert near["model"].dtype == object and list(near["model"]) == [row["model"] for row in near]
    assert np.isnan(near["deviation"]).all()
    raises(KeyError, "no column 'x'; there are group", near.__getitem__, "x")
    means = [e.mean("dcg", method).value for method in e.methods]
    assert [row["dcg"] for row in e.dicts()] == means and e.dicts()[1]["matrix"] == "LFD"
    classes = run.evaluate("SHD", measures="dcg").dicts("class", errors=True)
    text = run.evaluate("SHD", measures="dcg").table("class", True, "tsv").splitlines()
    assert [f"{row['class']}\t{row['dcg']:.6f}" for row in classes] == [
        "\t".join(line.split("\t")[:2]) for line in text[1:]
    ]
    assert {"class", "dcg", "dcg_error"} == set(classes[0])
    before = sys.modules.get("pandas")
    try:
        sys.modules["pandas"] = Pandas("pandas")
        assert e.frame() == e.dicts() and list(near.frame()) == near.columns
        sys.modules["pandas"] = None
        raises(ImportError, "needs pandas", near.frame)
    finally:
        del sys.modules["pandas"]
        if before is not None:
            sys.modules["pandas"] = before


def test_names_and_measures():
    raises(psbench.UsageError, "there is no measure", run_measures, ["dcg", "best"])
    raises(TypeError, "", run_measures, [3])


def run_measures(measures):
    return psbench.load_run("run").evaluate("SHD", measures=measures)


if __name__ == "__main__":
    check.run(dict(globals()))

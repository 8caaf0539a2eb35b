"""The Python module beside the program: the same bytes, figures and texts. Runs in a folder with the
generated benchmark, set, and a run over it, run; PSBENCH names the program."""

import gc
import json
import os
import pickle
import shutil
import signal
import subprocess
import threading
import warnings
import zipfile
from pathlib import Path

import check
import numpy as np
import psbench
from check import raises

# Distances that hardly are meant are what some of these calls are about.
warnings.filterwarnings("ignore", "distances: (row|all)")

CLA = "set/classification/v1/base/test.cla"
FILES = sorted(str(path) for path in Path("set/db").glob("*/*/*.off"))[:24]
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 2)])
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def program(*arguments):
    done = subprocess.run(
        [os.environ["PSBENCH"], *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def test_one_mesh_is_described_as_by_the_program():
    run = psbench.load_run("run")
    files = {Path(f).stem.lstrip("m"): f for f in FILES}
    some = [name for name in run.models.names if name in files][:5]
    assert len(some) == 5
    for spec in ("SHD", "LFD", "D2"):
        rows = np.load(f"run/features/{spec}.npy")
        for name in some:
            row = psbench.describe(*psbench.read_mesh(files[name]), spec, id=name)
            assert row.dtype == rows.dtype
            assert row.tobytes() == rows[run.models.names.index(name)].tobytes(), (spec, name)


def test_tables_are_those_of_the_program():
    features = "run/features/SHD.npy"
    e = psbench.load_run("run").evaluate("SHD")
    near = psbench.duplicates("run", descriptor="SHD", rows_only=True, quantile=0.1)
    sets = psbench.generative(features, features, metric="l1", rounds=100)
    for table, *command in [
        (e.classify(5, "class", errors=True), "classify", "run", "SHD", "-k5", "--per=class", "--errors"),
        (e.classify(confusion=True), "classify", "run", "SHD", "--confusion"),
        (near, "duplicates", "run", "-dSHD", "--rows-only", "--quantile=0.1"),
        (sets, "generative", features, features, "--metric=l1", "--rounds=100"),
    ]:
        for form in ("txt", "tsv", "json"):
            assert table.show(form) == program(*command, "-q", "-f", form), (command, form)
        rows = [line.split("\t") for line in table.show("tsv").splitlines()]
        assert table.columns == rows[0] and len(table) == len(rows) - 1 > 0
        first = table[-1][table.columns[0]]
        assert first == rows[-1][0] or first == float(rows[-1][0]), (first, rows[-1])
        assert table.whole
    assert sets[0]["coverage_percent"] == 100 and sets[0]["generated"] == len(e.names)
    raises(IndexError, "", near.__getitem__, len(near))
    raises(psbench.UsageError, "0 ... 1", psbench.duplicates, "run", quantile=2)
    raises(psbench.UsageError, "two", psbench.generative, features, "set/db")
    raises(psbench.UsageError, "confusions of one", psbench.load_run("run").evaluate().classify, confusion=True)


def test_files_are_described_as_by_the_program():
    Path("broken.off").write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n")
    program("describe", "-q", "-d", "SHD", "-o", "some.npy", *FILES)
    for threads in (1, 2):
        rows = psbench.describe_files([*FILES, "broken.off"], ["SHD", "D2"], threads=threads)
        assert list(rows) == ["SHD", "D2"]
        assert rows["SHD"].array.tobytes() == np.load("some.npy").tobytes()
        assert rows["SHD"].names == Path("some.npy.ids").read_text().split()
        for found in rows.values():
            [why] = found.failures
            assert why.startswith("broken.off:6: face index 7"), why
            assert len(found) == len(FILES)
    rows["SHD"].write("again.npy")
    assert Path("again.npy").read_bytes() == Path("some.npy").read_bytes()
    assert Path("again.npy.ids").read_bytes() == Path("some.npy.ids").read_bytes()


def test_a_collection_is_described():
    models = psbench.Collection(cla=CLA, models="set/db")
    assert models.files[0].startswith("set/db/") and len(models) == len(models.classes)
    rows = psbench.describe_files(models, "D2")
    assert rows.names == models.names
    assert rows.array.tobytes() == np.load("run/features/D2.npy").tobytes()


def test_polygons_become_fans():
    fans = [[a, b, c] for a, b, c, d in SIDES] + [[a, c, d] for a, b, c, d in SIDES]
    row = psbench.describe(CUBE, SIDES, "SHD")
    assert np.allclose(row, psbench.describe(CUBE, fans, "SHD"), atol=1e-6)
    # Any numbers in any layout, and neither place nor size count.
    for vertices in (np.asfortranarray(CUBE, np.float32), CUBE.astype("i2"), 3.0 * CUBE - 7):
        assert np.allclose(row, psbench.describe(vertices, np.array(SIDES, "u1")[::1], "shd"), atol=1e-5)
    assert not np.allclose(row, psbench.describe(CUBE * [1, 1, 3], SIDES, "SHD"), atol=1e-3)


def test_distances_are_those_of_the_program():
    for spec in ("SHD", "LFD"):
        rows = np.load(f"run/features/{spec}.npy")
        mine = psbench.distances(rows, spec=spec, threads=2)
        assert mine.tobytes() == Path(f"run/matrices/{spec}.matrix").read_bytes()
        assert not mine.flags.writeable
        some = psbench.distances(rows[:7], rows[5:], spec)
        assert some.shape == (7, len(rows) - 5) and (some == mine[:7, 5:]).all()
    rows = np.load("run/features/SHD.npy").astype(np.float64)[:20]
    apart = rows[:, None] - rows[None]
    slow = {"l1": np.abs(apart).sum(2), "l2": np.sqrt((apart**2).sum(2))}
    for metric, expected in slow.items():
        assert np.allclose(psbench.distances(rows, metric=metric), expected, atol=1e-5)
    raises(psbench.UsageError, "by which metric", psbench.distances, rows)
    assert (psbench.distances(rows[::2], metric="l2") == psbench.distances(rows[::2].copy(), metric="l2")).all()


def test_features_know_their_metric():
    rows = psbench.describe_files(FILES, "LFD")
    assert psbench.Spec("lfd").metric == "lfd" and psbench.Spec("LFD").dtype == np.uint8
    assert (psbench.distances(rows) == psbench.distances(rows.array, metric="lfd")).all()


def test_memory_stays_as_long_as_an_array():
    array = psbench.describe_files(FILES, "SHD").array
    matrix = psbench.distances(array, metric="l2")[3:5]
    mapped = psbench.load_run("run").distances("SHD")
    gc.collect()
    assert array.tobytes() == psbench.describe_files(FILES, "SHD").array.tobytes()
    assert (matrix == psbench.distances(array, metric="l2")[3:5]).all()
    assert mapped.tobytes() == Path("run/matrices/SHD.matrix").read_bytes()


def test_figures_are_those_of_eval():
    e = psbench.evaluate(CLA, ["run/matrices/SHD.matrix", "run/matrices/LFD.matrix"])
    assert e.methods == ["SHD", "LFD"]
    for per in ("micro", "macro", "class", "model"):
        for format in ("tsv", "json"):
            expected = program("eval", "run", "SHD", "LFD", "--per", per, "-f", format)
            assert e.table(per=per, format=format) == expected, per
    many = psbench.evaluate(CLA, "run/matrices/SHD.matrix", measures="all")
    for other, own in (("map", "average_precision"), ("nn", "nearest_neighbor"), ("P_10", "precision@10")):
        assert many.mean(other) == many.mean(own) and many.per_class(other) == many.per_class(own)
    assert many.table(format="tsv") == program("eval", "run", "SHD", "-m", "all", "-f", "tsv")
    # A method as the program's commands take it, by the name that it has in a run or with its metric.
    for classes, method, file, metric in (
        ("run", "SHD", "run/matrices/SHD.matrix", None),
        (CLA, "run/SHD", "run/matrices/SHD.matrix", None),
        (CLA, "run/features/SHD.npy:l1", "run/features/SHD.npy", "l1"),
    ):
        named, plain = psbench.evaluate(classes, method), psbench.evaluate(CLA, file, metric=metric)
        assert named.table(format="tsv") == plain.table(format="tsv")
    by_l1 = psbench.evaluate(CLA, "run/features/SHD.npy", metric="l1")
    expected = program("eval", CLA, "run/features/SHD.npy", "--metric", "l1", "-f", "tsv")
    assert by_l1.table(format="tsv") == expected


def test_classes_may_be_given_in_many_ways():
    models = psbench.Collection(cla=CLA)
    names, classes = models.names, models.classes
    d = np.load("run/features/SHD.npy")
    d = psbench.distances(d, spec="SHD")
    expected = psbench.evaluate(CLA, d)
    # The nearest neighbour of each query, looked for by hand.
    far = d + np.diag(np.full(len(d), np.inf, np.float32))
    of = np.array(classes)
    nearest = of[far.argmin(1)] == of
    assert (expected.values[0, :, 0] == nearest).all()
    order = np.random.default_rng(5).permutation(len(d))
    mixed = d[np.ix_(order, order)]
    listed = [classes[i].replace("___", "/") for i in order]
    for how in (listed, np.array(listed), {names[i]: c for i, c in zip(order, listed)}):
        e = psbench.evaluate(how, mixed)
        assert np.array_equal(e.values[0], expected.values[0, order], equal_nan=True)
        assert np.allclose(e.mean("dcg"), expected.mean("dcg"), rtol=1e-12)
        assert e.classes == listed
    assert e.names == [names[i] for i in order]
    rows = psbench.load_run("run").features("SHD")
    e = psbench.evaluate(dict(zip(names[::-1], classes[::-1])), rows)
    assert np.array_equal(e.values[0, ::-1], expected.values[0], equal_nan=True)
    with open("mixed.csv", "w") as table:
        print("id,class", file=table)
        for i, c in zip(order, listed):
            print(names[i], c.split("/")[-1], sep=",", file=table)
    for how in ("mixed.csv", psbench.Collection("mixed.csv")):
        e = psbench.evaluate(how, mixed)
        assert e.names == [names[i] for i in order]
        assert np.array_equal(e.values[0], expected.values[0, order], equal_nan=True)
    assert psbench.evaluate("run", d).values.shape == expected.values.shape
    # A run of that table has its order and that of its own files: only what has names is placed.
    program("run", "--no-times", "-d", "D2", "--labels", "mixed.csv", "--models", "set/db", "-o", "own")
    own = psbench.load_run("own")
    for source, metric in ((mixed, None), (own.features("D2").array, "l2")):
        raises(psbench.InputError, "no names", psbench.evaluate, "own", source, metric=metric)
    method = psbench.evaluate("own", "D2")
    for source in (own.features("D2"), own.distances("D2")):
        e = psbench.evaluate(psbench.Collection("own"), source)
        assert np.array_equal(e.values, method.values, equal_nan=True)
    e = psbench.evaluate(classes, {"mine": rows})
    assert e.methods == ["mine"] and np.array_equal(e.values, expected.values, equal_nan=True)


def test_means_are_those_of_values():
    e = psbench.evaluate(CLA, "run/matrices/LFD.matrix", measures="dcg")
    per_class = e.per_class("dcg")
    queries = [i for i, c in enumerate(e.classes) if c in per_class]
    assert np.isclose(e.mean("dcg").value, e.values[0, queries, 0].mean(), rtol=1e-12)
    assert e.mean().queries == len(queries) and e.mean().classes == len(per_class)
    for name, mean in per_class.items():
        own = [i for i, c in enumerate(e.classes) if c == name]
        assert np.isclose(mean.value, e.values[0, own, 0].mean(), rtol=1e-12)
        assert mean.queries == len(own)
    macro = np.mean([mean.value for mean in per_class.values()])
    assert np.isclose(e.mean("dcg", per="macro").value, macro, rtol=1e-12)


def test_comparisons_are_those_of_compare():
    a = psbench.evaluate(CLA, "run/matrices/LFD.matrix")
    b = psbench.evaluate(CLA, "run/matrices/SHD.matrix", measures="dcg")
    for per_class, more in ((False, []), (True, ["--per", "class"])):
        [c] = a.compare(b, per_class=per_class, rounds=500, seed=3)
        text = program("compare", "run", "LFD", "SHD", "--rounds", "500", "--seed", "3", "-f", "tsv", *more)
        [line] = [dict(zip(text.split("\n")[0].split("\t"), text.split("\n")[1].split("\t")))]
        assert (c.a, c.b) == ("LFD", "SHD")
        shown = {"difference": c.difference, "low": c.low, "high": c.high, "p": c.p}
        for name, value in shown.items():
            found = [float(line[key]) for key in line if key.split()[0] == name]
            assert len(found) == 1 and abs(found[0] - value) < 1e-6, (name, value, line)
    both = psbench.evaluate(CLA, {"x": "run/matrices/SHD.matrix", "y": "run/matrices/LFD.matrix"})
    assert len(both.compare(both)) == 6 and len(both.compare()) == 1
    other = psbench.evaluate(["a", "a", "a"], np.zeros((3, 3)))
    raises(psbench.UsageError, "same models", a.compare, other)


def test_pages_are_those_of_the_program():
    e = psbench.evaluate(CLA, {"mine": "run/matrices/SHD.matrix", "LFD": "run/matrices/LFD.matrix"})
    made = e.report("paged", single="one.html", zip="all.zip", title="test.cla")
    assert made == Path("paged/index.html")
    args = ["--with", "mine=run/matrices/SHD.matrix", "--with", "run/matrices/LFD.matrix"]
    program("report", "-q", CLA, *args, "-o", "pages", "--single", "other.html")
    assert Path("one.html").read_bytes() == Path("other.html").read_bytes()
    assert made.read_bytes() == Path("pages/index.html").read_bytes()
    with zipfile.ZipFile("all.zip") as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            assert archive.read(name) == Path("paged", *Path(name).parts[1:]).read_bytes(), name
        assert "all/data/LFD/0.js" in archive.namelist()
    assert e.report(single="again.html") == Path("again.html")
    raises(psbench.UsageError, "need a folder", e.report)
    assert psbench.load_run("run").report("of_run").is_file()
    shutil.copytree("run", "reported")
    assert psbench.load_run("reported").report() == Path("reported/report/index.html")
    table = psbench.evaluate(CLA, {"<i>": "run/matrices/SHD.matrix"}, measures="dcg")._repr_html_()
    assert table.startswith("<table><caption>Percent; "), table
    assert "<tr><th>matrix</th><th>DCG</th></tr><tr><td>&lt;i&gt;</td><td>" in table, table
    both = psbench.load_run("run").evaluate("SHD", "D2")
    assert both.table()._repr_html_() == both._repr_html_() and both.table() == str(both)
    shown = both.compare(measure="dcg")
    assert f"<td>{100 * shown[0].difference:+.2f}</td>" in shown._repr_html_()
    assert "percentage points</caption>" in shown._repr_html_() and list(shown) == shown
    shown = psbench.load_run("run")._repr_html_()
    assert shown.startswith("<table><caption>set/classification/v1/base/test.cla: Percent; "), shown
    assert shown.count("<caption>") == 1 and shown.count("<table>") == shown.count("<tr><th>descriptor</th>") == 2, shown


class Indexed:
    """As much of a pandas DataFrame or Series as is looked at."""

    def __init__(self, array, index, columns=()):
        self._array, self.index, self.columns = np.asarray(array), list(index), list(columns)
        self.shape, self.ndim = self._array.shape, self._array.ndim

    def __array__(self, dtype=None, copy=None):
        return np.array(self._array, dtype)

    @property
    def iloc(self):
        return self

    def __getitem__(self, place):
        return Indexed(self._array[place], self.index)

    def __iter__(self):
        return iter(self._array)

    def __len__(self):
        return len(self._array)


def test_rows_are_joined_by_names():
    rng = np.random.default_rng(1)
    x, labels = rng.random((12, 12), np.float32), ["a", "b", "c"] * 4
    names, turned = [f"m{i}" for i in range(12)], rng.permutation(12)
    mixed, other = [names[i] for i in turned], rng.permutation(12)
    right = psbench.evaluate(labels, x, metric="l2").values
    wrong = psbench.evaluate(labels, x[turned], metric="l2").values
    assert (right != wrong).any()
    whole = psbench.distances(x, metric="l2")
    d = whole[np.ix_(turned, turned)]
    series, of, numbered = Indexed(labels, names), dict(zip(names, labels)), list(range(12))
    rows = psbench.Features(psbench._features.rows_of(x[turned]), None)
    rows._names = mixed
    for classes, source, how in [
        (series, Indexed(x[turned], mixed), {"metric": "euclidean"}),
        (series, Indexed(d, mixed, mixed), {}),
        (series, Indexed(d, mixed), {}),
        (series, Indexed(whole[np.ix_(turned, other)], mixed, [names[i] for i in other]), {}),
        (labels, Indexed(whole[:, turned], names, mixed), {}),  # columns in the order of the rows
        (of, x[turned], {"metric": "l2", "names": mixed}),
        (of, d, {"names": mixed}),
        (of, Indexed(x[turned], mixed), {"metric": {"distances": "l2"}}),
        (of, np.vstack([x[turned], x[:1]]), {"metric": "l2", "names": [*mixed, "more"]}),
        (series, x, {"metric": "l2"}),
        # Numbers of rows are names to other whole numbers only.
        (labels, Indexed(x, mixed), {"metric": "l2"}),
        (series, Indexed(x, numbered), {"metric": "l2"}),
        (Indexed(labels, numbered), Indexed(x[turned], turned), {"metric": "l2"}),
        (Indexed(labels, numbered), Indexed(x, names), {"metric": "l2"}),
        (Indexed([labels[i] for i in turned], turned), Indexed(x, numbered), {"metric": "l2"}),
        # The same name twice is no name, and no matter where both sides have the same ones.
        (Indexed(labels, ["m"] * 12), Indexed(x, ["m"] * 12), {"metric": "l2"}),
    ]:
        found = psbench.evaluate(classes, source, **how)
        back = {name: i for i, name in enumerate(found.names)}
        order = [back[str(i)] for i in numbered] if isinstance(classes, Indexed) and classes.index == list(turned) else numbered
        assert (found.values[:, order] == right).all(), (classes, source, how)
    e = psbench.evaluate(labels, {"a": x, "b": x}, metric={"a": "cityblock", "b": "l2"})
    assert (e.values[1] == right[0]).all() and (e.values[0] != right[0]).any()
    column = Indexed(np.array(labels)[:, None], names, ["class"])
    assert (psbench.evaluate(column, Indexed(d, mixed)).values == right).all()
    usage, bad = psbench.UsageError, psbench.InputError
    nan = x.copy()
    nan[7, 2] = np.nan
    masked = np.ma.masked_array(x, x > 0.9)
    for kind, words, classes, source, how in [
        (bad, "no row for 9 of 12 models: m3, m4, m5, m6, m7, ...", series, Indexed(x[:3], names[:3]), {}),
        (bad, "no column for 1 of 12 models: m0", series, Indexed(d, mixed, ["m"] + names[1:]), {"metric": None}),
        (usage, "'m0' occurs twice", Indexed(labels, names[:11] + ["m0"]), Indexed(x, names), {}),
        (usage, "'m0' occurs twice", series, Indexed(x, names[:11] + ["m0"]), {}),
        (usage, "classes with names", labels, x, {"names": names}),
        (usage, "11 names, but 12 rows", of, x, {"names": names[:11]}),
        (usage, "there is no 'c'; there are a, b", labels, {"a": x, "b": x}, {"metric": {"c": "l2"}}),
        (bad, "b: row 7, column 2", labels, {"a": x, "b": nan}, {}),
        (bad, "b: a matrix: row 7, column 2", labels, {"a": x, "b": nan}, {"metric": {"a": "l2"}}),
        (usage, "b: 11 rows, but there are 12 models", labels, {"b": x[:11]}, {}),
        (usage, "classes: a DataFrame of 12 columns", Indexed(x, names), x, {}),
        (bad, "features: a masked array", labels, masked, {}),
        (bad, "classes: a masked array", np.ma.masked_array(labels, [True] + [False] * 11), x, {}),
        (TypeError, "the class of '0' is a list", [["a"], ["b"], ["c"]] * 4, x, {}),
        (bad, "the class of 'm3' is missing (nan)", dict(of, m3=float("nan")), x, {}),
        (bad, "the class of 'm3' is missing (None)", dict(of, m3=None), x, {}),
    ]:
        raises(kind, words, psbench.evaluate, classes, source, **{"metric": "l2", **how})
    raises(bad, "masked", psbench.distances, masked)
    raises(bad, "faces: a masked array", psbench.describe, CUBE, np.ma.masked_array(SIDES))
    assert psbench.evaluate(np.array(labels, "S"), x, metric="l2").classes == labels


def test_queries_and_targets():
    rng = np.random.default_rng(4)
    x, y = rng.random((9, 5), np.float32), rng.random((30, 5), np.float32)
    classes, of = np.array(list("abc") * 3), np.array(list("abcad") * 6)
    d = psbench.distances(x, y, metric="l1")
    nearest = of[d.argmin(1)] == classes
    names, others = [f"q{i}" for i in range(9)], [f"t{i}" for i in range(30)]
    turned, mixed = rng.permutation(9), rng.permutation(30)
    first = {"measures": "nearest_neighbor,dcg", "targets": of}
    right = psbench.evaluate(classes, d, **first)
    assert (right.values[0, :, 0] == nearest).all() and right.names == [str(i) for i in range(9)]
    back = [names[i] for i in turned], [others[i] for i in mixed]
    named = {"measures": first["measures"], "targets": dict(zip(others, of))}
    deep = [f"thing/{c}" for c in classes]
    for given, source, how in [
        (deep, d, {**first, "targets": [f"thing/{c}" for c in of]}),
        (classes, (x, y), {"metric": "l1", **first}),
        (classes, {"distances": (x, y)}, {"metric": {"distances": "l1"}, **first}),
        (Indexed(classes, names), Indexed(d[np.ix_(turned, mixed)], *back), named),
        (Indexed(classes, names), (Indexed(x[turned], back[0]), Indexed(y[mixed], back[1])), {"metric": "l1", **named}),
    ]:
        e = psbench.evaluate(given, source, **how)
        assert (e.values == right.values).all() and e.table(format="tsv") == right.table(format="tsv")
    again = pickle.loads(pickle.dumps(right))
    assert (again.values == right.values).all() and len(right.compare(again)) == 1
    raises(psbench.UsageError, "9 queries and 30 targets", psbench.evaluate, classes, d[:, 1:], targets=of)
    raises(psbench.UsageError, "same queries and targets", right.compare, psbench.evaluate(classes, d[:, :9]))
    odd = [f"a {i} \u00fc%/x" for i in range(9)]
    e = psbench.evaluate(dict(zip(odd, classes)), psbench.distances(x, metric="l1"), queries=odd[:8])
    assert e.names == odd and e.values.shape == (1, 9, 5) and e.mean().queries == 8
    # Means over some queries only.
    few = [name for i, name in enumerate(psbench.Collection(cla=CLA).names) if i % 3 == 0]
    Path("few.txt").write_text("".join(name + "\n" for name in few))
    by_list = psbench.evaluate(CLA, "run/matrices/SHD.matrix", queries="few.txt")
    by_names = psbench.evaluate(CLA, "run/matrices/SHD.matrix", queries=few)
    expected = program("eval", "run", "SHD", "--query-list", "few.txt", "-f", "tsv")
    assert by_names.table(format="tsv") == by_list.table(format="tsv") == expected
    assert expected != psbench.evaluate(CLA, "run/matrices/SHD.matrix").table(format="tsv")
    raises(psbench.InputError, "no model 'nobody'", psbench.evaluate, CLA, "run/matrices/SHD.matrix", queries=["nobody"])


def test_clouds_are_compared_as_by_the_program():
    rng = np.random.default_rng(6)
    a, b = rng.random((6, 40, 3), np.float32), rng.random((5, 40, 3), np.float32)
    np.save("a.npy", a)
    np.save("b.npy", b)
    its = program("generative", "-q", "a.npy", "b.npy", "--metric", "cd,emd", "--rounds", "50", "-f", "tsv")
    for left, right in [(a, b), ("a.npy", b), (list(a), list(b)), (dict(zip("abcdef", a)), dict(zip("uvwxy", b)))]:
        table = psbench.generative(left, right, metric="cd,emd", rounds=50)
        if isinstance(left, np.ndarray):
            assert table.show("tsv") == its
        figures = [[row[name] for name in table.columns if isinstance(row[name], float)] for row in table]
        first = figures if left is a else first
        assert figures == first, (figures, first)
    raises(psbench.InputError, "reference: 3: an array (40, 2)", psbench.generative, a, [*b[:3], b[3, :, :2]], metric="cd")
    raises(psbench.InputError, "masked", psbench.generative, np.ma.masked_array(a), b, metric="cd")
    raises(psbench.UsageError, "no name of a file", psbench.generative, {"../x": a[0]}, b, metric="cd")


def test_search_gives_arrays():
    rng = np.random.default_rng(2)
    x, y = rng.random((9, 6), np.float32), rng.random((20, 6), np.float32)
    rows, far = psbench.search(x, y, neighbors=4, metric="l1")
    d = psbench.distances(x, y, metric="l1")
    assert (rows == np.argsort(d, axis=1, kind="stable")[:, :4]).all() and far.shape == (9, 4)
    assert (far == np.take_along_axis(d, rows, 1)).all() and far.dtype == np.float32
    short = psbench.search(x, y, neighbors=50, metric="l1")
    assert short.rows.shape == (9, 20) and (short.rows[:, :4] == rows).all()
    rows, far = psbench.search(y, metric="l1")
    assert rows.shape == (20, 19) and not (rows == np.arange(20)[:, None]).any()
    some = psbench.load_run("run").features("SHD")
    own = psbench.search(some, neighbors=3)
    assert (own.rows == psbench.search("run/features/SHD.npy", neighbors=3, metric="l2").rows).all()


def test_a_run_is_read():
    run = psbench.load_run("run")
    assert run.descriptors == run.methods == ["SHD", "LFD", "D2"]
    assert run.record["descriptors"][0]["label"] == "SHD"
    assert run.evaluate().table(format="tsv") == program("eval", "run", *run.methods, "-f", "tsv")
    assert run.table() == Path("run/table.txt").read_text()
    rows, matrix = run.features("LFD"), run.distances("LFD")
    assert (rows.array == np.load("run/features/LFD.npy")).all() and rows.names == run.models.names
    assert not rows.array.flags.owndata and not matrix.flags.owndata
    assert (psbench.distances(rows) == matrix).all()
    raises(psbench.UsageError, "no models.cla", psbench.load_run, "set")
    raises(psbench.FileError, "NO.npy", run.features, "NO")
    whole = Path("run/features/D2.npy").read_bytes()
    Path("run/features/D2.npy").write_bytes(whole[:-4] + b"1234")
    raises(psbench.InputError, "D2.npy", run.features, "D2")
    Path("run/features/D2.npy").write_bytes(whole)


def test_work_stops():
    def stop(stage, done, total, failures):
        assert stage == "SHD" and total == len(FILES) and failures == 0
        return done >= 3

    def fail(*_):
        raise ZeroDivisionError("mine")

    seen = []
    psbench.describe_files(FILES, "SHD", progress=lambda *step: seen.append(step))
    assert [step[1] for step in seen] == list(range(1, len(FILES) + 1))
    raises(psbench.Stopped, "interrupted", psbench.describe_files, FILES, "SHD", progress=stop)
    for work in (
        lambda **how: psbench.describe_files(FILES, "SHD", **how),
        lambda **how: psbench.distances(np.load("run/features/SHD.npy"), metric="l2", **how),
    ):
        before = signal.getsignal(signal.SIGINT)
        raises(ZeroDivisionError, "mine", work, progress=fail)
        # As Ctrl-C does it.
        end = lambda *_: os.kill(os.getpid(), signal.SIGINT)
        raises(KeyboardInterrupt, "", work, progress=end, threads=1)
        assert signal.getsignal(signal.SIGINT) is before
    # Elsewhere than in the main thread nobody touches signals.
    found = []
    thread = threading.Thread(
        target=lambda: found.append(psbench.describe_files(FILES[:3], "SHD", threads=2))
    )
    thread.start()
    thread.join()
    assert len(found[0]) == 3


def test_several_threads_describe():
    expected = [psbench.describe(*psbench.read_mesh(f), "SHD").tobytes() for f in FILES[:8]]
    found = [None] * 8

    def work(i):
        found[i] = psbench.describe(*psbench.read_mesh(FILES[i]), "SHD").tobytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_what_is_wrong_is_said():
    usage, bad, io = psbench.UsageError, psbench.InputError, psbench.FileError
    flat = np.zeros((8, 3))
    d = np.ones((4, 4))
    for kind, words, function, *arguments in (
        (usage, "there is no descriptor 'XX'", psbench.describe, CUBE, SIDES, "XX"),
        (usage, "width", psbench.Spec, "GEDT:width=1000"),
        (usage, "NUL", psbench.Spec, "SHD\0"),
        (TypeError, "text", psbench.Spec, 3),
        (bad, "no area", psbench.describe, flat, SIDES),
        (bad, "names vertex 8", psbench.describe, CUBE, [[0, 1, 8]]),
        (bad, "face 1 names vertex -1", psbench.describe, CUBE, [[0, 1, 2], [0, 1, -1]]),
        (bad, "coordinate 0 of vertex 0 is not finite", psbench.describe, CUBE * np.nan, SIDES),
        (bad, "2 coordinates", psbench.describe, CUBE[:, :2], SIDES),
        (bad, "2 corners", psbench.describe, CUBE, [[0, 1]]),
        (TypeError, "float64", psbench.describe, CUBE, np.array(SIDES, float)),
        (io, "absent.off", psbench.read_mesh, "absent.off"),
        (TypeError, "list of texts", psbench.describe_files, "one.off", "SHD"),
        (usage, "a collection is of", psbench.Collection),
        (usage, "2 names, but 1 classes", lambda: psbench.Collection(names=list("ab"), classes=["x"])),
        (usage, "no metric 'l3'", lambda: psbench.distances(d, metric="l3")),
        (usage, "those of SHD have 544", psbench.distances, d, None, "SHD"),
        (bad, "not finite", psbench.distances, d * np.inf),
        (bad, "3 dimensions", psbench.distances, d[None]),
        (TypeError, "none of numbers", psbench.distances, [["a", "b"]]),
        (usage, "there are 3 models", psbench.evaluate, ["a", "a", "a"], d),
        (bad, "row 0, column 1 is -1", psbench.evaluate, list("aaab"), d - 2 * (1 - np.eye(4))),
        (usage, "files go with", psbench.evaluate, list("aaab"), "run/matrices/SHD.matrix"),
        (usage, "0 ... 1024", lambda: psbench.distances(d, threads=-1)),
        (usage, "no format 'doc'", lambda: psbench.evaluate(list("aaab"), d).table(format="doc")),
        (usage, "no mean per 'year'", lambda: psbench.evaluate(list("aaab"), d).table(per="year")),
        (usage, "measure", lambda: psbench.evaluate(list("aaab"), d, measures="best")),
        (usage, "no measure 'x'", lambda: psbench.evaluate(list("aaab"), d).mean("x")),
    ):
        error = raises(kind, words, function, *arguments)
    assert isinstance(raises(io, "", psbench.read_mesh, "absent.off"), OSError)
    assert raises(bad, "", psbench.read_mesh, "broken.off").line == 6
    json.dumps(psbench.descriptors())


def test_one_model_by_the_verbs_of_commands():
    [expected] = json.loads(program("info", "--json", FILES[0]))
    found = psbench.info(FILES[0])
    # cJSON prints 15 digits of a number or, where these are off by more than a last bit, 17.
    def printed(value):
        if isinstance(value, dict):
            return {key: printed(part) for key, part in value.items()}
        if isinstance(value, list):
            return [printed(part) for part in value]
        short = float(f"{value:.15g}")
        return short if abs(short - value) <= max(abs(short), abs(value)) * 2**-52 else value
    assert {k: printed(found[k]) for k in expected if k != "file"} == {
        k: v for k, v in expected.items() if k != "file"}
    mesh = psbench.read_mesh(FILES[0])
    assert (found["vertices"], found["triangles"]) == (len(mesh.vertices), len(mesh.faces))
    psbench.convert(FILES[0], "own.ply", encoding="big", single=True)
    program("convert", "--encoding", "big", "--float", FILES[0], "its.ply")
    assert Path("own.ply").read_bytes() == Path("its.ply").read_bytes()
    psbench.render(FILES[0], "own.png", width=64, height=48, azimuth=90, aligned=True)
    program(
        "render", FILES[0], "-o", "its.png", "--width", "64", "--height", "48", "--azimuth", "90",
        "--pose", "aligned",
    )  # fmt: skip
    assert Path("own.png").read_bytes() == Path("its.png").read_bytes()
    raises(psbench.UsageError, "'middle'", psbench.convert, FILES[0], "x.ply", encoding="middle")
    raises(psbench.UsageError, "is the input, too", psbench.convert, "own.ply", "own.ply")
    raises(psbench.UsageError, "2048 pixels", psbench.render, FILES[0], "x.png", width=0)
    raises(psbench.InputError, "broken.off:6", psbench.info, "broken.off")


def test_runs_by_the_verbs_of_commands():
    seen = []
    made = psbench.run(
        "made", "SHELLS", models="set/db", cla=CLA, no_times=True, threads=2,
        progress=lambda *step: seen.append(step[0]),
    )  # fmt: skip
    program("run", "-q", "--no-times", "-d", "SHELLS", "--cla", CLA, "--models", "set/db", "-o", "its")
    assert made.methods == ["SHELLS"] and "features" in seen
    for name in ("table.json", "matrices/SHELLS.matrix", "features/SHELLS.npy"):
        assert Path("made", name).read_bytes() == Path("its", name).read_bytes(), name
    state = psbench.status("made")
    assert state.whole and len(state) == 1
    assert state[0] == {
        "descriptor": "SHELLS", "part": "all", "there": 265, "failed": 0, "missing": 0,
        "state": "whole",
    }  # fmt: skip
    assert psbench.verify("made").whole
    psbench.export("made", "SHELLS", folder="lists")
    program("export", "-q", "its", "SHELLS", "-o", "its_lists")
    for name in ("qrels.txt", "SHELLS.run"):
        assert Path("lists", name).read_bytes() == Path("its_lists", name).read_bytes()
    Path("made/matrices/SHELLS.matrix").write_bytes(b"x")
    found = psbench.verify("made")
    assert not found.whole
    assert [row["file"] for row in found if row["state"] != "ok"] == ["matrices/SHELLS.matrix"]
    raises(TypeError, "no option 'clas'", psbench.run, "x", models="set/db", clas=CLA)
    raises(psbench.UsageError, "NONESUCH", psbench.run, "x", "NONESUCH", models="set/db")
    raises(psbench.UsageError, "trec or shrec", psbench.export, "its", folder="x", format="csv")
    table = psbench.sweep("variants", "EXT:form={full,magnitude}", models="set/db", cla=CLA)
    assert Path("variants/sweep.txt").read_text() == str(table)
    assert [row["set"] for row in table] == ["train", "train"]


def test_search_and_query_are_those_of_the_program():
    features = "run/features/SHD.npy"
    program("search", "-q", "--queries", features, "--database", features, "--metric", "l2", "-k", "5", "-o", "its.lists")
    rows = psbench.load_run("run").features("SHD")
    for queries in (features, rows):
        psbench.search(queries, queries, "own.lists", neighbors=5, metric="l2", threads=2)
        assert Path("own.lists").read_bytes() == Path("its.lists").read_bytes()
    found = psbench.query("run", FILES[0], descriptor="SHD", neighbors=3)
    text = program("query", "run", FILES[0], "-d", "SHD", "-k", "3", "-q")
    assert ["\t".join([str(r["rank"]), r["id"], r["class"], f"{r['distance']:.6g}"]) for r in found] == (
        text.splitlines()[1:]
    )
    assert "dcg" in psbench.measures() and len(psbench.versions()) > 3


def test_plots_are_those_of_the_program():
    psbench.plot("run", "SHD", "D2", stem="own", formats="svg,plot", width=85, gray=True)
    program("plot", "-q", "run", "SHD", "D2", "-o", "its", "-f", "svg,plot", "--width", "85", "--gray")
    for name in (".svg", "-SHD.plot", "-D2.plot"):
        assert Path("own" + name).read_bytes() == Path("its" + name).read_bytes(), name
    psbench.plot("run", "SHD", stem="own_tier", kind="tier", formats="png", shown="1..3", cell=2)
    program("plot", "-q", "run", "SHD", "-k", "tier", "-o", "its_tier", "-f", "png", "--classes", "1..3",
            "--cell", "2")  # fmt: skip
    assert Path("own_tier.png").read_bytes() == Path("its_tier.png").read_bytes()
    raises(psbench.UsageError, "no class 'none'", psbench.plot, "run", "SHD", stem="x", shown="none")
    raises(psbench.UsageError, "not 'bars'", lambda: psbench.plot("run", "SHD", stem="x", kind="bars"))


def test_further_methods_are_those_of_the_program():
    shutil.copytree("run", "derived")
    shutil.copytree("run", "theirs")
    table = psbench.combine("derived", sum="SHD=1,D2=0.5", scale="mean", name="S")
    assert str(table) == program("combine", "-q", "theirs", "--sum", "SHD=1,D2=0.5", "--scale", "mean", "--name", "S")
    table = psbench.rerank("derived", "S", method="both", k1=8, weight=0.25)
    assert str(table) == program("rerank", "-q", "theirs", "S", "--method", "both", "--k1", "8", "--lambda", "0.25")
    for name in ("S", "S+kr-8-3-0.25+mr"):
        file = f"matrices/{name}.matrix"
        if Path("theirs", file).exists():
            assert Path("derived", file).read_bytes() == Path("theirs", file).read_bytes(), name
    raises(psbench.UsageError, "recipes or --sum", psbench.combine, "derived")
    raises(psbench.InputError, "GEDT", psbench.signature, "derived", train=CLA, output="x.directions")
    raises(psbench.UsageError, "--train or --by", psbench.signature, "derived")


def test_sets_and_models_are_those_of_the_program():
    assert psbench.cla(CLA, per="top").show("tsv") == program("cla", CLA, "--per", "top", "-f", "tsv")
    psbench.cla(CLA, level=1, output="own.csv")
    program("cla", CLA, "--level", "1", "-o", "its.csv")
    assert Path("own.csv").read_bytes() == Path("its.csv").read_bytes()
    raises(psbench.UsageError, ".cla", psbench.cla, CLA, output="own.xls")
    found = psbench.align(FILES[0], FILES[1], mirror=True, turn=3, output="own.off")
    its = json.loads(program("align", FILES[0], FILES[1], "--mirror", "--turn", "3", "-f", "json", "-o", "its.off"))
    assert found.keys() == its.keys() and Path("own.off").read_bytes() == Path("its.off").read_bytes()
    for key, value in its.items():  # JSON has 15 digits
        assert found[key] == value if key == "frame" else np.allclose(found[key], value, rtol=1e-14), key


def test_attributes_of_a_set_are_those_of_the_program():
    models = psbench.Collection(cla=CLA, models="set/db")
    table = psbench.attributes(models, where="polygons>=1", largest="area=5", list="own.txt")
    its = "--models", "set/db", "--cla", CLA, "--where", "polygons>=1", "--largest", "area=5", "-o", "its.txt"
    assert table.show("tsv") == program("info", *its, "-f", "tsv") and len(table) == 5
    assert Path("own.txt").read_text() == Path("its.txt").read_text()
    raises(psbench.UsageError, "corners", psbench.attributes, models, where="corners>1")


def test_tables_of_the_paper_and_losses_are_those_of_the_program():
    shutil.copytree("run", "paper")
    table = psbench.table6("paper", "SHD", "D2", psb="set", miscellaneous="listed")
    its = "table6", "run", "SHD", "D2", "--psb", "set", "--miscellaneous", "listed"
    assert str(table) == program(*its) and Path("paper/table6.tsv").read_text() == table.show("tsv")
    raises(psbench.InputError, "'building'", psbench.table5, "paper", psb="set")
    raises(psbench.UsageError, "listed", psbench.table6, "paper", psb="set", miscellaneous="lost")
    raises(psbench.FileError, "train.cla", psbench.beyond, "second", "set")
    raises(TypeError, "no option 'cohort'", psbench.beyond, "second", "set", cohort=1)
    shutil.copytree("set/classification", "both/classification")
    os.symlink("../set/db", "both/db")
    shutil.copy(CLA, "both/classification/v1/base/train.cla")
    raises(psbench.Stopped, "", psbench.beyond, "second", "both", progress=lambda *step: True)
    features = "run/features/SHD.npy"
    psbench.search(features, features, "exact.tsv", neighbors=5, metric="l2")
    lines = Path("exact.tsv").read_text().splitlines()
    Path("near.tsv").write_text("\n".join(line for line in lines if line.split("\t")[1:2] != ["5"]) + "\n")
    wanted = "nearest_neighbor,precision@3", "--per=macro"
    its = json.loads(program("eval", "-q", "--exact=exact.tsv", CLA, "near.tsv", "-m", *wanted, "-f", "json"))
    rows = psbench.losses(CLA, "exact.tsv", "near.tsv", measures=wanted[0], per="macro")
    assert rows == its["rows"] and rows, rows
    Path("wrong.tsv").write_text("\n".join(lines[:7] + lines[6:7]) + "\n")
    found = psbench.check_lists(CLA, "wrong.tsv", form="search")
    told = subprocess.run(
        [os.environ["PSBENCH"], "eval", "-q", "--check", "--lists=search", CLA, "wrong.tsv"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert found == told.stdout.splitlines() and len(found) > 1 and told.returncode == 1, found


check.run(dict(globals()))

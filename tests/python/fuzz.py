"""Wrong calls of the Python module, the same for each seed: each returns what it says or raises what a
caller can expect, and none ends the process, prints, or leaves the library in another state.

    fuzz.py [SEED [CALLS]]
"""

import random
import shutil
import sys
import warnings

import numpy as np
import psbench

seed, calls = (int(word) for word in (sys.argv[1:] + ["1", "500"][len(sys.argv) - 1 :]))
chance = random.Random(seed)
numpy_chance = np.random.default_rng(seed)
EXPECTED = (psbench.Error, TypeError, ValueError, OverflowError, MemoryError, OSError)
DTYPES = ["f4", "f8", "f2", "g", ">f4", "i1", "u1", "i4", "u4", "i8", "u8", ">i4", "?", "c8", "O", "U3",
          "S2", "M8[s]"]  # fmt: skip
SIDES = [0, 1, 2, 3, 4, 5, 8, 60, 64, 544]
SPECS = ["SHD", "D2", "SHELLS", "LFD", "EGI", "SHELLS:x=1", "GEDT:width=1e300", "", ":", ",", "all", "shd,d2",
         "D2:points=-1", "\0", "\ud800", "é", "SHD" * 400, None, 3, b"SHD", ["SHD"], psbench.Spec("SHELLS")]
TEXTS = ["", "a", "l1", "l2", "cosine", "chi2", "lfd", "pose8", "dcg", "all", "micro", "class", "txt",
         "dcg@", "precision@0", "precision@99999999999", "x" * 9000, "%n%s", "/", "..", "absent.off",
         "bad.off", "fuzz.npy", "\0", "\ud800", "\n"]
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3.0]])
FACES = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])


def pick(*choices):
    return chance.choice(choices)


def mostly(good, wrong):
    """Wrong in one call of five: what is wrong in several places says so of the first alone."""
    return wrong() if chance.random() < 0.2 else good


def number():
    return pick(
        0, 1, 2, -1, 7, 2**31, 2**32, 2**63, 2**64, 2**200, -(2**70), 0.5, float("nan"), float("inf"), True, None,
        "3", np.int64(2), np.float32(1), 1j,
    )  # fmt: skip


def thing():
    return pick(
        None, object(), number(), chance.choice(TEXTS), b"bytes", [], {}, set(), (), lambda *_: 1, Ellipsis, float,
        {"a": 1}, [[1, 2], [3]], [[[1]]], iter([1, 2]), np.datetime64("now"), range(3), memoryview(b"abcd"),
    )  # fmt: skip


def array():
    shape = [chance.choice(SIDES) for _ in range(pick(2, 2, 2, 2, 0, 1, 3))]
    made = numpy_chance.normal(size=shape) * pick(1, 100, 1e300)
    if made.size and chance.random() < 0.3:
        made.flat[chance.randrange(made.size)] = pick(np.nan, np.inf, -np.inf, -1, 1e39)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = made.astype(chance.choice(DTYPES)) if chance.random() < 0.5 else abs(made)
    made = np.asarray(made)
    how = pick("", "", "turned", "every other", "backwards", "list", "wide", "huge", "locked")
    if made.ndim == 2 and how == "turned":
        return made.T
    if made.ndim == 2 and how in ("every other", "backwards"):
        return made[::2, ::-1] if how == "every other" else made[::-1]
    if how == "list":
        return made.tolist()
    if how == "wide" and made.ndim:
        return np.broadcast_to(made, (3,) + made.shape)
    if how == "huge":
        return np.broadcast_to(made.dtype.type(), (2**50, pick(1, 3, 64)))
    if how == "locked":
        made.flags.writeable = False
    return made


def mesh():
    vertices, faces = CORNERS.copy(), FACES.copy()
    for _ in range(pick(0, 1, 2)):
        if chance.random() < 0.5:
            vertices[chance.randrange(4), chance.randrange(3)] = pick(np.nan, np.inf, 1e300, -1e308, 1e-320, 0)
        else:
            faces[chance.randrange(4), chance.randrange(3)] = pick(-1, 4, 0, 2**31, 2**32, 2**32 + 1, -(2**63))
    if chance.random() < 0.2:
        vertices = pick(array(), thing())
    if chance.random() < 0.2:
        faces = pick(array(), thing())
    return vertices, faces


def source():
    n = chance.choice([4, 8])
    return mostly(
        pick(np.abs(numpy_chance.normal(size=(n, n))), np.zeros((n, n)), FEATURES, {"x": FEATURES, "": np.ones((8, 8))}),
        lambda: pick(array(), thing(), {"a": array()}, [FEATURES, "fuzz.npy"]),
    )


def classes():
    n = chance.choice([4, 8])
    return mostly(
        pick(["a"] * n, ["a"] * 4 + ["b"] * 4, dict.fromkeys(map(str, range(n)), "a"), "four.cla", MODELS,
             [pick("a", "b", "0", "-1", "a/b", 3, None) for _ in range(n)]),
        lambda: pick(array(), thing(), "bad.cla", "bad.csv", dict.fromkeys(FEATURES.names, "c"),
                     [pick("", "/", "x" * 600, "a") for _ in range(n)]),
    )  # fmt: skip


def evaluate():
    e = psbench.evaluate(
        classes(), source(), metric=mostly(pick(None, "l1"), lambda: pick("lfd", thing())),
        measures=mostly(pick(None, "dcg", "all"), lambda: pick(chance.choice(TEXTS), thing())),
        threads=mostly(pick(0, 1, 2), number),
    )  # fmt: skip
    looks = (
        lambda: e.table(mostly(pick("micro", "class", "model"), thing), thing(), mostly("tsv", thing)),
        lambda: e.mean(mostly(0, number), mostly(0, thing), mostly("micro", thing)),
        lambda: e.per_class(mostly(0, number)),
        lambda: e.compare(mostly(e, thing), mostly("dcg", thing), rounds=mostly(10, lambda: pick(-1, 2**64, "3")),
                          seed=mostly(1, number)),
        lambda: e.values,
    )  # fmt: skip
    return [look() for look in chance.sample(looks, 2)]


def describe():
    row = psbench.describe(*mesh(), mostly(pick("SHD", "D2", "EGI"), lambda: chance.choice(SPECS)), id=mostly("x", thing))
    assert np.isfinite(row).all()


def distances():
    found = psbench.distances(
        mostly(FEATURES, array), mostly(None, lambda: pick(array(), FEATURES)),
        mostly(None, lambda: chance.choice(SPECS)), metric=mostly("l2", lambda: chance.choice(TEXTS)),
        threads=mostly(1, number), progress=mostly(None, lambda: pick(lambda *_: 1, thing())),
    )  # fmt: skip
    assert np.isfinite(found).all()


def files():
    paths = mostly(["four.off", "bad.off", "absent.off"], lambda: pick([thing()], thing(), [chance.choice(TEXTS)]))
    return psbench.describe_files(
        paths, mostly("SHELLS", lambda: pick(chance.choice(SPECS), [chance.choice(SPECS)], [])),
        threads=mostly(2, number), progress=mostly(None, lambda: pick(lambda *_: 1 / 0, thing())),
    )  # fmt: skip


def collection():
    names = ["cla", "labels", "names", "classes", "files", "models", "split", "level", "unlabelled"]
    given = {
        name: pick(thing(), chance.choice(TEXTS), "four.cla", ["a", "b"], [thing()], number())
        for name in chance.sample(names, pick(1, 1, 2, 3))
    }
    made = psbench.Collection(**given)
    return made.names, made.classes, made.files


def others():
    one = pick(psbench.read_mesh, psbench.load_run, psbench.Spec)
    return one(pick(chance.choice(TEXTS), thing(), chance.choice(SPECS), array()))


open("four.off", "w").write("OFF\n4 2 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 1 2\n3 0 1 3\n")
open("bad.off", "w").write("OFF\n3 1 0\n0 0 0\n")
open("four.cla", "w").write("PSB 1\n1 4\nc 0 4\na\nb\nd\ne\n")
open("bad.cla", "w").write("PSB 1\n9 4\nc 0 4\na\n")
open("bad.csv", "w").write("id,class\n\"a\n")
for copy in range(8):
    shutil.copy("four.off", f"copy{copy}.off")
FEATURES = psbench.describe_files([f"copy{copy}.off" for copy in range(8)], "SHELLS")
MODELS = psbench.Collection(cla="four.cla")
np.save("fuzz.npy", np.ones((4, 3), "f4"))
expected = psbench.describe(CORNERS, FACES, "SHD").tobytes()
warnings.simplefilter("ignore")

raised, returned = {}, 0
for call in range(calls):
    try:
        pick(describe, distances, evaluate, evaluate, files, collection, others)()
        returned += 1
    except EXPECTED as error:
        raised[type(error)] = raised.get(type(error), 0) + 1
        assert not isinstance(error, psbench.InternalError), error
    except ZeroDivisionError:
        pass  # of our progress
    except BaseException:
        print(f"call {call} of seed {seed}")
        raise
assert psbench.describe(CORNERS, FACES, "SHD").tobytes() == expected
assert returned > calls / 20 and len(raised) >= 5, (returned, raised)
if len(sys.argv) > 1:
    print(returned, "returned;", {kind.__name__: n for kind, n in raised.items()}, file=sys.stderr)
print("ok - wrong calls raise")

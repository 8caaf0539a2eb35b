#!/usr/bin/env python3
"""Makes copies of models of the benchmark, has `psbench duplicates` find them, and says how well it does.

    PSBENCH_LIBRARY=build/libpsbench.so.0 PYTHONPATH=python scripts/copies.py CLA MODELS FOLDER [COUNT]

COUNT (40) models of CLA, evenly spread over it, of at most 20,000 faces, and six copies of each, all turned
and moved at random:

- turned;
- scaled, by 0.3 to 3;
- mirrored;
- subdivided: each triangle is four, and scaled;
- decimated: shortest edges are drawn together until seven of ten triangles are left;
- remirrored: the same until half of them are left, and mirrored.

FOLDER gets models/ and the run over them; both are gone on from. Prints two tables in Markdown: of each kind
of copy how many are found as copies of their model, by triangles and as remeshed; of each evidence how
many of the models that it names are copies of one another. Of copies that are the mirror image of what they
are found to be like it tells how many are called mirrored: those of a model with a plane of symmetry are not.
Needs NumPy. Random numbers have a fixed seed.
"""
import sys
from pathlib import Path

import numpy as np
import psbench

KINDS = ("turned", "scaled", "mirrored", "subdivided", "decimated", "remirrored")
TRIANGLES = ("turned", "scaled", "mirrored")
MOST_FACES = 20000


def rotation(chance):
    q, r = np.linalg.qr(chance.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else q[:, [1, 0, 2]]


def subdivided(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    corners = np.concatenate([np.stack(part, axis=1) for part in parts])
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def decimated(vertices, faces, share):
    """In rounds: the shortest edges first, no corner twice in a round; both ends move to the middle."""
    vertices, same = np.unique(vertices, axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces]
    wanted = share * len(faces)
    while True:
        flat = (faces == np.roll(faces, 1, axis=1)).any(axis=1)
        faces = faces[~flat]
        if len(faces) <= wanted:
            return vertices, faces
        edges = np.unique(np.sort(np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)])), axis=0)
        far = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
        moved, left = np.zeros(len(vertices), bool), (len(faces) - wanted) / 2 + 1
        to = np.arange(len(vertices))
        for a, b in edges[np.argsort(far, kind="stable")]:
            if left <= 0:
                break
            if not moved[a] and not moved[b]:
                moved[a] = moved[b] = True
                vertices[a] = (vertices[a] + vertices[b]) / 2
                to[b] = a
                left -= 1
        faces = to[faces]


def copy(kind, vertices, faces, chance):
    """The copy, its size and whether it is mirrored."""
    scale, mirrored = 1.0, kind in ("mirrored", "remirrored")
    if kind in ("scaled", "subdivided"):
        scale = float(np.exp(chance.uniform(np.log(0.3), np.log(3))))
    if kind == "subdivided":
        vertices, faces = subdivided(vertices, faces)
    if kind in ("decimated", "remirrored"):
        vertices, faces = decimated(vertices, faces, 0.5 if mirrored else 0.7)
    if mirrored:
        vertices = vertices * [-1, 1, 1]
    return scale * vertices @ rotation(chance).T + chance.normal(size=3), faces, scale, mirrored


def make(cla, models, folder, count):
    """What is known of each file: model, kind, size, mirrored."""
    collection = psbench.Collection(cla=cla, models=models, skip_missing=True)
    files = dict(zip(collection.names, collection.files))
    meshes = {}
    for name in collection.names[:: max(1, len(collection) // (2 * count))]:
        mesh = psbench.read_mesh(files[name])
        if len(mesh.faces) <= MOST_FACES and len(meshes) < count:
            meshes[name] = mesh
    folder.mkdir(parents=True, exist_ok=True)
    known = {}
    for number, (name, mesh) in enumerate(meshes.items()):
        chance = np.random.default_rng([1, number])
        known[f"{name}_original"] = (name, "original", 1.0, False)
        psbench.write_mesh(folder / f"{name}_original.ply", mesh)
        for kind in KINDS:
            vertices, faces, scale, mirrored = copy(kind, *mesh, chance)
            known[f"{name}_{kind}"] = (name, kind, scale, mirrored)
            psbench.write_mesh(folder / f"{name}_{kind}.ply", (vertices, faces))
    return known


def show(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def of(part, whole):
    return f"{100 * part / whole:.1f} % of {whole}" if whole else "none"


def main(cla, models, folder, count=40):
    folder = Path(folder)
    known = make(cla, models, folder / "models", int(count))
    psbench.run(folder / "run", "LFD", models=folder / "models", unlabelled=True, no_times=True)
    found = {row["model"]: row for row in psbench.duplicates(folder / "run")}
    lines = []
    for kind in KINDS:
        names = [name for name, what in known.items() if what[1] == kind]
        right = [n for n in names if n in found and known[found[n]["like"]][0] == known[n][0]]
        by = {e: sum(found[n]["evidence"].startswith(e) for n in right) for e in ("same", "remeshed")}
        lines.append((kind, len(names), by["same"], by["remeshed"], of(by["same"] + by["remeshed"], len(names))))
    show(("copies", "made", "same triangles", "remeshed", "recall"), lines)
    lines = []
    for evidence in ("same triangles", "remeshed", "near rows"):
        rows = [row for row in found.values() if row["evidence"].startswith(evidence)]
        alike = [r for r in rows if known[r["model"]][0] == known[r["like"]][0]]
        pairs = [(known[r["model"]], known[r["like"]], r["evidence"]) for r in alike]
        cells = [evidence, of(len(alike), len(rows))]
        for word, truth in (
            ("scaled", [abs(a[2] / b[2] - 1) > 0.01 for a, b, _ in pairs]),
            ("mirrored", [a[3] != b[3] for a, b, _ in pairs]),
        ):
            said = [word in text for _, _, text in pairs]
            both = sum(s and t for s, t in zip(said, truth))
            cells += [of(both, sum(said)), of(both, sum(truth))]
        lines.append(cells)
    show(("evidence", "precision", "scaled: precision", "recall", "mirrored: precision", "called so"), lines)


main(*sys.argv[1:])

#!/usr/bin/env python3
"""Says how far from the published Table 4 a perfect reconstruction would be, and which rows are farther.

    PSBENCH_LIBRARY=build/libpsbench.so PYTHONPATH=python scripts/floor.py PSB_DIR [OUT]

PSB_DIR holds db/ and classification/, OUT defaults to floor-run. Needs NumPy. Leaves the runs
OUT/table4 and OUT/draws, and prints two tables, in Markdown. Takes some minutes. Four things move figures that no rule
can reproduce:

- models that the paper had and this copy of the benchmark does not. Their class mates stand for
  them: each mate is left out in turn, as a query and as a target, and what that changes is what a
  missing model may have changed;
- voxels. Two rasters of equal right differ by some part of a row's norm (measured by SHD's two);
  the rows made from rasters get so much random noise, DRAWS times;
- D2's random points: 16 seeds, whose mean stands for the row;
- both sides are rounded to a tenth.

A row's floor is the mean absolute difference that these alone make, in the mean and in 95 of 100
cases, over many draws of all four. Random numbers have a fixed seed.
"""
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import psbench

FIGURES = ["nearest_neighbor", "first_tier", "second_tier", "e_measure", "dcg"]
SEEDS, DRAWS, CASES = 16, 8, 20000
VOXEL_ROWS = ["SHD", "GEDT", "VOXEL"]  # those made from rasters
random = np.random.default_rng(1)


def run(command, psb, out, *options):
    program = Path(__file__).parent / "../build/psbench"
    arguments = [program, command, "-q", "--skip-missing", "--no-times", "-o", out, *options]
    code = subprocess.run(arguments, stdout=subprocess.DEVNULL).returncode
    if code > 1:  # 1: models are missing
        sys.exit(code)
    return psbench.load_run(out)


def figures(classes, sources, **options):
    """In percent, of each method and measure."""
    e = psbench.evaluate(classes, sources, measures=",".join(FIGURES), **options)
    return np.array([[100 * e.mean(f, m).value for f in FIGURES] for m in sources])


def members(path):
    """The models of each class of a .cla."""
    found, current = {}, None
    for line in Path(path).read_text().splitlines()[2:]:
        words = line.split()
        if len(words) == 3:
            current = found.setdefault(words[0], [])
        elif len(words) == 1:
            current.append(words[0])
    return found


def leave_out(names, classes, matrices, lost):
    """What the figures lose with each of these models."""
    whole = figures(classes, matrices)
    changes = []
    for name in lost:
        keep = np.array([n != name for n in names])
        cut = {label: np.ascontiguousarray(d[keep][:, keep]) for label, d in matrices.items()}
        changes.append(whole - figures([c for c, k in zip(classes, keep) if k], cut))
    return np.array(changes)


def disturb(classes, rows, share):
    """How the figures move where each row gets noise of this share of its norm."""
    size = share * np.linalg.norm(rows, axis=1, keepdims=True)
    moved = []
    for _ in range(DRAWS):
        noise = random.standard_normal(rows.shape)
        noise *= size / np.linalg.norm(noise, axis=1, keepdims=True)
        moved.append(figures(classes, {"": (rows + noise).astype(np.float32)}, metric="l2")[0])
    return np.array(moved) - figures(classes, {"": rows}, metric="l2")[0]


def deviation(changes):
    return np.sqrt(np.mean(np.square(changes), axis=0))


def tenths(x):
    return np.floor(10 * x + 0.5) / 10


def cases(parts):
    """Sums of a random change of each part, CASES of them."""
    return sum(part[random.integers(len(part), size=CASES)] for part in parts)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    psb, out = Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "floor-run")
    listed = members(psb / "classification/v1/base/test.cla")
    table = run("table4", psb, out / "table4", "--psb", psb, "--no-report")
    seeds = ",".join(str(s + 1) for s in range(SEEDS))
    draws = run(
        "run", psb, out / "draws", "-d", f"D2:seed={{{seeds}}},SHD,SHD:raster=sampled",
        "--cla", psb / "classification/v1/base/test.cla", "--models", psb / "db",
    )  # fmt: skip

    rows = {r["descriptor"]: r for r in json.loads((out / "table4/table4.json").read_text())["rows"]}
    names, classes = table.models.names, table.models.classes
    matrices = {label: np.array(table.distances(label)) for label in rows}
    lost = []
    for name, models in listed.items():
        gone = set(models) - set(names)
        mates = sorted(set(models) - gone)
        lost += [leave_out(names, classes, matrices, mates)] * len(gone)
        if gone:
            print(f"Missing of {name}: {len(gone)} of {len(models)}.", end=" ")

    pair = [draws.features(label).array for label in ("SHD", "SHD:raster=sampled")]
    apart = np.linalg.norm(pair[0] - pair[1], axis=1) / np.linalg.norm(pair[0], axis=1)
    share = float(np.median(apart))
    print(f"SHD's two rasters are {100 * share:.2f} % of a row's norm apart (median).\n")
    of_seeds = [label for label in draws.methods if label.startswith("D2")]
    d2 = figures(classes, {label: np.array(draws.distances(label)) for label in of_seeds})

    print("| s.d. | NN | 1st | 2nd | E | DCG | models | voxels | points |")
    print("|---|---|---|---|---|---|---|---|---|")
    floors = []
    for i, label in enumerate(rows):
        of_models = [part[:, i] for part in lost]
        parts, spread = list(of_models), np.sqrt(sum(deviation(p) ** 2 for p in of_models))
        shown = [f"{spread.mean():.2f}", "", ""]
        here = np.array([rows[label][f] for f in FIGURES])
        if label in VOXEL_ROWS:
            parts.append(disturb(classes, np.array(table.features(label).array), share))
            shown[1] = f"{deviation(parts[-1]).mean():.2f}"
        if label == "D2":
            here = d2.mean(axis=0)
            parts.append(d2 - here)
            shown[2] = f"{np.std(d2, axis=0, ddof=1).mean():.2f}"
        spread = np.sqrt(sum(deviation(p) ** 2 for p in parts))
        cells = " | ".join(f"{s:.2f}" for s in spread)
        print(f"| {label} | {cells} | {' | '.join(shown)} |")
        published = np.array([rows[label][f + "_published"] for f in FIGURES])
        noise = np.abs(tenths(here + cases(parts)) - tenths(here)).mean(axis=1)
        floors.append((label, noise, np.abs(tenths(here) - published).mean()))

    print("\n| mean \\|difference\\| | floor | 95 % | here | |\n|---|---|---|---|---|")
    for label, noise, found in floors:
        most = np.quantile(noise, 0.95)
        print(f"| {label} | {noise.mean():.2f} | {most:.2f} | {found:.2f} | "
              f"{'above' if found > most else ''} |")  # fmt: skip
    all_rows = np.mean([noise for _, noise, _ in floors], axis=0)
    found = np.mean([found for _, _, found in floors])
    print(f"| all | {all_rows.mean():.2f} | {np.quantile(all_rows, 0.95):.2f} | {found:.2f} | |")
    figure = (f"{m:.1f} +- {s:.1f}" for m, s in zip(d2.mean(axis=0), np.std(d2, axis=0, ddof=1)))
    print(f"\nD2 over {len(d2)} seeds: {', '.join(figure)}.")


if __name__ == "__main__":
    main()

# The metrics of points as SciPy computes them: nearest points by a tree, the best map by its assignment.
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
if ! "$python" -c 'import scipy' 2>/dev/null; then
    echo "SciPy (python3-scipy) is not there"
    exit 77
fi
"$PSBENCH" synth -q set
"$PSBENCH" describe -q -d POINTS:points=600 -o rows.npy set/db/0/m{2,9,16,23}/*.off
for metric in cd cd-l1 hausdorff emd; do
    "$PSBENCH" distance -q --metric $metric -o $metric.npy rows.npy rows.npy
done
"$python" - <<'END'
import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist, directed_hausdorff

rows = np.load("rows.npy").astype(float).reshape(4, -1, 3)
for metric in ("cd", "cd-l1", "hausdorff", "emd"):
    got = np.load(metric + ".npy")
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            there, back = cKDTree(b).query(a)[0], cKDTree(a).query(b)[0]
            costs = cdist(a, b)
            want = {"cd": np.mean(there**2) + np.mean(back**2), "cd-l1": (there.mean() + back.mean()) / 2,
                    "hausdorff": max(directed_hausdorff(a, b)[0], directed_hausdorff(b, a)[0]),
                    "emd": costs[linear_sum_assignment(costs)].mean()}[metric]
            assert abs(got[i, j] - want) <= 1e-6 * want, (metric, i, j, got[i, j], want)
print("as SciPy has them")
END

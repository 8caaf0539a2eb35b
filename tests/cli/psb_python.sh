# The benchmark's own test set by the Python module: rows, distances and figures are the program's.
if [[ -z ${PSB_DIR:-} ]]; then
    echo 'needs PSB_DIR, the folder of the Princeton Shape Benchmark'
    exit 77
fi
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
"$PSBENCH" run -q --no-times --skip-missing -d D2,EGI --cla "$PSB_DIR/classification/v1/base/test.cla" --models "$PSB_DIR/db" -o run >/dev/null
cat >real.py <<'END'
import os
from pathlib import Path
import psbench
run = psbench.load_run("run")
models = psbench.Collection(cla="run/models.cla", models=os.environ["PSB_DIR"] + "/db")
rows = psbench.describe_files(models, ["D2", "EGI"])
for label, found in rows.items():
    assert found.array.tobytes() == run.features(label).array.tobytes()
    assert psbench.distances(found).tobytes() == Path(f"run/matrices/{label}.matrix").read_bytes()
print(psbench.evaluate("run/models.cla", rows).table(errors=True), end="")
END
"$python" real.py >figures && "$PSBENCH" eval run EGI D2 --errors -f txt | sort | cmp - <(sort figures) && echo 'the same figures'
cat figures

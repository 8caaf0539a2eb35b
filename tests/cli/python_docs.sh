# docs/python.md and docs/embedding.md as they stand: their commands, and each line of Python with what it prints.
# Long: a minute of a processor, for calls that other tests make, too.
# Plain build only: what runs here is the documents' code; the calls are those of other tests.
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
mkdir build
ln -s "$PSBENCH" build/psbench
"$python" - <<'END'
import numpy as np
labels = np.repeat(np.arange(5), 6)
np.save("labels.npy", labels)
np.save("x.npy", np.eye(5)[labels] + np.linspace(0, 0.4, 150).reshape(30, 5))
END
type_document docs/python.md
type_document docs/embedding.md
left docs/python.md docs/embedding.md
"$python" -m doctest "$tree/docs/embedding.md" && echo "$(grep -c '^    >>>' "$tree/docs/embedding.md") lines of Python"
"$python" -m doctest "$tree/docs/python.md" && echo "$(grep -c '^    >>>' "$tree/docs/python.md") lines of Python"

# docs/python.md as it stands: its commands, and each line of Python with what it prints.
# Plain build only: what runs here is the documents' code; the calls are those of other tests.
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
mkdir build
ln -s "$PSBENCH" build/psbench
type_document docs/python.md
left docs/python.md
"$python" -m doctest "$tree/docs/python.md" && echo "$(grep -c '^    >>>' "$tree/docs/python.md") lines of Python"

# docs/python.md as it stands: its commands, and each line of Python with what it prints.
. "$(dirname "${BASH_SOURCE[0]}")/../support/python.sh"
mkdir build
ln -s "$PSBENCH" build/psbench
while IFS= read -r line; do
    eval "$line" >/dev/null 2>err || cat err
done < <(grep -E '^    build/psbench ' "$tree/docs/python.md")
"$python" -m doctest "$tree/docs/python.md" && echo "$(grep -c '^    >>>' "$tree/docs/python.md") lines of Python"

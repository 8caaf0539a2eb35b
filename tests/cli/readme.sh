# Every command line of README.md, and of the documents that go on from there, as it stands there, in its order, in one
# folder that is a checkout, with what it has to print. The generated benchmark stands for the paper's: Table 5 has none of
# the paper's object types, and is the one line that fails.
# Plain build only: these are the commands of other tests once more, as documents have them.
. "$(dirname "${BASH_SOURCE[0]}")/../support/documents.sh"
mkdir checkout
cd checkout || exit
checkout
HOME=$PWD/home
mkdir home
build/psbench synth -q home/psb_v1
for document in README.md docs/commands.md docs/operations.md; do
    echo "== $document"
    type_document "$document"
done
left README.md docs/commands.md docs/operations.md
# What they made; the library that draws text may keep a list of fonts in $HOME.
find . -maxdepth 1 -newer home/psb_v1/README.txt ! -name . ! -name home ! -type l | sort

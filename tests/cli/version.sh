# What a bug report should say about the build; the figures differ from machine to machine.
# A build without libarchive or assimp says so instead.
"$PSBENCH" --version | sed -E 's/^([^ ]+ +).*[0-9].*/\1.../; s/^(CPU +)plain$/\1.../; s/^((archives|assimp) +)none \(no .*/\1.../'
"$PSBENCH" --version | diff - <("$PSBENCH" version) && echo "--version is version"

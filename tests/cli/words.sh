# Words that no engineer of the field would write are in no help, manual page, message, comment, page or document.
# Plain build only: what is read here are texts.
root=$(cd "$(dirname "$0")/../.." && pwd)
words='presets?|to the bit|ha(s|ve) the bytes of|processor[- ](seconds?|time)|lack(s|ed|ing)?|not to be told|be told (from|apart)|(beyond|than|by) luck|classes (as|for) (the |their )?units|(tell|tells|told|speak|speaks) of|stands? together|what there is|what does not count'
british='colou?rs?(?<!color)(?<!colors)|centres?|centred|neighbours?|normalis\w*|randomis\w*|licence|behaviour\w*|recognis\w*|initialis\w*|labelled|unlabelled|judgements?|millimetres?'
{
    "$PSBENCH" help
    for command in $("$PSBENCH" help | sed -n 's/^  \([a-z0-9-]*\)  .*/\1/p' | grep -v '^psbench$'); do
        "$PSBENCH" help "$command"
    done
} | sed 's/^/help: /' >printed
cat >texts.pl <<'END'
# Prints what a file says, a line for each sentence or so: of C its strings and comments, of other files all.
for my $file (@ARGV) {
    local $/;
    open my $in, '<', $file or die "$file: $!";
    my $text = <$in>;
    if ($file !~ /\.[ch]$/) {
        $text =~ s/(?<=\S)\n(?=[^\s|#`-])/ /g; # a phrase may go on in the next line
        $text =~ s/^/$file: /mg;
        print "$text\n";
        next;
    }
    while ($text =~ m{("(?:\\.|[^"\\\n])*")|(/\*.*?\*/)|'(?:\\.|[^'\\\n])*'}gs) {
        my $said = $1 // $2 // next;
        $said =~ s/`[^`]*`//g; # names in the code
        $said =~ s/\s*\n\s*\*?\s*/ /g;
        print "$file: $said\n";
    }
}
END
cd "$root" || exit 1
{
    cat "$OLDPWD/printed"
    perl "$OLDPWD/texts.pl" $(find src tools include -name '*.[ch]' | sort) docs/*.md README.md CONVENTIONS.md man/* data/report/script.js
} | grep -viE 'tests/cli/words|colour-[%0-9$]|"psb2004"' >"$OLDPWD/said"
grep -iPn "\b($words)\b|\b($british)\b" "$OLDPWD/said" | cut -c1-200
echo "$(wc -l <"$OLDPWD/said")" | awk '{ print ($1 > 5000) ? "all was read" : "hardly anything was read" }'

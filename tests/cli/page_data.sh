# The data that the pages' script reads, against the matrices and the scores of the run: ranked lists with
# their distances, ranks of the relevant models, confused classes, curves, the best and the worst queries; and what
# two descriptors' first tiers have in common.
{
    printf 'PSB 1\n5 40\n'
    start=0
    for class in 'plane 11' 'ship 9' 'car 12' 'dog 4' '-1 4'; do
        printf '\n%s 0 %s\n' "${class% *}" "${class#* }"
        for ((i = 0; i < ${class#* }; i++)); do
            echo $((start % 5 + 31 * (start / 5)))
            start=$((start + 1))
        done
    done
} >set.cla
"$PSBENCH" synth -q set
"$PSBENCH" run -q --no-times -d D2,SHELLS,EGI --cla set.cla --models set/db -o run >table.txt
"$PSBENCH" report -q run
cat >check.pl <<'END'
use strict;
my ($wrong, @ids, @of, @first, @count, @name) = (0);
sub slurp { local (@ARGV, $/) = @_; scalar <> }
# An array of the script is one of Perl.
sub data {
    my ($file, $head) = @_;
    slurp("run/report/data/$file") =~ /^\Q$head\E(.*?\])\)?;$/ms or die "$file: no $head";
    my $array = $1 =~ s/\bnull\b/undef/gr;
    eval $array;
}
sub flat { join ' ', map { ref $_ ? '(' . flat(@$_) . ')' : $_ } @_ }
sub same {
    my ($what, $is, $should) = @_;
    return if flat(@$is) eq flat(@$should);
    print "$what: ", flat(@$is), "\n    not: ", flat(@$should), "\n";
    $wrong++;
}
sub order { my ($value, @list) = @_; sort { $value->[$a] <=> $value->[$b] || $a <=> $b } @list }
for (split /\n/, slurp('run/models.cla')) {
    if (/^(\S+) (\S+) (\d+)$/) { push @name, $1; push @first, scalar @ids; push @count, $3 }
    elsif (/^\S+$/) { push @ids, $_; push @of, $#name }
}
my $n = @ids;
my @stems = ('D2', 'SHELLS', 'EGI');
my $models = slurp('run/report/data/models.js');
same('models', eval '[' . ($models =~ /models:\[(.*?)\],/s)[0] . ']', \@ids);
same('classes', eval '[' . ($models =~ /classes:\[(.*?)\],\nmodels/s)[0] . ']',
    [map { [$name[$_], -1, $first[$_], $count[$_], $name[$_] eq '-1' ? 1 : 0] } 0 .. $#name]);
my ($chunk) = $models =~ /chunk:(\d+)/;
my (@dcg, @scored, @tiers);
# Mean precision at recall 1/20 ... 1 of lists of ranks, as percent with a digit; null where no list reaches there.
sub curve {
    my (@sum, @count);
    for my $ranks (@_) {
        my $n = @$ranks;
        for my $j (1 .. 20) {
            next if $n < 2 || $n * $j < 20;
            my $x = $n * $j / 20 - 1;
            my ($low, $high) = (int $x, int $x + 1 < $n ? int $x + 1 : $n - 1);
            my @p = map { ($_ + 1) / $ranks->[$_] } $low, $high;
            $sum[$j] += $p[0] + ($x - $low) * ($p[1] - $p[0]);
            $count[$j]++;
        }
    }
    map { $count[$_] ? sprintf '%.1f', 100 * $sum[$_] / $count[$_] : 'null' } 1 .. 20;
}
for my $d (0 .. 2) {
    my @lists = map { @{data("$stems[$d]/$_.js", "psb.lists($d,$_,")} } 0 .. int(($n - 1) / $chunk);
    my %figures = map { my ($id, $class, @f) = split /\t/; ($id, \@f) } split /\n/, slurp("run/scores/$stems[$d].tsv");
    my @all = unpack 'f<*', slurp("run/matrices/$stems[$d].matrix");
    my (@found, @ranks_of, $of);
    same("$stems[$d]: lists", [scalar @lists], [$n]);
    for my $q (0 .. $n - 1) {
        my @row = @all[$q * $n .. $q * $n + $n - 1];
        my @list = order(\@row, grep { $_ != $q } 0 .. $n - 1);
        my $misc = $name[$of[$q]] eq '-1';
        my @ranks = $misc ? () : grep { $of[$list[$_ - 1]] == $of[$q] } 1 .. $n - 1;
        my ($figures, $list, $distances, $ranks) = @{$lists[$q]};
        same("$stems[$d], query $q", $list, \@list);
        same("$stems[$d], distances of $q", $distances, [map { 0 + sprintf '%.4g', $row[$_] } @list]);
        same("$stems[$d], ranks of $q", $ranks, \@ranks);
        my @scores = $misc ? () : @{$figures{$ids[$q]}};
        same("$stems[$d], figures of $q", [map { abs($figures->[$_] - 100 * $scores[$_]) < 0.0501 } 0 .. $#$figures], [map 1, @scores]);
        $dcg[$d][$q] = $scores[4];
        $scored[$q] = !$misc;
        $found[$of[$q]][$of[$_]]++ for @list[0 .. $#ranks];
        push @{$ranks_of[$of[$q]]}, \@ranks;
        $tiers[$d][$q] = {map { $_ => 1 } @list[0 .. $#ranks]};
    }
    for my $class (@{data("$stems[$d]/classes.js", "psb.confusions($d,")}) {
        my ($c, $confused, $best, $worst, $curve) = @$class;
        my @many = map { $found[$c][$_] || 0 } 0 .. $#name;
        my $sum = $count[$c] * ($count[$c] - 1);
        my @members = $first[$c] .. $first[$c] + $count[$c] - 1;
        my @up = order($dcg[$d], @members);
        my @down = order([map { defined $_ ? -$_ : 0 } @{$dcg[$d]}], @members);
        $of .= "$c ";
        same("$stems[$d], confused with $c", $confused,
            [map { [$_, 0 + sprintf '%.1f', 100 * $many[$_] / $sum] } order([map { -$_ } @many], grep { $many[$_] } 0 .. $#name)]);
        same("$stems[$d], curve of $c", [map { defined $_ ? sprintf '%.1f', $_ : 'null' } @$curve], [curve(@{$ranks_of[$c]})]);
        same("$stems[$d], best of $c", [map { $_->[0] } @$best], [splice @down, 0, 8]);
        same("$stems[$d], worst of $c", [map { $_->[0] } @$worst], [splice @up, 0, 8]);
    }
    same("$stems[$d]: classes", [$of], ['0 1 2 3 ']);
}
# What first tiers have in common, and the tree: the two nearest, then the mean of the third with each.
my %common;
for my $pair ([0, 1], [0, 2], [1, 2]) {
    my ($sum, $queries) = (0, 0);
    for my $q (grep { $scored[$_] } 0 .. $n - 1) {
        my ($one, $other) = map { $tiers[$_][$q] } @$pair;
        $sum += (grep { $other->{$_} } keys %$one) / keys %$one;
        $queries++;
    }
    $common{"$stems[$pair->[0]] $stems[$pair->[1]]"} = 100 * $sum / $queries;
}
my $methods = slurp('run/report/methods.html');
for my $pair (keys %common) {
    my ($one, $other) = split / /, $pair;
    my @shown = $methods =~ /a=$one&amp;b=$other">([0-9.]+)<.*?a=$other&amp;b=$one">([0-9.]+)</s;
    @shown = $methods =~ /a=$other&amp;b=$one">([0-9.]+)<.*?a=$one&amp;b=$other">([0-9.]+)</s if !@shown;
    same("$pair in common", \@shown, [map { sprintf '%.1f', $_ } ($common{$pair}) x 2]);
}
my ($third, $second, $most) = sort { $a <=> $b } values %common;
same('the tree', [$methods =~ /descriptors: ([0-9.]+) % overlap/g], [map { sprintf '%.1f', $_ } $most, ($second + $third) / 2]);
# Two descriptors: the mean difference, and the queries that gain and lose most.
my @gain = map { $scored[$_] ? 100 * ($dcg[0][$_] - $dcg[1][$_]) : 0 } 0 .. $n - 1;
my $mean = 0;
$mean += $_ / 36 for @gain;
my $pair = data('judged.js', 'psb.pairs=')->[0];
same('difference', [abs($pair->[2] - $mean) < 1e-3], [1]);
my @up = order([map { -$_ } @gain], grep { $gain[$_] > 0 } 0 .. $n - 1);
my @down = order(\@gain, grep { $gain[$_] < 0 } 0 .. $n - 1);
same('gain most', [map { $_->[0] } @{$pair->[7]}], [splice @up, 0, 8]);
same('lose most', [map { $_->[0] } @{$pair->[8]}], [splice @down, 0, 8]);
same('by how much', [map { abs($_->[1] - $gain[$_->[0]]) < 0.0501 } @{$pair->[7]}, @{$pair->[8]}], [map 1, 1 .. 16]);
print "$n models, $wrong things are wrong\n";
END
perl check.pl

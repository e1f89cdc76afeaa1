#!/usr/bin/perl
# A bot in another language, over pipes: it reads a question a line and takes a pseudo-random action by its number.
#     python -m fallujah_client bot 9 -- perl examples/first_bot.pl
use strict;
use warnings;
$| = 1;
my $turn = 0;
while (my $question = <STDIN>) {
    my ($total) = $question =~ /"total": (\d+)/;
    print 1 + ($turn++ * 7919) % $total, "\n";
}

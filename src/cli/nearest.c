/* Guesses what a mistyped name was meant to be. */
#include "cli/frame.h"

#include <string.h>

/* Names are short; of a longer word only the beginning is compared. */
enum { LONGEST = 31 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that make one word the other. */
static int edits(const char *a, const char *b) {
    int rows = (int)strnlen(a, LONGEST);
    int columns = (int)strnlen(b, LONGEST);
    int cost[LONGEST + 1][LONGEST + 1];
    for (int j = 0; j <= columns; j++) {
        cost[0][j] = j;
    }
    for (int i = 1; i <= rows; i++) {
        cost[i][0] = i;
        for (int j = 1; j <= columns; j++) {
            int replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = least(replaced, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[rows][columns];
}

const char *cli_nearest(const char *word, const char *(*name_at)(const void *, int),
                        const void *context) {
    const char *best = NULL;
    int fewest = 1 + (int)(strlen(word) + 1) / 3; /* one edit in three letters is still a typo */
    for (int i = 0; name_at(context, i) != NULL; i++) {
        const char *name = name_at(context, i);
        int count = edits(word, name);
        if (count < fewest) {
            fewest = count;
            best = name;
        }
    }
    return best;
}

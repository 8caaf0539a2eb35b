/* Hashes of this program's own sources, which the Makefile makes: they tell builds apart. */
#ifndef PSB_CORE_SOURCES_H
#define PSB_CORE_SOURCES_H

/* Of all that decides the numbers in features: core, io, normalize, descriptors. */
extern const char psb_row_sources[];
/* Of all that decides distances and scores: distance, eval. */
extern const char psb_score_sources[];

#endif

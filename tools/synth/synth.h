/*
 * The built-in benchmark: parametric objects in labeled classes, made from a seed, for trying the
 * program where the Princeton Shape Benchmark is not at hand. Models have ids 0 ... count - 1.
 */
#pragma once

#include "core/text.h"

#define PSB_SYNTH_SEED 2004

size_t psb_synth_model_count(void);
/* Returns the number of classes that have models; classes that only group others do not count. */
size_t psb_synth_class_count(void);

/*
 * Appends the OFF file of one model to `off`. The file depends only on the seed, the model's class
 * and its number within the class: other classes may come and go. PSB_ERROR_USAGE for an id that
 * does not exist.
 */
psb_status psb_synth_model(uint64_t seed, size_t id, psb_text *off, psb_error *error);

/*
 * Writes the benchmark in the PSB's layout: folder/db/<id / 100>/m<id>/m<id>.off and
 * folder/classification/v1/{base,coarse1,coarse2,coarse3}, plus a README.txt by which a later call
 * knows the folder as its own and writes it anew. PSB_ERROR_USAGE for a folder that holds anything
 * else.
 */
psb_status psb_synth_write(const char *folder, uint64_t seed, psb_error *error);

/*
 * Names of models and classes. A model's name is its path below the models' folder without the
 * ending; names stand in files whose fields are words, so a name is one word: blanks, control
 * characters and what is no UTF-8 are written as "%20", and so are a '#' that would begin a comment
 * and a '%' that would be read so. Names of the benchmark have none of these.
 */
#ifndef PSB_IO_NAME_H
#define PSB_IO_NAME_H

#include "core/beneath.h"
#include "core/text.h"

enum { PSB_NAME_MOST = 255 }; /* bytes of a name */

/*
 * Appends these bytes as a model's name; what lies between '/' is folders. `named`: they are a name
 * already, perhaps, and a '%' stays.
 */
void psb_name_add(psb_text *name, const char *bytes, size_t length, bool named);
/* The same for a class, or one level of several: a '/' is a part of it, and so is 0. */
void psb_name_add_class(psb_text *name, const char *bytes, size_t length, bool named);

/* Whether a name stands for its own bytes, and those that it stands for. */
bool psb_name_is_plain(const char *name);
void psb_name_decode(psb_text *bytes, const char *name);
/* The same for people: only what a keyboard has, blanks too, stands for itself. */
void psb_name_show(psb_text *text, const char *name);

/* The name of a file for a model, in one folder for all, where '/' is "%2F"; and its name again. */
void psb_name_add_file(psb_text *file, const char *name);
void psb_name_add_of_file(psb_text *name, const char *file, size_t length);

#endif

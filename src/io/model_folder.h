/* Lists the models below a folder: each file that holds a mesh, with the folders it is in. */
#ifndef PSB_IO_MODEL_FOLDER_H
#define PSB_IO_MODEL_FOLDER_H

#include "io/archive.h"
#include "io/listing.h"

/* For `split`: every part, as if the set were not divided. */
#define PSB_SPLIT_ALL "all"

/*
 * Adds every model below `folder`, in the order of names as bytes, a folder's own before those of
 * the folders in it. Its name is its path without the ending, its classes are the folders.
 *
 * Where all folders in one are called train, test, val, valid, validation, dev or `split`, they are
 * parts of a divided set and no classes: those called `split` are taken, and what is in no part is
 * left out. Without `split` two or more of them are PSB_ERROR_USAGE.
 *
 * Links are followed, each folder is visited once. Of several files of one name the one is taken
 * whose ending comes first (psb_mesh_ending_at). Both is noted, as are models in no part. What
 * begins with a dot is not looked at. A link that leads nowhere is a model without a path;
 * PSB_ERROR_IO for a folder that cannot be read.
 */
psb_status psb_listing_add_folder(psb_listing *listing, const psb_archive *archive,
                                  const char *folder, const char *split, psb_error *error);

#endif

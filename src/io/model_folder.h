/* Lists the models below a folder: each file that holds a mesh, with the folders it is in. */
#pragma once

#include "io/archive.h"
#include "io/listing.h"

/* As `split`: takes all parts, as if the set were not divided. */
#define PSB_SPLIT_ALL "all"

/*
 * Adds every model below `folder`, sorted by names as bytes, the models of a folder before those in
 * its subfolders. A model's name is its path without the ending; its classes are the folders.
 *
 * If all subfolders of a folder are called train, test, val, valid, validation, dev or `split`,
 * they are parts of a divided set and no classes: those called `split` are taken, and models
 * outside them are left out. Without `split`, two or more parts are PSB_ERROR_USAGE.
 *
 * Links are followed; each folder is visited once. Of several files with one name, the one whose
 * ending comes first (psb_mesh_ending_at) is taken. The notes name what this skips, and models in
 * no part. Names that begin with a dot are skipped. A link that leads nowhere is a model without a
 * path; PSB_ERROR_IO for a folder that cannot be read.
 */
psb_status psb_listing_add_folder(psb_listing *listing, const psb_archive *archive,
                                  const char *folder, const char *split, psb_error *error);

/* The same where files of points are models, too: see psb_collection_options.clouds. Those in
 * archives are not. */
psb_status psb_listing_add_clouds(psb_listing *listing, const psb_archive *archive,
                                  const char *folder, const char *split, psb_error *error);

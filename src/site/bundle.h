/*
 * A report in one file, to be sent: its front page with all that it shows inside, or all of its
 * files in an archive. Both are made from the folder of a finished report.
 */
#pragma once

#include "psbench.h"

/*
 * Writes FOLDER/index.html to `path` with styles, scripts, pictures and the tables that it offers
 * within. Links to the other pages, which are not there, become plain text.
 */
psb_status psb_bundle_page(const char *folder, const char *path, psb_error *error);

/*
 * Writes the files of the report as NAME/..., NAME being that of the archive without its ending, in
 * the order of their names and without times: the same files give the same bytes. Other files in
 * the folder stay out. PSB_ERROR_USAGE above what a plain zip holds, 65,535 files or 4 GiB.
 */
psb_status psb_bundle_zip(const char *folder, const char *path, psb_error *error);

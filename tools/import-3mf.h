/* What of a 3MF package assimp would leave out without a word. */
#ifndef TOOLS_IMPORT_3MF_H
#define TOOLS_IMPORT_3MF_H

#include "psbench.h"

/*
 * PSB_ERROR_INPUT, which names what is not read: objects in other parts of the package (p:path of
 * the production extension, for which assimp takes objects of the same number in the first part, or
 * none), and extensions that the file requires, unless these leave the surface as it is. PSB_OK
 * also for what is no such package: assimp says what is wrong with it.
 */
psb_status import_3mf_check(const char *data, size_t size, psb_error *error);

#endif

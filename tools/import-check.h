/* Finds what assimp would leave out of a file without a word. */
#ifndef TOOLS_IMPORT_CHECK_H
#define TOOLS_IMPORT_CHECK_H

#include "psbench.h"

/*
 * Fails with PSB_ERROR_INPUT, and names what is not read: in a 3MF package objects in other parts
 * (p:path of the production extension, for which assimp takes objects of the same number in the
 * first part, or none), and extensions that it requires, unless these leave the surface as it is;
 * in a COLLADA file nodes of other files. Anything else is PSB_OK: assimp says what is wrong with
 * it.
 */
psb_status import_check(const char *name, const char *data, size_t size, psb_error *error);

#endif

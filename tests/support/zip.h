/* Writes ZIP archives for tests of what reads them. */
#pragma once

#include "core/text.h"

typedef struct test_member {
    const char *name;
    const char *bytes;
    size_t size;
} test_member;

/* Appends an archive of these members, stored; deflated where `deflate` is true. */
void test_zip_add(psb_text *out, const test_member *members, size_t count, bool deflate);

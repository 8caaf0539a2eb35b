/* Object File Format, with the deviations of files on the web. Other code calls psb_mesh_read of
 * the public header. */
#pragma once

#include "io/mesh.h"

/* psb_mesh_parse for a file that is known to be OFF. */
psb_status psb_off_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                         psb_error *error);

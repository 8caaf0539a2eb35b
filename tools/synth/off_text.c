/* Writes faces to a separate text first, since their number stands before them in the file. */
#include "synth/off_text.h"

#include "synth/draw.h"

#include <math.h>

unsigned psb_draw_mess(psb_random *random) {
    if (!psb_chance(random, 0.15)) {
        return 0;
    }
    unsigned mess = 1U << psb_choose(random, 0, 6);
    for (unsigned kind = PSB_MESS_POLYGONS; kind <= PSB_MESS_COLOURS; kind *= 2) {
        mess |= psb_chance(random, 0.3) ? kind : 0;
    }
    return mess;
}

typedef struct face_writer {
    psb_text text;
    size_t count;
    unsigned mess;
    const char *line_end;
} face_writer;

static void write_face(face_writer *writer, uint32_t size, const uint32_t *corners) {
    psb_text_add_numbers(&writer->text, &size, 1, ' ');
    psb_text_add(&writer->text, " ");
    psb_text_add_numbers(&writer->text, corners, size, ' ');
    if (writer->mess & PSB_MESS_COLOURS) {
        psb_text_add(&writer->text, " 0.8 0.5 0.2");
    }
    psb_text_add(&writer->text, writer->line_end);
    writer->count++;
}

/* Writes one polygon, whole or as a fan of triangles. */
static void write_polygon(face_writer *writer, uint32_t size, const uint32_t *corners) {
    if (writer->mess & PSB_MESS_POLYGONS) {
        write_face(writer, size, corners);
        return;
    }
    for (uint32_t i = 2; i < size; i++) {
        write_face(writer, 3, (uint32_t[]){corners[0], corners[i - 1], corners[i]});
    }
}

static void write_faces(face_writer *writer, const psb_builder *builder, psb_random *random) {
    const uint32_t *corners = psb_builder_corners(builder);
    for (size_t i = 0; i < builder->nfaces; i++) {
        uint32_t size = psb_builder_sizes(builder)[i];
        if (!(writer->mess & PSB_MESS_HOLES) || !psb_chance(random, 0.05)) {
            write_polygon(writer, size, corners);
        }
        if ((writer->mess & PSB_MESS_DUPLICATES) && psb_chance(random, 0.05)) {
            write_polygon(writer, size, corners);
        }
        if ((writer->mess & PSB_MESS_DEGENERATE) && psb_chance(random, 0.03)) {
            write_face(writer, 3, (uint32_t[]){corners[0], corners[1], corners[0]});
        }
        corners += size;
    }
}

/* Returns the largest absolute coordinate. */
static double extent(const psb_builder *builder) {
    double most = 0;
    for (size_t i = 0; i < 3 * builder->nvertices; i++) {
        most = fmax(most, fabs(psb_builder_vertices(builder)[i]));
    }
    return most;
}

static void write_vertices(psb_text *text, const psb_builder *builder, const char *line_end) {
    const double least = 1e-7 * extent(builder);
    for (size_t i = 0; i < builder->nvertices; i++) {
        for (int k = 0; k < 3; k++) {
            double x = psb_builder_vertices(builder)[3 * i + (size_t)k];
            psb_text_add_short(text, fabs(x) < least ? 0 : x, 6);
            psb_text_add(text, k < 2 ? " " : line_end);
        }
    }
}

void psb_add_off_text(psb_text *text, const psb_builder *builder, unsigned mess,
                      psb_random *random) {
    const char *line_end = mess & PSB_MESS_CRLF ? "\r\n" : "\n";
    const bool comments = mess & PSB_MESS_COMMENTS;
    face_writer writer = {.mess = mess, .line_end = line_end};
    write_faces(&writer, builder, random);
    psb_text_printf(text, "OFF%s", line_end);
    if (comments) {
        psb_text_printf(text, "# a generated model%s%s", line_end, line_end);
    }
    psb_text_printf(text, "%zu %zu 0%s%s", builder->nvertices, writer.count,
                    comments ? " # vertices, faces, edges" : "", line_end);
    write_vertices(text, builder, line_end);
    if (comments) {
        psb_text_printf(text, "# faces%s", line_end);
    }
    psb_text_take(text, &writer.text);
}

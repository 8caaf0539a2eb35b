/* Makes one model: its class's object in a pose of its own. */
#include "synth/synth.h"

#include "core/elementary.h"
#include "synth/classes.h"
#include "synth/off_text.h"

#include <math.h>
#include <stdio.h>

/* Draws the fineness of the tessellation, and with it the look of curved surfaces. */
static void draw_tessellation(psb_builder *builder, psb_random *random) {
    builder->around = psb_choose(random, 12, 32);
    builder->grid = psb_choose(random, 3, 6);
    builder->smooth = psb_choose(random, 2, 5);
}

/*
 * Draws a pose. Most models stand upright, with z or y up; some of these face any direction; a few
 * models are turned at random. All are stretched a little along their own axes.
 */
static void draw_pose(psb_builder *builder, psb_random *random) {
    double scale = psb_pow(10, psb_between(random, -1.5, 2));
    double x = psb_between(random, -2, 2);
    double y = psb_between(random, -2, 2);
    double z = psb_between(random, -1, 1);
    double attitude = psb_between(random, 0, 1);
    double heading = psb_choose(random, 0, 3) * M_PI / 2;
    double turned = psb_between(random, 0, 2 * M_PI);
    double height = psb_between(random, -1, 1); /* z of the axis that pointed upward */
    double tilt = psb_atan2(sqrt((1 - height) * (1 + height)), height);
    psb_stretch(builder, scale, scale, scale);
    psb_move(builder, x, y, z);
    if (attitude < 0.15) {
        psb_turn(builder, 2, psb_between(random, 0, 2 * M_PI));
        psb_turn(builder, 0, tilt);
    } else if (attitude < 0.45) {
        psb_turn(builder, 0, -M_PI / 2);
    }
    psb_turn(builder, 2, attitude < 0.15 || attitude > 0.75 ? turned : heading);
    double stretch[3];
    for (int i = 0; i < 3; i++) {
        stretch[i] = psb_between(random, 0.8, 1.2);
    }
    psb_stretch(builder, stretch[0], stretch[1], stretch[2]);
}

psb_status psb_synth_model(uint64_t seed, size_t id, psb_text *off, psb_error *error) {
    if (id >= psb_synth_model_count()) {
        return psb_fail(error, PSB_ERROR_USAGE, "model %zu: the built-in benchmark has %zu", id,
                        psb_synth_model_count());
    }
    psb_synth_place place = psb_synth_place_of(id);
    char name[64];
    snprintf(name, sizeof name, "%s/%zu", place.kind->name, place.member);
    psb_random random = psb_random_seeded(seed, name, "pose");
    psb_builder builder = {.status = PSB_OK};
    psb_builder_restart(&builder, error);
    draw_tessellation(&builder, &random);
    draw_pose(&builder, &random);
    random = psb_random_seeded(seed, name, "shape");
    place.kind->make(&builder, &random);
    psb_status status = builder.status;
    if (status == PSB_OK) {
        random = psb_random_seeded(seed, name, "mess");
        unsigned mess = psb_draw_mess(&random);
        psb_add_off_text(off, &builder, mess, &random);
        status = psb_text_status(off, error);
    }
    psb_builder_free(&builder);
    return status;
}

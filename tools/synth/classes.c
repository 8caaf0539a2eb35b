/* A new class needs a function in an object file, its name in objects.h, and a line here. */
#include "synth/classes.h"

#include "synth/synth.h"

#define GROUP(name, parent)                                                                        \
    { name, parent, {NULL, NULL, NULL}, 0, NULL }

/* As in the PSB, class "-1" has the models that fit no coarse class. */
const psb_synth_class psb_synth_classes[] = {
    GROUP("furniture", "0"),
    GROUP("seat", "furniture"),
    {"chair", "seat", {"seat", "furniture", "manmade"}, 11, psb_make_chair},
    {"stool", "seat", {"seat", "furniture", "manmade"}, 8, psb_make_stool},
    GROUP("table", "furniture"),
    {"round_table", "table", {"table", "furniture", "manmade"}, 8, psb_make_round_table},
    {"rectangular_table", "table", {"table", "furniture", "manmade"}, 10, psb_make_long_table},
    {"shelf", "furniture", {"shelf", "furniture", "manmade"}, 8, psb_make_shelf},
    {"bed", "furniture", {"bed", "furniture", "manmade"}, 8, psb_make_bed},
    GROUP("vessel", "0"),
    {"bottle", "vessel", {"vessel", "household", "manmade"}, 9, psb_make_bottle},
    {"mug", "vessel", {"vessel", "household", "manmade"}, 8, psb_make_mug},
    {"wine_glass", "vessel", {"vessel", "household", "manmade"}, 8, psb_make_wine_glass},
    {"bowl", "vessel", {"vessel", "household", "manmade"}, 8, psb_make_bowl},
    GROUP("lamp", "0"),
    {"desk_lamp", "lamp", {"lamp", "household", "manmade"}, 8, psb_make_desk_lamp},
    {"floor_lamp", "lamp", {"lamp", "household", "manmade"}, 8, psb_make_floor_lamp},
    GROUP("chess_piece", "0"),
    {"pawn", "chess_piece", {"chess_piece", "household", "manmade"}, 8, psb_make_pawn},
    {"bishop", "chess_piece", {"chess_piece", "household", "manmade"}, 8, psb_make_bishop},
    GROUP("weapon", "0"),
    {"sword", "weapon", {"handheld", "household", "manmade"}, 10, psb_make_sword},
    {"hammer", "weapon", {"handheld", "household", "manmade"}, 8, psb_make_hammer},
    {"axe", "weapon", {"handheld", "household", "manmade"}, 8, psb_make_axe},
    GROUP("vehicle", "0"),
    {"airplane", "vehicle", {"aircraft", "vehicle", "manmade"}, 11, psb_make_airplane},
    {"rocket", "vehicle", {"aircraft", "vehicle", "manmade"}, 8, psb_make_rocket},
    {"car", "vehicle", {"car", "vehicle", "manmade"}, 10, psb_make_car},
    {"sailboat", "vehicle", {"sailboat", "vehicle", "manmade"}, 8, psb_make_sailboat},
    GROUP("plant", "0"),
    GROUP("tree", "plant"),
    {"conifer", "tree", {"tree", "plant", "natural"}, 8, psb_make_conifer},
    {"leafy_tree", "tree", {"tree", "plant", "natural"}, 9, psb_make_leafy_tree},
    {"potted_plant", "plant", {"potted_plant", "plant", "natural"}, 9, psb_make_potted_plant},
    GROUP("animal", "0"),
    {"quadruped", "animal", {"quadruped", "animal", "natural"}, 9, psb_make_quadruped},
    {"snake", "animal", {"snake", "animal", "natural"}, 8, psb_make_snake},
    GROUP("machine_part", "0"),
    {"gear", "machine_part", {"machine_part", "-1", "manmade"}, 8, psb_make_gear},
    {"spring", "machine_part", {"machine_part", "-1", "manmade"}, 8, psb_make_spring},
    {"ring", "0", {"ring", "-1", "manmade"}, 8, psb_make_ring},
    {"ladder", "0", {"ladder", "-1", "manmade"}, 8, psb_make_ladder},
    {"house", "0", {"house", "-1", "manmade"}, 9, psb_make_house},
    {NULL, NULL, {NULL, NULL, NULL}, 0, NULL},
};

size_t psb_synth_model_count(void) {
    size_t count = 0;
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        count += kind->members;
    }
    return count;
}

size_t psb_synth_class_count(void) {
    size_t count = 0;
    for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
        count += kind->members > 0;
    }
    return count;
}

size_t psb_synth_id_of(const psb_synth_class *kind, size_t member) {
    size_t id = 0;
    for (const psb_synth_class *row = psb_synth_classes; row->name != NULL; row++) {
        id += row->members < member ? row->members : member;
        id += row < kind && row->members > member;
    }
    return id;
}

psb_synth_place psb_synth_place_of(size_t id) {
    for (size_t member = 0;; member++) {
        for (const psb_synth_class *kind = psb_synth_classes; kind->name != NULL; kind++) {
            if (kind->members > member && id-- == 0) {
                return (psb_synth_place){kind, member};
            }
        }
    }
}

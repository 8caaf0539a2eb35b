/*
 * The objects of the built-in benchmark. Each adds one instance to the builder, with proportions
 * and details drawn from `random`; the file that defines the object says how it stands.
 */
#pragma once

#include "synth/draw.h"
#include "synth/solids.h"

typedef void psb_object(psb_builder *builder, psb_random *random);

psb_object psb_make_chair, psb_make_stool, psb_make_round_table, psb_make_long_table,
    psb_make_shelf, psb_make_bed;
psb_object psb_make_bottle, psb_make_mug, psb_make_wine_glass, psb_make_bowl;
psb_object psb_make_sword, psb_make_hammer, psb_make_axe, psb_make_ladder;
psb_object psb_make_airplane, psb_make_car, psb_make_sailboat, psb_make_rocket;
psb_object psb_make_conifer, psb_make_leafy_tree, psb_make_potted_plant;
psb_object psb_make_snake, psb_make_quadruped;
psb_object psb_make_desk_lamp, psb_make_floor_lamp, psb_make_pawn, psb_make_bishop;
psb_object psb_make_gear, psb_make_ring, psb_make_spring;
psb_object psb_make_house;

/*
 * Figures of the paper as printed, the descriptors in its order. Times of Table 4 were taken on a
 * 2.0 GHz Pentium 4.
 */
#include "report/published.h"

#include <math.h>
#include <string.h>

typedef struct psb_published_row figures;

/* clang-format off */
static const char *const columns4[] = {
    "storage_bytes", "generate_s", "compare_s", "nearest_neighbor", "first_tier", "second_tier",
    "e_measure", "dcg", "normalized_dcg",
};

static const figures rows4[] = {
    {"LFD",     { 4700, 3.25, 0.001300, 65.7, 38.0, 48.7, 28.0, 64.3,  21.3}},
    {"REXT",    {17416, 2.22, 0.000229, 60.2, 32.7, 43.2, 25.4, 60.1,  13.3}},
    {"SHD",     { 2184, 1.69, 0.000027, 55.6, 30.9, 41.1, 24.1, 58.4,  10.2}},
    {"GEDT",    {32776, 1.69, 0.000450, 60.3, 31.3, 40.7, 23.7, 58.4,  10.1}},
    {"EXT",     {  552, 1.17, 0.000008, 54.9, 28.6, 37.9, 21.9, 56.2,   6.0}},
    {"SECSHEL", {32776, 1.38, 0.000451, 54.6, 26.7, 35.0, 20.9, 54.5,   2.8}},
    {"VOXEL",   {32776, 1.34, 0.000450, 54.0, 26.7, 35.3, 20.7, 54.3,   2.4}},
    {"SECTORS", {  552, 0.90, 0.000014, 50.4, 24.9, 33.4, 19.8, 52.9,  -0.3}},
    {"CEGI",    { 2056, 0.37, 0.000027, 42.0, 21.1, 28.7, 17.0, 47.9,  -9.6}},
    {"EGI",     { 1032, 0.41, 0.000014, 37.7, 19.7, 27.7, 16.5, 47.2, -10.9}},
    {"D2",      {  136, 1.12, 0.000002, 31.1, 15.8, 23.5, 13.9, 43.4, -18.2}},
    {"SHELLS",  {  136, 0.66, 0.000002, 22.7, 11.1, 17.3, 10.2, 38.6, -27.3}},
};

static const char *const columns5[] = {
    "all_models", "animal", "building", "furniture", "household", "tree_plant", "vehicle",
    "rotation_aligned", "stick_shape", "complex_shape",
};

static const figures rows5[] = {
    {"LFD",     { 21.3,  15.8,  41.6,  35.4,  25.3,  24.4,  17.9,  18.8,  14.8,  28.2}},
    {"REXT",    { 13.3,   8.6,   3.9,  11.2,  13.9,   8.8,  16.2,  12.3,  10.0,  15.0}},
    {"SHD",     { 10.2,  10.3,  -8.3,  10.1,  12.8,  19.7,   7.2,   7.6,   4.9,   8.9}},
    {"GEDT",    { 10.1,   9.6,   3.6,   8.1,  10.8,   6.6,  10.6,  13.0,   8.1,  13.5}},
    {"EXT",     {  6.0,   6.4,  10.9,   5.3,   8.5,  -6.8,   7.7,   5.0,   6.6,   6.1}},
    {"SECSHEL", {  2.8,   0.6,   1.1,  -5.6,   7.2, -11.4,   7.1,   5.2,   3.6,   2.2}},
    {"VOXEL",   {  2.4,   4.0,   1.1,  -1.7,   3.3,  -2.5,   5.4,   4.7,   5.3,   0.2}},
    {"SECTORS", { -0.3,  -2.2,   1.8,  -6.1,   4.0, -21.4,   3.6,   2.0,   4.7,  -1.6}},
    {"CEGI",    { -9.6,  -4.1, -22.6,   1.1, -19.6,  11.2, -13.4,  -8.7,  -7.9, -12.7}},
    {"EGI",     {-10.9,  -9.7, -12.2,   0.0, -21.1,  11.8, -12.7, -11.2,  -9.8,  -9.1}},
    {"D2",      {-18.2, -16.1,  -0.3, -26.4, -15.2, -21.5, -21.1, -19.7, -11.5, -19.9}},
    {"SHELLS",  {-27.3, -23.1, -20.8, -31.4, -29.9, -19.0, -28.5, -29.1, -28.8, -30.9}},
};

static const char *const columns6[] = {
    "base_92", "coarse_44", "coarser_6", "coarsest_2",
};

static const figures rows6[] = {
    {"LFD",     { 21.3,  11.7,  3.2,  0.3}},
    {"REXT",    { 13.3,   6.8,  2.0,  0.2}},
    {"SHD",     { 10.2,   5.7,  0.9, -0.6}},
    {"GEDT",    { 10.1,   4.8,  1.2, -0.3}},
    {"EXT",     {  6.0,   2.0,  0.7, -0.6}},
    {"SECSHEL", {  2.8,  -0.3,  0.1, -0.4}},
    {"VOXEL",   {  2.4,   0.0, -0.1, -0.4}},
    {"SECTORS", { -0.3,  -1.4, -0.7, -0.7}},
    {"CEGI",    { -9.6,  -1.2,  0.6,  2.6}},
    {"EGI",     {-10.9,  -2.1,  0.2,  3.0}},
    {"D2",      {-18.2, -10.3, -3.4, -1.6}},
    {"SHELLS",  {-27.3, -15.7, -4.5, -1.5}},
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const psb_published psb_published_table4 = {COUNT(rows4), rows4, COUNT(columns4), columns4};
const psb_published psb_published_table5 = {COUNT(rows5), rows5, COUNT(columns5), columns5};
const psb_published psb_published_none = {0, rows4, 0, columns4};
const psb_published psb_published_table6 = {COUNT(rows6), rows6, COUNT(columns6), columns6};

size_t psb_published_find(const psb_published *table, const char *name) {
    size_t at = 0;
    while (at < table->nrows && strcmp(table->rows[at].name, name) != 0) {
        at++;
    }
    return at;
}

double psb_published_figure(const psb_published *table, size_t row, const char *column) {
    for (size_t j = 0; j < table->ncolumns; j++) {
        if (strcmp(table->columns[j], column) == 0) {
            return table->rows[row].figure[j];
        }
    }
    return NAN;
}

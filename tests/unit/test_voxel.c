/* Tests that VOXEL stores the raster, sampled on the spheres, in harmonics. */
#include "fields/shape.h"
#include "support/meshes.h"
#include "support/test.h"

enum { LENGTH = PSB_SHELLS * PSB_FULL };
static float row[LENGTH], other[LENGTH];

static double bit(const psb_raster *raster, const int voxel[3]) {
    return (double)(raster->row[voxel[2]][voxel[1]] >> voxel[0] & 1);
}

/* Value at a point of the grid by either rule; the spheres stay within it. */
static double read_raster(const psb_raster *raster, const double x[3], bool trilinear) {
    int voxel[3];
    if (!trilinear) {
        for (int k = 0; k < 3; k++) {
            voxel[k] = (int)floor(x[k] + 0.5);
        }
        return bit(raster, voxel);
    }
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            double low = floor(x[k]);
            voxel[k] = (int)low + (corner >> k & 1);
            weight *= (corner >> k & 1) != 0 ? x[k] - low : 1.0 - (x[k] - low);
            inside = inside && voxel[k] < PSB_VOXELS;
        }
        sum += inside ? weight * bit(raster, voxel) : 0.0;
    }
    return sum;
}

static void stores_the_raster_on_spheres(void **state) {
    (void)state;
    psb_error error;
    psb_tables *tables;
    psb_shape *shape;
    assert_int_equal(psb_tables_new(&tables, &error), PSB_OK);
    assert_int_equal(psb_shape_new(tables, &shape, &error), PSB_OK);
    psb_mesh mesh = test_blob(81, 60);
    for (int trilinear = 0; trilinear < 2; trilinear++) {
        const psb_raster *raster;
        assert_int_equal(psb_shape_load(shape, &mesh, "model", &error), PSB_OK);
        assert_int_equal(psb_shape_raster(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &raster, &error),
                         PSB_OK);
        const psb_scratch *scratch = psb_shape_scratch(shape);
        for (int n = 0; n < PSB_SPHERE_SAMPLES; n++) {
            int i = n % 64, s = n / 64 % 32, j = n / 64 / 32;
            double polar = M_PI * (2 * j + 1) / 128.0, azimuth = 2.0 * M_PI * i / 64.0;
            double r = s + 0.5;
            double x[3] = {32.0 + r * sin(polar) * cos(azimuth),
                           32.0 + r * sin(polar) * sin(azimuth), 32.0 + r * cos(polar)};
            scratch->samples[n] = r * read_raster(raster, x, trilinear == 1);
        }
        psb_harmonics_forward(psb_shape_harmonics(shape), PSB_SHELLS, scratch->samples,
                              scratch->transform, scratch->coefficients);
        for (int s = 0; s < PSB_SHELLS; s++) {
            psb_harmonics_store(scratch->coefficients[s], PSB_FORM_FULL,
                                scratch->values + s * PSB_FULL);
        }
        assert_int_equal(psb_store_unit(scratch->values, LENGTH, other, &error), PSB_OK);
        test_describe(trilinear == 1 ? "VOXEL:sampling=trilinear" : "VOXEL", &mesh, "model", row);
        ASSERT_NEAR(test_row_distance(row, other, LENGTH), 0.0, 1e-5);
    }
    psb_mesh_free(&mesh);
    psb_shape_free(shape);
    psb_tables_free(tables);
}

/* The voxels of a sphere of radius 16 lie within the four shells around it. */
static void sphere_lies_in_its_shells(void **state) {
    (void)state;
    psb_mesh sphere = test_sphere(7.0, 80, 160);
    test_describe("VOXEL", &sphere, "sphere", row);
    double inside = 0.0;
    for (int i = 14 * PSB_FULL; i < 18 * PSB_FULL; i++) {
        inside += (double)row[i] * row[i];
    }
    ASSERT_NEAR(inside, 1.0, 1e-6);
    psb_mesh_free(&sphere);
}

static void magnitudes_are_those_of_the_coefficients(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(83, 60);
    test_describe("VOXEL", &mesh, "model", row);
    test_describe("VOXEL:form=magnitude", &mesh, "model", other);
    const float *full = row, *magnitude = other;
    for (int s = 0; s < PSB_SHELLS; s++) {
        for (int l = 0; l < PSB_DEGREES; l++) {
            ASSERT_NEAR(fabs((double)*full++), *magnitude++, 1e-6);
            for (int m = 1; m <= l; m++, full += 2) {
                ASSERT_NEAR(hypot((double)full[0], (double)full[1]), *magnitude++, 1e-6);
            }
        }
    }
    psb_mesh_free(&mesh);
}

static void tessellation_does_not_matter(void **state) {
    (void)state;
    psb_mesh mesh = test_blob(85, 60), cut = test_subdivide(&mesh);
    test_shuffle(&cut, 3);
    test_describe("VOXEL", &mesh, "model", row);
    test_describe("VOXEL", &cut, "model", other);
    ASSERT_NEAR(test_row_distance(row, other, LENGTH), 0.0, 1e-3);
    psb_mesh_free(&mesh);
    psb_mesh_free(&cut);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_the_raster_on_spheres),
        cmocka_unit_test(sphere_lies_in_its_shells),
        cmocka_unit_test(magnitudes_are_those_of_the_coefficients),
        cmocka_unit_test(tessellation_does_not_matter),
    };
    return cmocka_run_group_tests_name("voxel", tests, NULL, NULL);
}

/* The published figures come from data/published, embedded by the build. */
#include "report/published.h"

#include "core/error.h"
#include "core/number.h"

extern const unsigned char psb_data_published_table4[];
extern const unsigned long psb_data_published_table4_size;
extern const unsigned char psb_data_published_table5[];
extern const unsigned long psb_data_published_table5_size;
extern const unsigned char psb_data_published_table6[];
extern const unsigned long psb_data_published_table6_size;

psb_status psb_published_table4(psb_csv *csv, psb_error *error) {
    return psb_csv_parse("published/table4.csv", (const char *)psb_data_published_table4,
                         psb_data_published_table4_size, csv, error);
}

psb_status psb_published_table5(psb_csv *csv, psb_error *error) {
    return psb_csv_parse("published/table5.csv", (const char *)psb_data_published_table5,
                         psb_data_published_table5_size, csv, error);
}

psb_status psb_published_table6(psb_csv *csv, psb_error *error) {
    return psb_csv_parse("published/table6.csv", (const char *)psb_data_published_table6,
                         psb_data_published_table6_size, csv, error);
}

psb_status psb_published_number(const psb_csv *csv, size_t row, const char *column, double *number,
                                psb_error *error) {
    size_t index = psb_csv_column(csv, column);
    if (index == csv->ncolumns) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "no published column %s", column);
    }
    const char *field = psb_csv_field(csv, row, index);
    if (!psb_parse_double(field, number)) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "published %s is not a number: '%s'", column,
                        field);
    }
    return PSB_OK;
}

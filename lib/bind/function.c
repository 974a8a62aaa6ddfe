/* What functions are, as far as lineage is concerned. Names that are not listed are scalar: they change a value and read all arguments. */
#include "bind/binder.h"

struct function_row {
    const char *name;
    uint8_t len;
    uint8_t kind;
};

#define ROW(text, kind) {text, sizeof(text) - 1, kind}

#define ROWS(...) ((const struct function_row[]){__VA_ARGS__, {NULL, 0, 0}})

/* By the first letter. */
static const struct function_row *const functions['z' - 'a' + 1] = {
    ['a' - 'a'] = ROWS(
        ROW("aggregate_approx_distinct", FUNCTION_AGGREGATE),
        ROW("any_value", FUNCTION_AGGREGATE),
        ROW("appx_median", FUNCTION_AGGREGATE),
        ROW("avg", FUNCTION_AGGREGATE)),
    ['b' - 'a'] = ROWS(
        ROW("bloom_filter", FUNCTION_AGGREGATE)),
    ['c' - 'a'] = ROWS(
        ROW("collect_list", FUNCTION_AGGREGATE),
        ROW("collect_set", FUNCTION_AGGREGATE),
        ROW("compute_stats", FUNCTION_AGGREGATE),
        ROW("context_ngrams", FUNCTION_AGGREGATE),
        ROW("corr", FUNCTION_AGGREGATE),
        ROW("count", FUNCTION_AGGREGATE),
        ROW("covar_pop", FUNCTION_AGGREGATE),
        ROW("covar_samp", FUNCTION_AGGREGATE),
        ROW("cume_dist", FUNCTION_RANKING)),
    ['d' - 'a'] = ROWS(
        ROW("dense_rank", FUNCTION_RANKING),
        ROW("ds_cpc_sketch", FUNCTION_AGGREGATE),
        ROW("ds_cpc_union", FUNCTION_AGGREGATE),
        ROW("ds_freq_sketch", FUNCTION_AGGREGATE),
        ROW("ds_freq_union", FUNCTION_AGGREGATE),
        ROW("ds_hll_estimate_bounds", FUNCTION_SCALAR),
        ROW("ds_hll_sketch", FUNCTION_AGGREGATE),
        ROW("ds_hll_union", FUNCTION_AGGREGATE),
        ROW("ds_kll_sketch", FUNCTION_AGGREGATE),
        ROW("ds_kll_union", FUNCTION_AGGREGATE),
        ROW("ds_quantile_doubles_sketch", FUNCTION_AGGREGATE),
        ROW("ds_quantile_doubles_union", FUNCTION_AGGREGATE),
        ROW("ds_quantile_strings_sketch", FUNCTION_AGGREGATE),
        ROW("ds_quantile_strings_union", FUNCTION_AGGREGATE),
        ROW("ds_theta_sketch", FUNCTION_AGGREGATE),
        ROW("ds_theta_union", FUNCTION_AGGREGATE),
        ROW("ds_tuple_arrayofdouble_sketch", FUNCTION_AGGREGATE),
        ROW("ds_tuple_doublesummary_sketch", FUNCTION_AGGREGATE)),
    ['e' - 'a'] = ROWS(
        ROW("ewah_bitmap", FUNCTION_AGGREGATE),
        ROW("explode", FUNCTION_TABLE),
        ROW("explode_map", FUNCTION_TABLE)),
    ['g' - 'a'] = ROWS(
        ROW("group_concat", FUNCTION_AGGREGATE)),
    ['h' - 'a'] = ROWS(
        ROW("histogram", FUNCTION_AGGREGATE),
        ROW("histogram_numeric", FUNCTION_AGGREGATE),
        ROW("hll", FUNCTION_AGGREGATE)),
    ['i' - 'a'] = ROWS(
        ROW("inline", FUNCTION_TABLE)),
    ['j' - 'a'] = ROWS(
        ROW("json_tuple", FUNCTION_TABLE)),
    ['m' - 'a'] = ROWS(
        ROW("max", FUNCTION_AGGREGATE),
        ROW("mean", FUNCTION_AGGREGATE),
        ROW("min", FUNCTION_AGGREGATE)),
    ['n' - 'a'] = ROWS(
        ROW("ndv", FUNCTION_AGGREGATE),
        ROW("ndv_no_finalize", FUNCTION_AGGREGATE),
        ROW("ngrams", FUNCTION_AGGREGATE),
        ROW("ntile", FUNCTION_RANKING)),
    ['p' - 'a'] = ROWS(
        ROW("parse_url_tuple", FUNCTION_TABLE),
        ROW("percent_rank", FUNCTION_RANKING),
        ROW("percentile", FUNCTION_AGGREGATE),
        ROW("percentile_approx", FUNCTION_AGGREGATE),
        ROW("percentile_cont", FUNCTION_AGGREGATE),
        ROW("percentile_disc", FUNCTION_AGGREGATE),
        ROW("posexplode", FUNCTION_TABLE),
        ROW("posexplode_outer", FUNCTION_TABLE)),
    ['r' - 'a'] = ROWS(
        ROW("rank", FUNCTION_RANKING),
        ROW("regr_avgx", FUNCTION_AGGREGATE),
        ROW("regr_avgy", FUNCTION_AGGREGATE),
        ROW("regr_count", FUNCTION_AGGREGATE),
        ROW("regr_intercept", FUNCTION_AGGREGATE),
        ROW("regr_r2", FUNCTION_AGGREGATE),
        ROW("regr_slope", FUNCTION_AGGREGATE),
        ROW("regr_sxx", FUNCTION_AGGREGATE),
        ROW("regr_sxy", FUNCTION_AGGREGATE),
        ROW("regr_syy", FUNCTION_AGGREGATE),
        ROW("replicate_rows", FUNCTION_TABLE),
        ROW("row_number", FUNCTION_RANKING)),
    ['s' - 'a'] = ROWS(
        ROW("sample", FUNCTION_AGGREGATE),
        ROW("stack", FUNCTION_TABLE),
        ROW("std", FUNCTION_AGGREGATE),
        ROW("stddev", FUNCTION_AGGREGATE),
        ROW("stddev_pop", FUNCTION_AGGREGATE),
        ROW("stddev_samp", FUNCTION_AGGREGATE),
        ROW("sum", FUNCTION_AGGREGATE)),
    ['v' - 'a'] = ROWS(
        ROW("var_pop", FUNCTION_AGGREGATE),
        ROW("var_samp", FUNCTION_AGGREGATE),
        ROW("variance", FUNCTION_AGGREGATE),
        ROW("variance_pop", FUNCTION_AGGREGATE),
        ROW("variance_samp", FUNCTION_AGGREGATE)),
};

enum function_kind function_kind(struct name name)
{
    size_t letter = name.len == 0 ? SIZE_MAX : (size_t)(unsigned char)name.ptr[0] - 'a';
    const struct function_row *row = letter < sizeof functions / sizeof *functions ? functions[letter] : NULL;
    for (; row != NULL && row->len > 0; row++)
        if (row->len == name.len && memcmp(row->name, name.ptr, name.len) == 0)
            return (enum function_kind)row->kind;
    return FUNCTION_SCALAR;
}

bool function_argument_is_condition(struct name name, uint32_t argument)
{
    return argument == 0 && str_eq(name_str(name), STR("if"));
}

bool function_is_choice(struct name name)
{
    static const str_t choices[] = {STR("if"), STR("coalesce"), STR("isnull"), STR("isnotnull"), STR("grouping")};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (str_eq(choices[i], name_str(name)))
            return true;
    return false;
}

/* Any script has lineage in both dialects and both readings, in every format, and takes no time out of proportion. */
#include "colline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool drop(void *context, const char *bytes, size_t len)
{
    (void)bytes;
    *(size_t *)context += len;
    return true;
}

static const char ddl[] = "create table s.t (a int, b string, c array<struct<x:int,y:map<string,int>>>) partitioned by (d string);"
                          "create table s.u (a int, e double); create view s.v as select a, b from s.t where d = 'x';"
                          "create view s.w as select * from s.v join s.u using (a)";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    colline_catalog *catalog = colline_catalog_new(0);
    colline_catalog_add_ddl(catalog, ddl, sizeof ddl - 1, COLLINE_HIVE, NULL);
    colline_analyzer *an = colline_analyzer_new(catalog, 64u << 20);
    colline_set_database(an, "s", 1);
    for (int turn = 0; turn < 4; turn++) {
        size_t written = 0;
        colline_set_dialect(an, turn % 2 == 0 ? COLLINE_HIVE : COLLINE_IMPALA);
        colline_set_reading(an, turn < 2 ? COLLINE_READING_VALUE : COLLINE_READING_ENGINE);
        colline_set_expand_complex_types(an, turn == 3);
        colline_begin(an, (const char *)data, size);
        colline_format format = (colline_format)((size + (size_t)turn) % COLLINE_FORMAT_COUNT);
        colline_write_document(an, format, "fuzz", 4, drop, &written);
    }
    colline_analyzer_free(an);
    colline_catalog_free(catalog);
    return 0;
}

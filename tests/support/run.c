/* One case → its lineage as lines. */
#include "support/run.h"

#include <err.h>
#include <string.h>

struct run {
    colline_dialect dialect;
    colline_catalog *catalog;
    colline_analyzer *an;
};

static void must(colline_status status, const char *word, const char *rest)
{
    if (status != COLLINE_OK)
        errx(3, "option %s %s: status %d", word, rest, (int)status);
}

static void add_ddl(struct run *run, const char *prefix, const char *rest, colline_dialect dialect)
{
    struct text ddl = {0};
    size_t broken = 0;
    text_add_format(&ddl, "%s%s", prefix, rest);
    must(colline_catalog_add_ddl(run->catalog, ddl.ptr, ddl.len, dialect, &broken), prefix, rest);
    if (broken > 0)
        errx(3, "does not parse: %s", ddl.ptr);
    text_free(&ddl);
}

static void make_catalog(void *context, const char *word, const char *rest)
{
    struct run *run = context;
    if (strcmp(word, "schema") == 0)
        add_ddl(run, "CREATE TABLE ", rest, strstr(rest, "KUDU") != NULL ? COLLINE_IMPALA : COLLINE_HIVE);
    else if (strcmp(word, "setup") == 0)
        add_ddl(run, "", rest, run->dialect);
}

static void set_session(void *context, const char *word, const char *rest)
{
    struct run *run = context;
    if (strcmp(word, "database") == 0)
        must(colline_set_database(run->an, rest, strlen(rest)), word, rest);
    else if (strcmp(word, "reading") == 0)
        colline_set_reading(run->an, strcmp(rest, "engine") == 0 ? COLLINE_READING_ENGINE : COLLINE_READING_VALUE);
    else if (strcmp(word, "expand") == 0)
        colline_set_expand_complex_types(run->an, true);
}

static void define_variable(void *context, const char *word, const char *rest)
{
    struct run *run = context;
    const char *equal = strchr(rest, '=');
    if (strcmp(word, "define") == 0 && equal != NULL)
        must(colline_define(run->an, rest, (size_t)(equal - rest), equal + 1, strlen(equal + 1)), word, rest);
}

struct text run_case(const struct lt_case *lt, colline_dialect dialect, const struct text *sql)
{
    struct run run = {.dialect = dialect, .catalog = colline_catalog_new(0)};
    struct text out = {0};
    const struct render_options options = {.expressions = lt_has_option(lt, "show", "expressions"),
                                           .steps = lt_has_option(lt, "show", "steps"),
                                           .spans = lt_has_option(lt, "show", "spans"),
                                           .headings = lt_has_option(lt, "show", "headings")};
    lt_each_option(lt, make_catalog, &run);
    run.an = colline_analyzer_new(run.catalog, 0);
    colline_set_dialect(run.an, dialect);
    lt_each_option(lt, set_session, &run);
    sql = sql == NULL ? &lt->sql : sql;
    must(colline_begin(run.an, sql->len == 0 ? "" : sql->ptr, sql->len), "sql", lt->title);
    lt_each_option(lt, define_variable, &run);
    render_script(&out, run.an, &options);
    colline_analyzer_free(run.an);
    colline_catalog_free(run.catalog);
    return out;
}

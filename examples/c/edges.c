/*
 * edges SCRIPT [DDL]: prints the lineage of a Hive script, one edge a line, with tabs before the kind and the expression.
 *
 * It shows the whole way through the library: a catalog, an analyzer, a script, its statements, their columns and conditions,
 * and what to do when something is wrong with any of them.
 */
#include <colline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t len;
};

/* The library reads no files: that is the program's part. */
static int read_file(const char *path, struct text *text)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 4096, got;
    text->len = 0;
    text->bytes = file != NULL ? malloc(capacity) : NULL;
    while (text->bytes != NULL && (got = fread(text->bytes + text->len, 1, capacity - text->len, file)) > 0) {
        text->len += got;
        if (text->len == capacity)
            text->bytes = realloc(text->bytes, capacity *= 2);
    }
    if (text->bytes == NULL)
        perror(path);
    if (file != NULL)
        fclose(file);
    return text->bytes != NULL;
}

/* A colline_text has no NUL at its end: %.*s prints it. */
#define TEXT(text) (int)(text).len, (text).ptr

static void print_source(const colline_source *source)
{
    colline_text table = colline_source_table(source), name = colline_source_name(source);
    if (name.len == 0)
        printf("rows of %.*s", TEXT(table)); /* count(*) and the like */
    else
        printf("%.*s.%.*s", TEXT(table), TEXT(name));
}

static void print_columns(const colline_statement *st)
{
    for (size_t i = 0; i < colline_statement_column_count(st); i++) {
        const colline_column *column = colline_statement_column(st, i);
        colline_text table = colline_column_table(column), name = colline_column_name(column);
        colline_text how = colline_column_transform(column), expression = colline_column_expression(column);
        if (colline_column_source_count(column) == 0)
            printf("a constant -> %.*s.%.*s\t%.*s\n", TEXT(table), TEXT(name), TEXT(expression));
        for (size_t k = 0; k < colline_column_source_count(column); k++) {
            print_source(colline_column_source(column, k));
            printf(" -> %.*s.%.*s\t%.*s\t%.*s\n", TEXT(table), TEXT(name), TEXT(how), TEXT(expression));
        }
    }
}

/* Which outputs a condition decides about; most decide about all of them, for they decide about rows. */
static void print_targets(const colline_predicate *condition)
{
    if (colline_predicate_target_count(condition) == 0)
        printf("every output");
    for (size_t i = 0; i < colline_predicate_target_count(condition); i++) {
        colline_text table = colline_predicate_target_table(condition, i), name = colline_predicate_target_name(condition, i);
        printf("%s%.*s.%.*s", i == 0 ? "" : ", ", TEXT(table), TEXT(name));
    }
}

static void print_conditions(const colline_statement *st)
{
    for (size_t i = 0; i < colline_statement_predicate_count(st); i++) {
        const colline_predicate *condition = colline_statement_predicate(st, i);
        colline_text clause = colline_predicate_clause(condition), expression = colline_predicate_expression(condition);
        for (size_t k = 0; k < colline_predicate_source_count(condition); k++) {
            print_source(colline_predicate_source(condition, k));
            printf(" -> ");
            print_targets(condition);
            printf("\t%.*s\t%.*s\n", TEXT(clause), TEXT(expression));
        }
    }
}

/* Bad SQL is no failure of a call: the statement says so, and the next one comes all the same. */
static void print_statement(colline_analyzer *an, const colline_statement *st, const char *path)
{
    uint32_t line, column;
    if (colline_statement_failed(st)) {
        colline_position(an, colline_statement_error_span(st).start, &line, &column);
        colline_text message = colline_statement_error_message(st);
        fprintf(stderr, "%s:%u:%u: %.*s\n", path, line, column, TEXT(message));
        return;
    }
    print_columns(st);
    print_conditions(st);
}

static int print_script(colline_analyzer *an, const char *path, const struct text *script)
{
    int failed = 0;
    if (colline_begin(an, script->bytes, script->len) != COLLINE_OK) {
        fprintf(stderr, "%s: out of memory, or larger than 4 GB\n", path);
        return 0;
    }
    for (const colline_statement *st; (st = colline_next(an)) != NULL;) {
        print_statement(an, st, path);
        failed += colline_statement_failed(st);
    }
    return failed == 0;
}

static colline_catalog *make_catalog(const char *path)
{
    colline_catalog *catalog = colline_catalog_new(0);
    struct text ddl;
    if (catalog == NULL || path == NULL || !read_file(path, &ddl))
        return catalog;
    size_t broken = 0;
    if (colline_catalog_add_ddl(catalog, ddl.bytes, ddl.len, COLLINE_HIVE, &broken) != COLLINE_OK || broken > 0) {
        colline_text message = colline_catalog_message(catalog);
        fprintf(stderr, "%s:%.*s\n", path, TEXT(message));
    }
    free(ddl.bytes);
    return catalog;
}

int main(int argc, char **argv)
{
    struct text script;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: edges SCRIPT [DDL]\n");
        return 2;
    }
    if (!read_file(argv[1], &script))
        return 1;
    colline_catalog *catalog = make_catalog(argc == 3 ? argv[2] : NULL);
    colline_analyzer *an = colline_analyzer_new(catalog, 0);
    int done = an != NULL && print_script(an, argv[1], &script);
    colline_analyzer_free(an); /* before the catalog that it reads */
    colline_catalog_free(catalog);
    free(script.bytes);
    return done ? 0 : 1;
}

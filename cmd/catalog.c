/* `colline catalog build|show|diff`. catalog_diff.c compares. */
#include "catalog_cmd.h"

#include "base/grid.h"
#include "base/utf8.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char help[] =
    "usage: colline catalog build [-d DIALECT] [-o FILE] [FILE|DIR]...\n"
    "       colline catalog show [-d DIALECT] FILE|DIR [TABLE]...\n"
    "       colline catalog diff [-d DIALECT] [--exit-code] OLD NEW\n\n"
    "Catalogs are DDL scripts (CREATE, ALTER, DROP ..), saved catalogs (JSON), or folders of them.\n\n"
    "  build   one saved catalog from all that is given, in order, to FILE or standard output\n"
    "  show    the tables, or the columns of the tables named; * stands for any letters\n"
    "  diff    tables and columns added, removed and changed\n\n"
    "  -d, --dialect hive|impala   of DDL whose name does not tell\n"
    "  -o, --output FILE           where build writes\n"
    "      --exit-code             diff exits with status 1 where there is a difference\n"
    "  -h, --help                  this text\n";

enum {
    OPTION_EXIT_CODE = OPTION_OWN
};

static struct look look_of_stdout(void)
{
    struct winsize size = {0};
    bool terminal = isatty(STDOUT_FILENO);
    if (terminal)
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return (struct look){terminal && getenv("NO_COLOR") == NULL, size.ws_col};
}

struct catalog_options {
    struct dialect_choice dialect;
    const char *output;
    bool exit_code;
};

/* The catalog in a file or folder; *partly where some of it could not be read. */
static colline_catalog *open_catalog(const char *path, struct dialect_choice dialect, bool *partly)
{
    colline_catalog *catalog = need(colline_catalog_new(0));
    if (!catalog_read(catalog, path, dialect))
        *partly = true;
    return catalog;
}

/* ---- build ---- */

static bool write_to(void *context, const char *bytes, size_t len)
{
    return write_all(*(const int *)context, str_make(bytes, len));
}

static int save(const colline_catalog *catalog, const char *path)
{
    int fd = path == NULL ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        complain("%s: %s", path, strerror(errno));
        return STATUS_FAILED;
    }
    colline_status status = colline_catalog_save(catalog, write_to, &fd);
    bool closed = path == NULL || close(fd) == 0;
    if (status == COLLINE_OK && closed)
        return STATUS_DONE;
    complain("%s: %s", path == NULL ? "standard output" : path, status == COLLINE_NO_MEMORY ? "out of memory" : strerror(errno));
    return STATUS_FAILED;
}

static int build(const struct catalog_options *options, int count, char **paths)
{
    bool partly = false;
    colline_catalog *catalog = need(colline_catalog_new(0));
    if (count == 0)
        partly = !catalog_read(catalog, "-", options->dialect);
    for (int i = 0; i < count; i++)
        if (!catalog_read(catalog, paths[i], options->dialect))
            partly = true;
    int status = save(catalog, options->output);
    colline_catalog_free(catalog);
    return status == STATUS_DONE && partly ? STATUS_PARTLY : status;
}

/* ---- show ---- */

struct listing {
    struct arena arena;
    struct grid grid;
    struct look look;
    struct buf out;
    const char *pattern; /* NULL: all, as a list */
    bool found;
};

/* Whether the name is what the pattern says; `*` stands for any letters. A pattern without a dot is of the default database. */
static bool matches(str_t pattern, str_t name)
{
    size_t p = 0, n = 0, star = SIZE_MAX, mark = 0;
    while (n < name.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            mark = n;
        } else if (p < pattern.len && ascii_lower(pattern.ptr[p]) == name.ptr[n]) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            n = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

static str_t number_text(struct arena *arena, size_t number)
{
    char *text = need_format("%zu", number);
    str_t copy = arena_copy(arena, str_of(text));
    free(text);
    return copy;
}

static bool list_table(void *context, const colline_table *table)
{
    struct listing *listing = context;
    str_t *cells = need(grid_row(&listing->grid));
    cells[0] = str_of_text(colline_table_name(table));
    cells[1] = str_of_text(colline_table_kind(table));
    cells[2] = number_text(&listing->arena, colline_table_column_count(table));
    cells[3] = str_of_text(colline_table_comment(table));
    return true;
}

static int list_tables(const colline_catalog *catalog, bool whole)
{
    static const str_t heading[] = {{"table", 5}, {"kind", 4}, {"columns", 7}, {"comment", 7}};
    struct listing listing = {.look = look_of_stdout()};
    arena_init(&listing.arena, 0, NULL);
    buf_init(&listing.out, 0);
    grid_init(&listing.grid, &listing.arena, heading, 4);
    listing.grid.colours[0] = PAINT_BOLD;
    colline_catalog_each_table(catalog, list_table, &listing);
    if (listing.grid.rows.count > 1)
        grid_print(&listing.grid, &listing.out, &listing.look, 0);
    else if (whole)
        complain("there is no table in the catalog");
    write_stdout(buf_str(&listing.out));
    buf_release(&listing.out);
    arena_release(&listing.arena);
    return STATUS_DONE;
}

static void print_heading(struct listing *listing, const colline_table *table)
{
    paint(&listing->out, &listing->look, PAINT_BOLD, str_of_text(colline_table_name(table)));
    BUF_ADD(&listing->out, "  ");
    buf_add(&listing->out, str_of_text(colline_table_kind(table)));
    colline_text comment = colline_table_comment(table);
    if (comment.len > 0) {
        BUF_ADD(&listing->out, "  ");
        add_one_line(&listing->out, str_of_text(comment), 0);
    }
    buf_add_char(&listing->out, '\n');
}

static bool show_table(void *context, const colline_table *table)
{
    static const str_t heading[] = {{"column", 6}, {"type", 4}, {"partition", 9}, {"comment", 7}};
    struct listing *listing = context;
    if (!matches(str_of(listing->pattern), str_of_text(colline_table_name(table))))
        return true;
    if (listing->found)
        buf_add_char(&listing->out, '\n');
    listing->found = true;
    print_heading(listing, table);
    struct grid grid;
    arena_clear(&listing->arena);
    grid_init(&grid, &listing->arena, heading, 4);
    grid.colours[0] = PAINT_GREEN;
    for (size_t i = 0; i < colline_table_column_count(table); i++) {
        str_t *cells = need(grid_row(&grid));
        cells[0] = str_of_text(colline_table_column_name(table, i));
        cells[1] = str_of_text(colline_table_column_type(table, i));
        cells[2] = colline_table_column_is_partition(table, i) ? STR("yes") : STR("");
        cells[3] = str_of_text(colline_table_column_comment(table, i));
    }
    grid_print(&grid, &listing->out, &listing->look, 2);
    colline_text view = colline_table_view_text(table);
    if (view.len > 0) {
        BUF_ADD(&listing->out, "  as ");
        buf_add(&listing->out, str_of_text(view));
        buf_add_char(&listing->out, '\n');
    }
    return true;
}

static int show_tables(const colline_catalog *catalog, int count, char **names)
{
    int status = STATUS_DONE;
    struct listing listing = {.look = look_of_stdout()};
    arena_init(&listing.arena, 0, NULL);
    buf_init(&listing.out, 0);
    for (int i = 0; i < count; i++) {
        bool bare = strchr(names[i], '.') == NULL && strchr(names[i], '*') == NULL;
        char *pattern = bare ? need_format("default.%s", names[i]) : need_copy(names[i]);
        listing.pattern = pattern;
        listing.found = false;
        colline_catalog_each_table(catalog, show_table, &listing);
        if (!listing.found) {
            complain("the catalog has no table %s", pattern);
            status = STATUS_PARTLY;
        }
        if (i + 1 < count && listing.found)
            buf_add_char(&listing.out, '\n');
        free(pattern);
    }
    write_stdout(buf_str(&listing.out));
    buf_release(&listing.out);
    arena_release(&listing.arena);
    return status;
}

static int show(const struct catalog_options *options, int count, char **arguments)
{
    if (count == 0)
        return wrong_use("catalog", "show: which catalog?");
    bool partly = false;
    colline_catalog *catalog = open_catalog(arguments[0], options->dialect, &partly);
    int status = count == 1 ? list_tables(catalog, !partly) : show_tables(catalog, count - 1, arguments + 1);
    colline_catalog_free(catalog);
    return partly ? STATUS_PARTLY : status;
}

/* ---- diff ---- */

static int diff(const struct catalog_options *options, int count, char **paths)
{
    if (count != 2)
        return wrong_use("catalog", "diff: two catalogs are wanted, the old and the new");
    bool partly = false;
    colline_catalog *old = open_catalog(paths[0], options->dialect, &partly);
    colline_catalog *new = open_catalog(paths[1], options->dialect, &partly);
    struct look look = look_of_stdout();
    struct buf out;
    buf_init(&out, 0);
    bool differ = catalog_compare(old, new, &out, &look);
    write_stdout(buf_str(&out));
    buf_release(&out);
    colline_catalog_free(old);
    colline_catalog_free(new);
    return partly || (differ && options->exit_code) ? STATUS_PARTLY : STATUS_DONE;
}

int cmd_catalog(int argc, char **argv)
{
    static const struct option long_options[] = {{"dialect", required_argument, NULL, 'd'},
                                                 {"output", required_argument, NULL, 'o'},
                                                 {"exit-code", no_argument, NULL, OPTION_EXIT_CODE},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct catalog_options options = {.output = NULL};
    struct options common = {.command = "catalog"};
    for (int option; (option = getopt_long(argc, argv, "d:o:h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return STATUS_DONE;
        }
        if (option == 'o')
            options.output = optarg;
        else if (option == OPTION_EXIT_CODE)
            options.exit_code = true;
        else if (options_take(&common, option, optarg) != STATUS_DONE)
            return STATUS_USAGE;
    }
    options.dialect = common.dialect;
    int count = argc - optind - 1;
    const char *verb = optind < argc ? argv[optind] : "";
    if (strcmp(verb, "build") == 0)
        return build(&options, count, argv + optind + 1);
    if (strcmp(verb, "show") == 0)
        return show(&options, count, argv + optind + 1);
    if (strcmp(verb, "diff") == 0)
        return diff(&options, count, argv + optind + 1);
    return wrong_use("catalog", "there are build, show and diff");
}

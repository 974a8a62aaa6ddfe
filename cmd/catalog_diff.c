/* Two catalogs side by side: both list their tables in byte order, so one pass over both is enough. */
#include "catalog_cmd.h"

#include <stdlib.h>

struct table_list {
    const colline_table **items;
    size_t count, capacity;
};

static bool note_table(void *context, const colline_table *table)
{
    struct table_list *list = context;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = need_grow(list->items, list->capacity, sizeof(const colline_table *));
    }
    list->items[list->count++] = table;
    return true;
}

struct comparison {
    struct buf *out;
    const struct look *look;
    bool differ;
};

static void line(struct comparison *c, enum paint colour, str_t sign, str_t name, str_t rest)
{
    paint_on(c->out, c->look, colour);
    buf_add(c->out, sign);
    buf_add(c->out, name);
    if (rest.len > 0)
        buf_add_char(c->out, ' ');
    add_one_line(c->out, rest, 0);
    paint_off(c->out, c->look, colour);
    buf_add_char(c->out, '\n');
    c->differ = true;
}

static size_t find_column(const colline_table *table, str_t name)
{
    size_t count = colline_table_column_count(table);
    for (size_t i = 0; i < count; i++)
        if (str_eq(str_of_text(colline_table_column_name(table, i)), name))
            return i;
    return count;
}

struct change {
    str_t sign;
    enum paint colour;
    str_t name;
    char *text;
};

struct changes {
    struct change *items;
    size_t count;
};

static void add_change(struct changes *changes, struct change change)
{
    changes->items = need_grow(changes->items, changes->count + 1, sizeof *changes->items);
    changes->items[changes->count++] = change;
}

static char *copy_text(colline_text text)
{
    return need_format("%.*s", (int)text.len, text.len == 0 ? "" : text.ptr);
}

static void compare_columns(struct changes *changes, const colline_table *old, const colline_table *new)
{
    for (size_t i = 0; i < colline_table_column_count(new); i++) {
        str_t name = str_of_text(colline_table_column_name(new, i));
        size_t before = find_column(old, name);
        colline_text now = colline_table_column_type(new, i), was = colline_table_column_type(old, before);
        if (before == colline_table_column_count(old))
            add_change(changes, (struct change){STR("  + "), PAINT_GREEN, name, copy_text(now)});
        else if (!str_eq(str_of_text(now), str_of_text(was)))
            add_change(changes, (struct change){STR("  ~ "), PAINT_YELLOW, name,
                                                need_format("%.*s -> %.*s", (int)was.len, was.ptr, (int)now.len, now.ptr)});
        else if (before != i && colline_table_column_count(old) == colline_table_column_count(new))
            add_change(changes, (struct change){STR("  ~ "), PAINT_YELLOW, name, need_format("place %zu -> %zu", before + 1, i + 1)});
    }
    for (size_t i = 0; i < colline_table_column_count(old); i++) {
        str_t name = str_of_text(colline_table_column_name(old, i));
        if (find_column(new, name) == colline_table_column_count(new))
            add_change(changes, (struct change){STR("  - "), PAINT_RED, name, copy_text(colline_table_column_type(old, i))});
    }
}

static void compare_views(struct changes *changes, const colline_table *old, const colline_table *new)
{
    str_t was = str_of_text(colline_table_kind(old)), now = str_of_text(colline_table_kind(new));
    if (!str_eq(was, now))
        add_change(changes, (struct change){STR("  ~ "), PAINT_YELLOW, STR("kind"),
                                            need_format("%.*s -> %.*s", (int)was.len, was.ptr, (int)now.len, now.ptr)});
    else if (!str_eq(str_of_text(colline_table_view_text(old)), str_of_text(colline_table_view_text(new))))
        add_change(changes, (struct change){STR("  ~ "), PAINT_YELLOW, STR("query"), need_copy("")});
}

static void compare_tables(struct comparison *c, const colline_table *old, const colline_table *new)
{
    struct changes changes = {0};
    compare_views(&changes, old, new);
    compare_columns(&changes, old, new);
    if (changes.count > 0)
        line(c, PAINT_BOLD, STR("~ "), str_of_text(colline_table_name(new)), STR(""));
    for (size_t i = 0; i < changes.count; i++) {
        line(c, changes.items[i].colour, changes.items[i].sign, changes.items[i].name, str_of(changes.items[i].text));
        free(changes.items[i].text);
    }
    free(changes.items);
}

static void one_sided(struct comparison *c, const colline_table *table, bool added)
{
    line(c, added ? PAINT_GREEN : PAINT_RED, added ? STR("+ ") : STR("- "), str_of_text(colline_table_name(table)),
         str_of_text(colline_table_kind(table)));
}

bool catalog_compare(const colline_catalog *old, const colline_catalog *new, struct buf *out, const struct look *look)
{
    struct comparison c = {out, look, false};
    struct table_list before = {0}, after = {0};
    colline_catalog_each_table(old, note_table, &before);
    colline_catalog_each_table(new, note_table, &after);
    for (size_t i = 0, j = 0; i < before.count || j < after.count;) {
        int order = i == before.count ? 1 : j == after.count ? -1 : 0;
        if (order == 0)
            order = str_compare(str_of_text(colline_table_name(before.items[i])), str_of_text(colline_table_name(after.items[j])));
        if (order == 0)
            compare_tables(&c, before.items[i++], after.items[j++]);
        else if (order < 0)
            one_sided(&c, before.items[i++], false);
        else
            one_sided(&c, after.items[j++], true);
    }
    free(before.items);
    free(after.items);
    return c.differ;
}

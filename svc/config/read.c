/*
 * The tree of the file → the structs, by the table. Every key is looked up, every mistake is noted
 * with its place, and reading goes on. The order: defaults, the file, the environment, then what
 * keys must agree on (check.c).
 */
#include "config/read.h"

#include "config/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_MAX = 1 << 20, /* bytes; a configuration is a page or two */
    DISTANCE_MAX = 3,   /* letters by which a key may differ from the one that is suggested */
    KEY_MAX = 64
};

/* ---- messages ------------------------------------------------------------------------------- */

static void note(struct config *config, struct config_place place, bool warning,
                 const struct buf *text)
{
    struct config_message *message = VEC_PUSH(&config->arena, &config->messages);
    config->failed |= !warning;
    if (message == NULL)
        return;
    *message = (struct config_message){
        .place = place, .warning = warning, .text = arena_copy(&config->arena, buf_str(text))};
}

void config_note(struct config *config, struct config_place place, bool warning, const char *format,
                 ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (len < 0)
        return;
    struct buf buf = {.ptr = text,
                      .len = (size_t)len < sizeof text ? (size_t)len : sizeof text - 1};
    note(config, place, warning, &buf);
}

/* ---- defaults ------------------------------------------------------------------------------- */

static void set_default(const struct config_key *key, void *section)
{
    struct buf wrong;
    if (key->standard == NULL || key->type == TYPE_LIST_OF_TEXTS)
        return;
    buf_init(&wrong, 0);
    config_set(key, section, str_make(key->standard, strlen(key->standard)), &wrong);
    buf_release(&wrong);
}

static void set_defaults(enum config_section_id id, void *section)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].section == id)
            set_default(&config_keys[i], section);
}

static const char *system_environment(const char *name)
{
    return getenv(name);
}

void config_init(struct config *config)
{
    *config = (struct config){.environment = system_environment};
    arena_init(&config->arena, (size_t)16 << 20, NULL);
    for (int id = 0; id < SECTION_COUNT; id++)
        if (!config_sections[id].list)
            set_defaults((enum config_section_id)id, (char *)config + config_sections[id].offset);
}

void config_release(struct config *config)
{
    arena_release(&config->arena);
}

/* ---- suggestions ---------------------------------------------------------------------------- */

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Letters to insert, drop or change to make one of the other; both at most KEY_MAX long. */
static size_t edit_distance(str_t a, str_t b)
{
    size_t row[KEY_MAX + 1];
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t above = row[j];
            row[j] = least_of(above + 1, row[j - 1] + 1, diagonal + (a.ptr[i - 1] != b.ptr[j - 1]));
            diagonal = above;
        }
    }
    return row[b.len];
}

struct suggestion {
    str_t name;
    size_t distance;
};

static void consider(struct suggestion *best, str_t wrong, str_t name)
{
    if (name.len == 0 || wrong.len > KEY_MAX)
        return;
    size_t distance = edit_distance(wrong, name);
    if (distance < best->distance && distance * 2 < name.len)
        *best = (struct suggestion){name, distance};
}

/* Of the keys of a section, and at the top of the other sections' names. */
static str_t suggest(enum config_section_id id, str_t wrong)
{
    struct suggestion best = {.name = STR(""), .distance = DISTANCE_MAX};
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].section == id)
            consider(&best, wrong, config_keys[i].key);
    for (size_t i = 0; id == SECTION_TOP && i < SECTION_COUNT; i++)
        consider(&best, wrong, config_sections[i].key);
    return best.name;
}

/* The section in which the key would be known; NULL when there is none. */
static const struct config_section *home_of(str_t key)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (str_eq(config_keys[i].key, key))
            return &config_sections[config_keys[i].section];
    return NULL;
}

static void note_unknown(struct config *config, enum config_section_id id,
                         const struct config_node *node)
{
    const struct config_section *home = home_of(node->key);
    str_t near = suggest(id, node->key);
    struct buf text;
    buf_init(&text, 0);
    BUF_ADD(&text, "unknown key `");
    buf_add(&text, node->key);
    buf_add_char(&text, '`');
    if (near.len > 0) {
        BUF_ADD(&text, ": did you mean `");
        buf_add(&text, near);
        buf_add_char(&text, '`');
    } else if (home != NULL) {
        BUF_ADD(&text, ": it belongs ");
        buf_add(&text, home->key.len == 0 ? STR("at the top") : STR("under `"));
        buf_add(&text, home->key);
        buf_add(&text, home->key.len == 0 ? STR("") : STR("`"));
    }
    note(config, node->key_place, false, &text);
    buf_release(&text);
}

/* ---- values --------------------------------------------------------------------------------- */

/* Appends the variable's value; false after a note. */
static bool add_variable(struct config *config, const struct config_node *node, str_t name,
                         struct buf *out)
{
    char copy[KEY_MAX * 2];
    if (name.len == 0 || name.len >= sizeof copy) {
        config_note(config, node->place, false,
                    "`${…}` must hold the name of an environment variable");
        return false;
    }
    memcpy(copy, name.ptr, name.len);
    copy[name.len] = '\0';
    const char *value = config->environment(copy);
    if (value == NULL) {
        config_note(config, node->place, false, "the environment variable %s is not set", copy);
        return false;
    }
    buf_add(out, str_make(value, strlen(value)));
    return true;
}

/* `${NAME}` → the variable's value, `$${` → `${`; false after a note. `used`: at least one
 * variable. */
static bool expand(struct config *config, const struct config_node *node, str_t *text, bool *used)
{
    struct buf out;
    str_t rest = node->text;
    bool good = true;
    buf_init(&out, 0);
    *used = false;
    while (rest.len > 0 && good) {
        size_t take = 1;
        if (str_starts_with(rest, STR("$${"))) {
            BUF_ADD(&out, "${");
            take = 3;
        } else if (str_starts_with(rest, STR("${"))) {
            size_t end = str_find(rest, '}', 2);
            *used = true;
            good = add_variable(config, node, str_make(rest.ptr + 2, end - 2), &out);
            take = end < rest.len ? end + 1 : rest.len;
        } else {
            buf_add_char(&out, rest.ptr[0]);
        }
        rest = str_make(rest.ptr + take, rest.len - take);
    }
    *text = arena_copy(&config->arena, buf_str(&out));
    buf_release(&out);
    return good;
}

static void set_value(struct config *config, const struct config_key *key, void *section,
                      struct config_place place, str_t text)
{
    struct buf wrong;
    buf_init(&wrong, 0);
    buf_add_char(&wrong, '`');
    buf_add(&wrong, key->key);
    BUF_ADD(&wrong, "` ");
    if (!config_set(key, section, text, &wrong))
        note(config, place, false, &wrong);
    buf_release(&wrong);
}

static void read_list(struct config *config, const struct config_key *key, char *section,
                      const struct config_node *node)
{
    VEC(str_t) texts = {0};
    bool used;
    /* One text stands for a list of one. */
    const struct config_node *item = node->kind == NODE_TEXT ? node : node->first;
    for (; item != NULL; item = node->kind == NODE_TEXT ? NULL : item->next) {
        str_t *text = VEC_PUSH(&config->arena, &texts);
        if (item->kind != NODE_TEXT)
            config_note(config, item->place, false, "`%.*s` must be a list of texts",
                        (int)key->key.len, key->key.ptr);
        else if (text != NULL)
            expand(config, item, text, &used);
    }
    struct config_list list = {.items = texts.items, .count = texts.count};
    memcpy(section + key->offset, &list, sizeof list);
}

static void read_value(struct config *config, const struct config_key *key, void *section,
                       const struct config_node *node)
{
    str_t text;
    bool used;
    if (key->type == TYPE_LIST_OF_TEXTS && node->kind != NODE_MAP) {
        read_list(config, key, section, node);
        return;
    }
    if (node->kind != NODE_TEXT) {
        config_note(config, node->place, false, "`%.*s` must be a single value", (int)key->key.len,
                    key->key.ptr);
        return;
    }
    if (node->text.len == 0 && !node->quoted) {
        config_note(config, node->key_place, false, "`%.*s` has no value", (int)key->key.len,
                    key->key.ptr);
        return;
    }
    if (!expand(config, node, &text, &used))
        return;
    if (key->type == TYPE_SECRET && !used && text.len > 0)
        config_note(config, node->place, true,
                    "`%.*s` stands here for all to read: write ${NAME} and set the variable NAME",
                    (int)key->key.len, key->key.ptr);
    set_value(config, key, section, node->place, text);
}

/* ---- sections ------------------------------------------------------------------------------- */

static const struct config_node *child_of(const struct config_node *map, str_t key)
{
    const struct config_node *child = map->first;
    while (child != NULL && !str_eq(child->key, key))
        child = child->next;
    return child;
}

static bool must_be(struct config *config, const struct config_node *node, enum node_kind kind,
                    str_t name)
{
    if (node->kind == kind)
        return true;
    config_note(config, node->place, false, "`%.*s` must hold %s", (int)name.len, name.ptr,
                kind == NODE_MAP ? "keys and values" : "a list");
    return false;
}

static void check_given(struct config *config, enum config_section_id id,
                        const struct config_node *map)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        if (key->section == id && key->standard == NULL && child_of(map, key->key) == NULL)
            config_note(config, map->place, false, "`%.*s` is missing", (int)key->key.len,
                        key->key.ptr);
    }
}

static enum config_section_id section_of(str_t key)
{
    int id = 1;
    while (id < SECTION_COUNT && !str_eq(config_sections[id].key, key))
        id++;
    return (enum config_section_id)id;
}

static void read_map(struct config *config, enum config_section_id id, void *section,
                     const struct config_node *map)
{
    for (const struct config_node *node = map->first; node != NULL; node = node->next) {
        const struct config_key *key = config_find_key(id, node->key);
        if (key != NULL)
            read_value(config, key, section, node);
        else if (id != SECTION_TOP || section_of(node->key) == SECTION_COUNT)
            note_unknown(config, id, node);
    }
    check_given(config, id, map);
}

/* How every VEC lies in memory. */
struct any_vec {
    void *items;
    uint32_t count, capacity;
};

static void read_items(struct config *config, enum config_section_id id,
                       const struct config_node *list)
{
    const struct config_section *section = &config_sections[id];
    struct any_vec vec;
    memcpy(&vec, (char *)config + section->offset, sizeof vec);
    for (const struct config_node *node = list->first; node != NULL; node = node->next) {
        if (!must_be(config, node, NODE_MAP, section->key) ||
            !vec_reserve(&config->arena, &vec.items, vec.count, &vec.capacity, section->size))
            continue;
        char *item = (char *)vec.items + (size_t)vec.count++ * section->size;
        memcpy(item, &node->place, sizeof node->place); /* the first member of each */
        set_defaults(id, item);
        read_map(config, id, item, node);
    }
    memcpy((char *)config + section->offset, &vec, sizeof vec);
}

static void read_sections(struct config *config, const struct config_node *root)
{
    read_map(config, SECTION_TOP, config, root);
    for (const struct config_node *node = root->first; node != NULL; node = node->next) {
        enum config_section_id id = section_of(node->key);
        if (id == SECTION_COUNT)
            continue;
        const struct config_section *section = &config_sections[id];
        bool nothing = node->kind == NODE_TEXT && node->text.len == 0 && !node->quoted;
        if (nothing || !must_be(config, node, section->list ? NODE_LIST : NODE_MAP, section->key))
            continue;
        if (section->list)
            read_items(config, id, node);
        else
            read_map(config, id, (char *)config + section->offset, node);
        if (id == SECTION_KAFKA)
            config->kafka.place = node->place;
    }
}

/* ---- the environment ------------------------------------------------------------------------ */

/* a,b → a list */
static void set_list_from(struct config *config, const struct config_key *key, char *section,
                          str_t text)
{
    VEC(str_t) texts = {0};
    for (size_t from = 0; from <= text.len;) {
        size_t comma = str_find(text, ',', from);
        str_t part = str_trim(str_make(text.ptr + from, comma - from));
        str_t *item = part.len == 0 ? NULL : VEC_PUSH(&config->arena, &texts);
        if (item != NULL)
            *item = part;
        from = comma + 1;
    }
    struct config_list list = {.items = texts.items, .count = texts.count};
    memcpy(section + key->offset, &list, sizeof list);
}

static void read_environment(struct config *config)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const char *value = key->environment == NULL ? NULL : config->environment(key->environment);
        if (value == NULL)
            continue;
        str_t text = arena_copy(&config->arena, str_make(value, strlen(value)));
        char *section = (char *)config + config_sections[key->section].offset;
        uint32_t before = config->messages.count;
        if (key->type == TYPE_LIST_OF_TEXTS)
            set_list_from(config, key, section, text);
        else
            set_value(config, key, section, (struct config_place){0}, text);
        if (config->messages.count > before)
            config_note(config, (struct config_place){0}, false, "… in the environment variable %s",
                        key->environment);
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool config_read(struct config *config, str_t path, str_t text)
{
    struct config_yaml_error error;
    config->path = arena_copy(&config->arena, path);
    const struct config_node *root = config_parse_yaml(&config->arena, text, &error);
    if (root == NULL) {
        config_note(config, error.place, false, "%s",
                    error.text[0] == '\0' ? "out of memory" : error.text);
        return false;
    }
    if (root->kind != NODE_MAP) {
        config_note(config, root->place, false, "the file must hold keys and values");
        return false;
    }
    read_sections(config, root);
    read_environment(config);
    config_check(config);
    if (config->arena.failed)
        config_note(config, (struct config_place){0}, false, "out of memory");
    return !config->failed && !config->arena.failed;
}

/* Appends the file's bytes; false with errno. */
static bool read_whole(int fd, struct buf *out)
{
    while (buf_reserve(out, 4096)) {
        ssize_t got = read(fd, out->ptr + out->len, out->capacity - out->len);
        if (got < 0)
            return false;
        if (got == 0)
            return true;
        out->len += (size_t)got;
    }
    errno = EFBIG;
    return false;
}

bool config_read_file(struct config *config, const char *path)
{
    struct buf text;
    str_t name = str_make(path, strlen(path));
    buf_init(&text, FILE_MAX);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && read_whole(fd, &text);
    if (!good) {
        config->path = arena_copy(&config->arena, name);
        config_note(config, (struct config_place){0}, false, "cannot read it: %s", strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    good = good && config_read(config, name, buf_str(&text));
    buf_release(&text);
    return good;
}

/* Inner to svc/config: the table of config.def as data. */
#ifndef COLLINE_CONFIG_TABLE_H
#define COLLINE_CONFIG_TABLE_H

#include "config/config.h"

enum config_type {
    TYPE_TEXT,
    TYPE_SECRET,       /* a text that is never printed */
    TYPE_NUMBER,       /* int64_t */
    TYPE_SIZE,         /* int64_t, bytes: 512, 64KiB, 1GB */
    TYPE_TIME,         /* int64_t, ms: 200ms, 3s, 5m, 25h, 7d */
    TYPE_FLAG,         /* bool: true, false */
    TYPE_CHOICE,       /* int64_t, the place in `choices` */
    TYPE_CHOICE_TEXT,  /* str_t, one of `choices` */
    TYPE_LIST_OF_TEXTS /* struct config_list */
};

enum config_section_id {
#define CONFIG_SECTION(id, key, count, type, member, doc) SECTION_##id,
#define CONFIG_KEY(id, type_, key, member, type, default_, least, most, choices, env, doc)
#include "config/config.def"
#undef CONFIG_SECTION
#undef CONFIG_KEY
    SECTION_COUNT
};

struct config_section {
    str_t key; /* "" for the top */
    bool list;
    size_t offset, size; /* of the struct in struct config, or of an item's */
    const char *doc;
};

struct config_key {
    enum config_section_id section;
    str_t key;
    enum config_type type;
    size_t offset;
    const char *standard; /* default, as in the file; NULL: must be given */
    int64_t least, most;
    const str_t *choices; /* ended by an empty one */
    const char *environment;
    const char *doc;
};

extern const struct config_section config_sections[SECTION_COUNT];
extern const struct config_key config_keys[];
extern const size_t config_key_count;

/* The key of a section; NULL when there is none. */
const struct config_key *config_find_key(enum config_section_id section, str_t name);

/*
 * Puts a value into its place. False with what was expected in `wrong`. The text must outlive the
 * struct. Not for lists.
 */
bool config_set(const struct config_key *key, void *section, str_t text, struct buf *wrong);

/* Appends a value as in the file; secrets as `***`. Not for lists. */
void config_add_value(const struct config_key *key, const void *section, struct buf *out);

/* A text that is read back as this text: in double quotes, where YAML knows JSON's escapes. */
void config_add_quoted(struct buf *out, str_t text);

/* `3s`, `1GB` */
bool config_parse_time(str_t text, int64_t *ms);
bool config_parse_size(str_t text, int64_t *bytes);

#endif

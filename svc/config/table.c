/* The table, and how each type of value is read and printed. */
#include "config/table.h"

#include "base/jsonw.h"

static const str_t sql_texts[] = {STR("full"), STR("redacted"), STR("none"), STR("")};
static const str_t log_levels[] = {STR("debug"), STR("info"), STR("warning"), STR("error"),
                                   STR("")};
static const str_t log_formats[] = {STR("text"), STR("json"), STR("")};
static const str_t kinds[] = {STR("daemon-log"),  STR("glog"),      STR("web"),
                              STR("lineage-log"), STR("audit-log"), STR("profile-log"),
                              STR("hive-hook"),   STR("sql-file"),  STR("hive-log"),
                              STR("")};
static const str_t engines[] = {STR("impala"), STR("hive"), STR("")};
static const str_t watches[] = {STR("auto"), STR("inotify"), STR("poll"), STR("")};
static const str_t auths[] = {STR("none"),      STR("basic"),  STR("digest"),
                              STR("negotiate"), STR("bearer"), STR("")};
static const str_t compressions[] = {STR("none"), STR("gzip"), STR("snappy"),
                                     STR("lz4"),  STR("zstd"), STR("")};
static const str_t securities[] = {STR("plaintext"), STR("ssl"), STR("sasl_plaintext"),
                                   STR("sasl_ssl"), STR("")};
static const str_t mechanisms[] = {STR("PLAIN"), STR("SCRAM-SHA-256"), STR("SCRAM-SHA-512"),
                                   STR("GSSAPI"), STR("")};
static const str_t shapes[] = {STR("generic"), STR("wechat"), STR("dingtalk"), STR("slack"),
                               STR("")};

#define SINGLE false
#define LIST true

const struct config_section config_sections[SECTION_COUNT] = {
#define CONFIG_SECTION(id, key_, count, type, member, doc_)      \
    [SECTION_##id] = {.key = STR(key_),                          \
                      .list = (count),                           \
                      .offset = offsetof(struct config, member), \
                      .size = sizeof(type),                      \
                      .doc = (doc_)},
#define CONFIG_KEY(id, type_, key, member, type, default_, least, most, choices, env, doc)
#include "config/config.def"
#undef CONFIG_SECTION
#undef CONFIG_KEY
};

const struct config_key config_keys[] = {
#define CONFIG_SECTION(id, key, count, type, member, doc)
#define CONFIG_KEY(id, struct_, key_, member, type_, default_, least_, most_, choices_, \
                   environment_, doc_)                                                  \
    {.section = SECTION_##id,                                                           \
     .key = STR(key_),                                                                  \
     .type = TYPE_##type_,                                                              \
     .offset = offsetof(struct_, member),                                               \
     .standard = (default_),                                                            \
     .least = (least_),                                                                 \
     .most = (most_),                                                                   \
     .choices = (choices_),                                                             \
     .environment = (environment_),                                                     \
     .doc = (doc_)},
#include "config/config.def"
#undef CONFIG_SECTION
#undef CONFIG_KEY
};

const size_t config_key_count = sizeof config_keys / sizeof config_keys[0];

const struct config_key *config_find_key(enum config_section_id section, str_t name)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].section == section && str_eq(config_keys[i].key, name))
            return &config_keys[i];
    return NULL;
}

/* ---- numbers with units --------------------------------------------------------------------- */

struct unit {
    str_t name;
    int64_t factor;
};

static const struct unit time_units[] = {
    {STR("ms"), 1}, {STR("s"), 1000}, {STR("m"), 60000}, {STR("h"), 3600000}, {STR("d"), 86400000}};
static const struct unit size_units[] = {
    {STR("B"), 1},           {STR("KB"), 1000},          {STR("MB"), 1000000},
    {STR("GB"), 1000000000}, {STR("TB"), 1000000000000}, {STR("KiB"), 1 << 10},
    {STR("MiB"), 1 << 20},   {STR("GiB"), 1 << 30},      {STR("TiB"), (int64_t)1 << 40}};

enum {
    TIME_UNITS = sizeof time_units / sizeof time_units[0],
    SIZE_UNITS = sizeof size_units / sizeof size_units[0]
};

static bool parse_whole(str_t text, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || __builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, text.ptr[i] - '0', number))
            return false;
    return text.len > 0;
}

/* digits [blanks] unit */
static bool parse_with_unit(str_t text, const struct unit *units, size_t count, int64_t *number)
{
    size_t digits = 0;
    while (digits < text.len && text.ptr[digits] >= '0' && text.ptr[digits] <= '9')
        digits++;
    str_t unit = str_trim(str_make(text.ptr + digits, text.len - digits));
    if (!parse_whole(str_make(text.ptr, digits), number))
        return false;
    for (size_t i = 0; i < count; i++)
        if (str_eq(unit, units[i].name))
            return !__builtin_mul_overflow(*number, units[i].factor, number);
    return unit.len == 0 && *number == 0;
}

bool config_parse_time(str_t text, int64_t *ms)
{
    return parse_with_unit(text, time_units, TIME_UNITS, ms);
}

bool config_parse_size(str_t text, int64_t *bytes)
{
    return parse_with_unit(text, size_units, SIZE_UNITS, bytes) || parse_whole(text, bytes);
}

/* In the largest unit that divides it. */
static void add_with_unit(struct buf *out, int64_t value, const struct unit *units, size_t count)
{
    const struct unit *best = &units[0];
    for (size_t i = 1; i < count; i++)
        if (value != 0 && value % units[i].factor == 0 && units[i].factor > best->factor)
            best = &units[i];
    buf_add_number(out, (uint64_t)(value / best->factor));
    buf_add(out, best->name);
}

/* ---- values --------------------------------------------------------------------------------- */

static void put_integer(const struct config_key *key, void *section, int64_t number)
{
    memcpy((char *)section + key->offset, &number, sizeof number);
}

static int64_t get_integer(const struct config_key *key, const void *section)
{
    int64_t number;
    memcpy(&number, (const char *)section + key->offset, sizeof number);
    return number;
}

static str_t get_text(const struct config_key *key, const void *section)
{
    str_t text;
    memcpy(&text, (const char *)section + key->offset, sizeof text);
    return text;
}

static bool set_text(const struct config_key *key, void *section, str_t text)
{
    memcpy((char *)section + key->offset, &text, sizeof text);
    return true;
}

static void add_number_of(const struct config_key *key, int64_t value, struct buf *out)
{
    if (key->type == TYPE_TIME)
        add_with_unit(out, value, time_units, TIME_UNITS);
    else if (key->type == TYPE_SIZE)
        add_with_unit(out, value, size_units, SIZE_UNITS);
    else
        buf_add_number(out, (uint64_t)value);
}

static bool set_number(const struct config_key *key, void *section, str_t text, struct buf *wrong)
{
    static const str_t expected[] = {
        [TYPE_NUMBER] = STR("expected a whole number"),
        [TYPE_SIZE] = STR("expected a size: 512, 64KiB, 1GB"),
        [TYPE_TIME] = STR("expected a time with its unit: 200ms, 3s, 5m, 25h, 7d")};
    int64_t number;
    bool good = key->type == TYPE_TIME   ? config_parse_time(text, &number)
                : key->type == TYPE_SIZE ? config_parse_size(text, &number)
                                         : parse_whole(text, &number);
    if (!good) {
        buf_add(wrong, expected[key->type]);
        return false;
    }
    put_integer(key, section, number);
    if (number >= key->least && number <= key->most)
        return true;
    BUF_ADD(wrong, "must be from ");
    add_number_of(key, key->least, wrong);
    BUF_ADD(wrong, " to ");
    add_number_of(key, key->most, wrong);
    return false;
}

static bool find_choice(const struct config_key *key, str_t text, int64_t *place, struct buf *wrong)
{
    for (*place = 0; key->choices[*place].len > 0; ++*place)
        if (str_eq(key->choices[*place], text))
            return true;
    BUF_ADD(wrong, "must be one of ");
    for (size_t i = 0; key->choices[i].len > 0; i++) {
        if (i > 0)
            BUF_ADD(wrong, ", ");
        buf_add(wrong, key->choices[i]);
    }
    return false;
}

static bool set_choice(const struct config_key *key, void *section, str_t text, struct buf *wrong)
{
    int64_t place;
    if (!find_choice(key, text, &place, wrong))
        return false;
    if (key->type == TYPE_CHOICE)
        put_integer(key, section, place);
    else
        set_text(key, section, key->choices[place]);
    return true;
}

static bool set_flag(const struct config_key *key, void *section, str_t text, struct buf *wrong)
{
    bool on = str_eq(text, STR("true"));
    if (!on && !str_eq(text, STR("false"))) {
        BUF_ADD(wrong, "must be true or false");
        return false;
    }
    memcpy((char *)section + key->offset, &on, sizeof on);
    return true;
}

bool config_set(const struct config_key *key, void *section, str_t text, struct buf *wrong)
{
    switch (key->type) {
    case TYPE_TEXT:
    case TYPE_SECRET:
        return set_text(key, section, text);
    case TYPE_NUMBER:
    case TYPE_SIZE:
    case TYPE_TIME:
        return set_number(key, section, text, wrong);
    case TYPE_FLAG:
        return set_flag(key, section, text, wrong);
    case TYPE_CHOICE:
    case TYPE_CHOICE_TEXT:
        return set_choice(key, section, text, wrong);
    case TYPE_LIST_OF_TEXTS:
        break;
    }
    return false;
}

void config_add_quoted(struct buf *out, str_t text)
{
    buf_add_char(out, '"');
    for (size_t from = 0; from < text.len;) {
        size_t dollar = str_find(text, '$', from);
        bool variable = dollar + 1 < text.len && text.ptr[dollar + 1] == '{';
        size_t end = dollar < text.len ? dollar + 1 : dollar;
        json_escape(out, str_make(text.ptr + from, end - from));
        if (variable)
            buf_add_char(out, '$');
        from = end;
    }
    buf_add_char(out, '"');
}

void config_add_value(const struct config_key *key, const void *section, struct buf *out)
{
    switch (key->type) {
    case TYPE_TEXT:
        config_add_quoted(out, get_text(key, section));
        break;
    case TYPE_SECRET:
        config_add_quoted(out, get_text(key, section).len == 0 ? STR("") : STR("***"));
        break;
    case TYPE_NUMBER:
    case TYPE_SIZE:
    case TYPE_TIME:
        add_number_of(key, get_integer(key, section), out);
        break;
    case TYPE_FLAG:
        buf_add(out, ((const char *)section)[key->offset] != 0 ? STR("true") : STR("false"));
        break;
    case TYPE_CHOICE:
        buf_add(out, key->choices[get_integer(key, section)]);
        break;
    case TYPE_CHOICE_TEXT:
        buf_add(out, get_text(key, section));
        break;
    case TYPE_LIST_OF_TEXTS:
        break;
    }
}

/* What is printed from the table: messages, the whole configuration as YAML, and the reference for
 * people. */
#include "config/table.h"

/* ---- messages ------------------------------------------------------------------------------- */

void config_write_messages(const struct config *config, struct buf *out)
{
    for (uint32_t i = 0; i < config->messages.count; i++) {
        const struct config_message *message = &config->messages.items[i];
        buf_add(out, config->path);
        if (message->place.line > 0) {
            buf_add_char(out, ':');
            buf_add_number(out, message->place.line);
            buf_add_char(out, ':');
            buf_add_number(out, message->place.column);
        }
        buf_add(out, message->warning ? STR(": warning: ") : STR(": error: "));
        buf_add(out, message->text);
        buf_add_char(out, '\n');
    }
}

/* ---- YAML ----------------------------------------------------------------------------------- */

static void add_list(const struct config_key *key, const char *section, struct buf *out)
{
    struct config_list list;
    memcpy(&list, section + key->offset, sizeof list);
    buf_add_char(out, '[');
    for (uint32_t i = 0; i < list.count; i++) {
        if (i > 0)
            BUF_ADD(out, ", ");
        config_add_quoted(out, list.items[i]);
    }
    buf_add_char(out, ']');
}

/* `key: value` lines; the first one after `first`, the others after `indent` blanks. */
static void add_keys(enum config_section_id id, const void *section, str_t first, size_t indent,
                     struct buf *out)
{
    bool begun = false;
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        if (key->section != id)
            continue;
        if (begun)
            buf_add_repeat(out, ' ', indent);
        else
            buf_add(out, first);
        begun = true;
        buf_add(out, key->key);
        BUF_ADD(out, ": ");
        if (key->type == TYPE_LIST_OF_TEXTS)
            add_list(key, section, out);
        else
            config_add_value(key, section, out);
        buf_add_char(out, '\n');
    }
}

static void add_items(const struct config *config, enum config_section_id id, struct buf *out)
{
    const struct config_section *section = &config_sections[id];
    const char *vec = (const char *)config + section->offset;
    const char *items;
    uint32_t count;
    memcpy(&items, vec, sizeof items);
    memcpy(&count, vec + sizeof items, sizeof count);
    buf_add(out, count == 0 ? STR(": []\n") : STR(":\n"));
    for (uint32_t i = 0; i < count; i++)
        add_keys(id, items + (size_t)i * section->size, STR("  - "), 4, out);
}

void config_write(const struct config *config, struct buf *out)
{
    add_keys(SECTION_TOP, config, STR(""), 0, out);
    for (int id = SECTION_TOP + 1; id < SECTION_COUNT; id++) {
        const struct config_section *section = &config_sections[id];
        buf_add_char(out, '\n');
        buf_add(out, section->key);
        if (section->list) {
            add_items(config, (enum config_section_id)id, out);
            continue;
        }
        BUF_ADD(out, ":\n");
        add_keys((enum config_section_id)id, (const char *)config + section->offset, STR("  "), 2,
                 out);
    }
}

/* ---- the reference -------------------------------------------------------------------------- */

static void add_type(const struct config_key *key, struct buf *out)
{
    static const str_t names[] = {[TYPE_TEXT] = STR("text"),
                                  [TYPE_SECRET] = STR("secret"),
                                  [TYPE_NUMBER] = STR("number"),
                                  [TYPE_SIZE] = STR("size"),
                                  [TYPE_TIME] = STR("time"),
                                  [TYPE_FLAG] = STR("flag"),
                                  [TYPE_LIST_OF_TEXTS] = STR("list of texts")};
    if (key->choices == NULL) {
        buf_add(out, names[key->type]);
        return;
    }
    for (size_t i = 0; key->choices[i].len > 0; i++) {
        if (i > 0)
            BUF_ADD(out, ", ");
        buf_add_char(out, '`');
        buf_add(out, key->choices[i]);
        buf_add_char(out, '`');
    }
}

/* from … to …, as values of the key are written */
static void add_range(const struct config_key *key, struct buf *out)
{
    const int64_t ends[] = {key->least, key->most};
    static const str_t words[] = {STR(", "), STR(" to ")};
    if (key->type != TYPE_NUMBER && key->type != TYPE_SIZE && key->type != TYPE_TIME)
        return;
    for (size_t i = 0; i < 2; i++) {
        struct config_key plain = *key;
        plain.offset = 0;
        buf_add(out, words[i]);
        config_add_value(&plain, &ends[i], out);
    }
}

static void add_default(const struct config_key *key, struct buf *out)
{
    if (key->standard == NULL) {
        BUF_ADD(out, "must be given");
        return;
    }
    if (key->standard[0] == '\0') {
        BUF_ADD(out, "empty");
        return;
    }
    buf_add_char(out, '`');
    buf_add(out, str_make(key->standard, strlen(key->standard)));
    buf_add_char(out, '`');
}

/* | `key` | type and range | default | meaning | */
static void add_row(const struct config_key *key, struct buf *out)
{
    BUF_ADD(out, "| `");
    buf_add(out, key->key);
    BUF_ADD(out, "` | ");
    add_type(key, out);
    add_range(key, out);
    BUF_ADD(out, " | ");
    add_default(key, out);
    BUF_ADD(out, " | ");
    buf_add(out, str_make(key->doc, strlen(key->doc)));
    if (key->environment != NULL) {
        BUF_ADD(out, " Variable: `");
        buf_add(out, str_make(key->environment, strlen(key->environment)));
        BUF_ADD(out, "`.");
    }
    BUF_ADD(out, " |\n");
}

static void add_section(enum config_section_id id, struct buf *out)
{
    const struct config_section *section = &config_sections[id];
    BUF_ADD(out, "\n## ");
    if (section->key.len == 0)
        BUF_ADD(out, "Top");
    else
        buf_add(out, section->key);
    BUF_ADD(out, "\n\n");
    buf_add(out, str_make(section->doc, strlen(section->doc)));
    if (section->list)
        BUF_ADD(out, " A list.");
    BUF_ADD(out, "\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].section == id)
            add_row(&config_keys[i], out);
}

void config_write_reference(struct buf *out)
{
    BUF_ADD(
        out,
        "# Configuration\n\n"
        "All stages read one YAML file: the one that `-c` names, else the one that the variable "
        "`COLLINE_CONFIG` names, else\n"
        "`/etc/colline/colline.yaml`. `colline config check` tells what is wrong with it, each "
        "mistake with line and column;\n"
        "`colline config print` shows every key with the value in force, secrets hidden.\n\n"
        "- Times have a unit: `200ms`, `3s`, `5m`, `25h`, `7d`. Sizes may have one: `512`, "
        "`64KiB`, `16MiB`, `1GB`.\n"
        "- `${NAME}` in a text is the environment variable NAME; `$${` is `${` itself. A variable "
        "that is not set is a mistake.\n"
        "- A key's own variable, where it has one, wins over the file.\n"
        "- Secrets belong into variables; one that stands in the file gives a warning. They are "
        "never printed.\n"
        "- Keys that are not in these tables are refused, with the one that was probably meant.\n"
        "- Anchors and aliases are not used.\n\n"
        "Samples: [one machine](../packaging/samples/colline.yaml), three machines with Kafka "
        "([one that captures](../packaging/samples/colline-kafka.yaml), [one that does "
        "not](../packaging/samples/colline-normalize.yaml)).\n\n"
        "This page is printed from the table of keys by `colline config print --reference`.\n");
    for (int id = 0; id < SECTION_COUNT; id++)
        add_section((enum config_section_id)id, out);
}

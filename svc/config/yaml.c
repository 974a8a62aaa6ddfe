/* The YAML reader over libyaml's events. `open` is the list or map that is being filled, so nesting
 * costs no C stack. */
#include "config/yaml.h"

#include <stdio.h>
#include <yaml.h>

struct builder {
    struct arena *arena;
    struct config_yaml_error *error;
    struct config_node *root, *open;
    str_t key; /* of the value that comes next in a map */
    struct config_place key_place;
    bool has_key, failed;
    uint32_t documents;
};

static struct config_place place_of(yaml_mark_t mark)
{
    return (struct config_place){.line = (uint32_t)mark.line + 1,
                                 .column = (uint32_t)mark.column + 1};
}

static void fail(struct builder *b, struct config_place place, const char *text)
{
    if (b->failed)
        return;
    b->failed = true;
    b->error->place = place;
    (void)snprintf(b->error->text, sizeof b->error->text, "%s", text);
}

static str_t scalar_text(struct builder *b, const yaml_event_t *event)
{
    const void *value = event->data.scalar.value;
    return arena_copy(b->arena, str_make(value, event->data.scalar.length));
}

/* A new value in its parent. */
static struct config_node *add_node(struct builder *b, const yaml_event_t *event,
                                    enum node_kind kind)
{
    struct config_node *node = ARENA_NEW(b->arena, struct config_node);
    if (node == NULL) {
        fail(b, place_of(event->start_mark), "out of memory");
        return NULL;
    }
    *node = (struct config_node){.kind = kind,
                                 .place = place_of(event->start_mark),
                                 .parent = b->open,
                                 .key = b->key,
                                 .key_place = b->key_place};
    b->has_key = false;
    b->key = STR("");
    if (b->open == NULL)
        b->root = node;
    else if (b->open->last == NULL)
        b->open->first = node;
    else
        b->open->last->next = node;
    if (b->open != NULL)
        b->open->last = node;
    return node;
}

static void take_key(struct builder *b, const yaml_event_t *event)
{
    b->key = scalar_text(b, event);
    b->key_place = place_of(event->start_mark);
    b->has_key = true;
    for (const struct config_node *node = b->open->first; node != NULL; node = node->next)
        if (str_eq(node->key, b->key))
            fail(b, b->key_place, "this key stands here twice");
}

static bool wants_key(const struct builder *b)
{
    return b->open != NULL && b->open->kind == NODE_MAP && !b->has_key;
}

static void take_scalar(struct builder *b, const yaml_event_t *event)
{
    if (event->data.scalar.anchor != NULL)
        fail(b, place_of(event->start_mark), "anchors are not used here");
    if (wants_key(b)) {
        take_key(b, event);
        return;
    }
    struct config_node *node = add_node(b, event, NODE_TEXT);
    if (node == NULL)
        return;
    node->text = scalar_text(b, event);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
}

static void take_begin(struct builder *b, const yaml_event_t *event, enum node_kind kind,
                       const void *anchor)
{
    if (anchor != NULL)
        fail(b, place_of(event->start_mark), "anchors are not used here");
    if (wants_key(b)) {
        fail(b, place_of(event->start_mark), "a key must be a text");
        return;
    }
    struct config_node *node = add_node(b, event, kind);
    if (node != NULL)
        b->open = node;
}

static void take_end(struct builder *b)
{
    if (b->open != NULL)
        b->open = b->open->parent;
}

static void take_document(struct builder *b, const yaml_event_t *event)
{
    if (++b->documents > 1)
        fail(b, place_of(event->start_mark), "only one document may stand in the file");
}

static void take_event(struct builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        take_scalar(b, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        take_begin(b, event, NODE_LIST, event->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        take_begin(b, event, NODE_MAP, event->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        take_end(b);
        break;
    case YAML_ALIAS_EVENT:
        fail(b, place_of(event->start_mark), "aliases are not used here");
        break;
    case YAML_DOCUMENT_START_EVENT:
        take_document(b, event);
        break;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
}

static void explain(struct builder *b, const yaml_parser_t *parser)
{
    char text[256];
    const char *problem = parser->problem == NULL ? "no YAML" : parser->problem;
    const char *context = parser->context == NULL ? "" : parser->context;
    (void)snprintf(text, sizeof text, "%s%s%s", context, context[0] == '\0' ? "" : ": ", problem);
    fail(b, place_of(parser->problem_mark),
         parser->error == YAML_MEMORY_ERROR ? "out of memory" : text);
}

/* One event; false at the end. */
static bool step(struct builder *b, yaml_parser_t *parser)
{
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) {
        explain(b, parser);
        return false;
    }
    bool more = event.type != YAML_STREAM_END_EVENT;
    take_event(b, &event);
    yaml_event_delete(&event);
    return more && !b->failed;
}

struct config_node *config_parse_yaml(struct arena *arena, str_t text,
                                      struct config_yaml_error *error)
{
    struct builder b = {.arena = arena, .error = error};
    yaml_parser_t parser;
    *error = (struct config_yaml_error){0};
    if (!yaml_parser_initialize(&parser)) {
        fail(&b, (struct config_place){0}, "out of memory");
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)(text.len == 0 ? "" : text.ptr),
                                 text.len);
    while (step(&b, &parser))
        continue;
    yaml_parser_delete(&parser);
    if (b.failed)
        return NULL;
    bool nothing = b.root == NULL || (b.root->kind == NODE_TEXT && b.root->text.len == 0);
    if (!nothing)
        return b.root;
    struct config_node *empty = ARENA_NEW(arena, struct config_node);
    if (empty != NULL)
        empty->kind = NODE_MAP;
    return empty;
}

/*
 * YAML text → a tree with the place of everything in it. Anchors and aliases, several documents and
 * keys that are no plain texts are refused: a configuration needs none, and each would need a rule.
 */
#ifndef COLLINE_CONFIG_YAML_H
#define COLLINE_CONFIG_YAML_H

#include "config/config.h"

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct config_node {
    enum node_kind kind;
    struct config_place place;     /* of the value */
    struct config_place key_place; /* of the key, in a map */
    str_t key, text;
    bool quoted;
    struct config_node *parent, *first, *last, *next;
};

struct config_yaml_error {
    struct config_place place;
    char text[256];
};

/* The root; NULL with the error. An empty text gives an empty map. */
struct config_node *config_parse_yaml(struct arena *arena, str_t text,
                                      struct config_yaml_error *error);

#endif

/*
 * A profile is a list of nodes in pre-order, each followed by the subtrees of its children. Only
 * three nodes matter: the root, its child `Summary`, and that one's child `Frontend`; what comes
 * behind the summary's subtree is not looked at.
 */
#include "collect/profile.h"

#include "base/json.h"
#include "collect/line.h"
#include "collect/thrift_compact.h"

enum { TREE_NODES = 1, NODE_NAME = 1, NODE_CHILDREN = 2, NODE_INFO = 6 };

/* A node as far as it is looked at. */
struct node {
    str_t name;
    size_t children;
    struct thrift info; /* at the map of its texts */
    bool has_info;
};

struct wanted {
    str_t key;
    size_t offset;
};

#define WANTED(text, member) {STR(text), offsetof(struct profile, member)}

static const struct wanted of_summary[] = {
    WANTED("Session ID", session_id),
    WANTED("Start Time", start_time),
    WANTED("End Time", end_time),
    WANTED("Duration", duration),
    WANTED("Query Type", type),
    WANTED("Query State", state),
    WANTED("Query Status", status),
    WANTED("User", user),
    WANTED("Default Db", database),
    WANTED("Sql Statement", sql),
    WANTED("Tables Queried", tables_queried),
};

static const struct wanted of_frontend[] = {
    WANTED("Referenced Tables", referenced_tables),
};

struct wanted_list {
    const struct wanted *items;
    size_t count;
};

static const struct wanted_list summary_texts = {of_summary,
                                                 sizeof of_summary / sizeof of_summary[0]};
static const struct wanted_list frontend_texts = {of_frontend,
                                                  sizeof of_frontend / sizeof of_frontend[0]};

static void take_text(struct profile *profile, const struct wanted_list *wanted, str_t key,
                      str_t value)
{
    for (size_t i = 0; i < wanted->count; i++)
        if (str_eq(key, wanted->items[i].key))
            memcpy((char *)profile + wanted->items[i].offset, &value, sizeof value);
}

/* ---- Thrift -------------------------------------------------------------------------------- */

static void take_info(const struct node *node, const struct wanted_list *wanted,
                      struct profile *profile)
{
    struct thrift t = node->info;
    struct thrift_items map = node->has_info ? thrift_map(&t) : (struct thrift_items){0};
    if (map.key != THRIFT_BINARY || map.value != THRIFT_BINARY)
        return;
    for (size_t i = 0; i < map.count && !t.failed; i++) {
        str_t key = thrift_binary(&t), value = thrift_binary(&t);
        if (!t.failed)
            take_text(profile, wanted, key, value);
    }
}

static void read_node(struct thrift *t, struct node *node)
{
    *node = (struct node){0};
    for (struct thrift_field f = {0}; thrift_next_field(t, &f);) {
        if (f.id == NODE_NAME && f.type == THRIFT_BINARY) {
            node->name = thrift_binary(t);
        } else if (f.id == NODE_CHILDREN && f.type == THRIFT_I32) {
            int64_t children = thrift_integer(t);
            node->children = children > 0 ? (size_t)children : 0;
        } else {
            if (f.id == NODE_INFO && f.type == THRIFT_MAP) {
                node->info = *t;
                node->has_info = true;
            }
            thrift_skip(t, f.type);
        }
    }
}

/* Passes over the subtrees of so many nodes; *left are the nodes of the list that are still to
 * come. */
static void pass_subtrees(struct thrift *t, size_t nodes, size_t *left)
{
    struct node node;
    for (; nodes > 0 && *left > 0 && !t->failed; (*left)--) {
        read_node(t, &node);
        nodes--;
        if (node.children > *left)
            t->failed = true;
        nodes += node.children;
    }
}

static void read_summary(struct thrift *t, const struct node *summary, size_t *left,
                         struct profile *profile)
{
    take_info(summary, &summary_texts, profile);
    for (size_t i = 0; i < summary->children && *left > 0 && !t->failed; i++) {
        struct node node;
        read_node(t, &node);
        (*left)--;
        if (!t->failed && str_eq(node.name, STR("Frontend")))
            take_info(&node, &frontend_texts, profile);
        pass_subtrees(t, node.children, left);
    }
}

/* Whether the summary was among the root's children. */
static bool read_nodes(struct thrift *t, size_t left, struct profile *profile)
{
    struct node node;
    if (left == 0)
        return false;
    read_node(t, &node);
    profile->name = node.name;
    left--;
    for (size_t children = node.children; children > 0 && left > 0 && !t->failed; children--) {
        read_node(t, &node);
        left--;
        if (!t->failed && str_eq(node.name, STR("Summary"))) {
            read_summary(t, &node, &left, profile);
            return !t->failed;
        }
        pass_subtrees(t, node.children, &left);
    }
    return false;
}

bool profile_read(str_t bytes, struct profile *profile)
{
    *profile = (struct profile){0};
    struct thrift t = thrift_of(bytes);
    for (struct thrift_field f = {0}; thrift_next_field(&t, &f);) {
        if (f.id == TREE_NODES && f.type == THRIFT_LIST) {
            struct thrift_items nodes = thrift_list(&t);
            return nodes.value == THRIFT_STRUCT && read_nodes(&t, nodes.count, profile);
        }
        thrift_skip(&t, f.type);
    }
    return false;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static const struct json *child_named(const struct json *node, str_t name)
{
    const struct json *children = json_member(node, STR("child_profiles"));
    for (const struct json *child = children == NULL ? NULL : children->first; child != NULL;
         child = child->next)
        if (str_eq(json_member_text(child, STR("profile_name")), name))
            return child;
    return NULL;
}

static void take_json(const struct json *node, const struct wanted_list *wanted,
                      struct profile *profile)
{
    const struct json *list = json_member(node, STR("info_strings"));
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL;
         item = item->next)
        take_text(profile, wanted, json_member_text(item, STR("key")),
                  json_member_text(item, STR("value")));
}

bool profile_read_json(str_t text, struct arena *arena, struct profile *profile)
{
    const char *message;
    size_t where;
    *profile = (struct profile){0};
    const struct json *root =
        json_member(json_read(arena, text, &message, &where), STR("contents"));
    const struct json *summary = child_named(root, STR("Summary"));
    if (summary == NULL)
        return false;
    profile->name = json_member_text(root, STR("profile_name"));
    take_json(summary, &summary_texts, profile);
    take_json(child_named(summary, STR("Frontend")), &frontend_texts, profile);
    return true;
}

str_t profile_query_id(const struct profile *profile)
{
    static const str_t before = STR("(id=");
    size_t at = str_find_text(profile->name, before, 0);
    if (at == profile->name.len)
        return STR("");
    str_t rest = str_from(profile->name, at + before.len);
    return str_make(rest.ptr, query_id_length(rest));
}

/*
 * The lineage of many scripts as one graph in memory: what trace, impact and --against ask. Nodes are tables, columns and, between the
 * conditions of a statement and its outputs, the statement itself.
 */
#ifndef COLLINE_CMD_FACTS_H
#define COLLINE_CMD_FACTS_H

#include "base/arena.h"
#include "cmd.h"

enum node_kind {
    NODE_TABLE, NODE_COLUMN,
    NODE_ROWS /* what decides about the rows that a statement gives: no name of its own */
};

struct node {
    str_t name; /* db.t, db.t.c, or `result of FILE:LINE` with .c */
    enum node_kind kind;
    VEC(uint32_t) up, down; /* edges that end here, that begin here */
};

struct edge {
    uint32_t from, to; /* nodes */
    str_t how;         /* transform, clause, or `table` */
    str_t expression;  /* on one line */
    str_t script;
    uint32_t line;
    bool direct;       /* carries values; else decides about rows */
    bool tables;       /* between tables, not columns */
};

struct fact_slot;

struct facts {
    struct arena arena;
    VEC(struct node) nodes;
    VEC(struct edge) edges;
    struct fact_slot *slots; /* hash over the names of nodes */
    uint32_t slot_count;
    /* The statement being taken in. */
    str_t script;
    uint32_t line;
    uint32_t rows; /* its NODE_ROWS, UINT32_MAX: none yet */
};

enum {
    NO_NODE = UINT32_MAX
};

void facts_init(struct facts *facts);
void facts_release(struct facts *facts);

/* What follows belongs to this statement. */
void facts_statement(struct facts *facts, str_t script, uint32_t line);

/* A column of a table; of an empty table, of the statement's result. An empty column is the table's rows. NO_NODE never comes back. */
uint32_t facts_column(struct facts *facts, str_t table, str_t column);
uint32_t facts_table(struct facts *facts, str_t table);

/* The statement's rows: conditions lead to it, and from it to the outputs. */
uint32_t facts_rows(struct facts *facts);

void facts_edge(struct facts *facts, uint32_t from, uint32_t to, str_t how, str_t expression, bool direct);

/* The node of a name in lower case, NO_NODE when nothing goes by it. */
uint32_t facts_find(const struct facts *facts, str_t name);

/* Takes in a statement of the library's. */
void facts_add(struct facts *facts, colline_analyzer *an, str_t script, const colline_statement *st);

#endif

/*
 * The tree of one statement. Parsers build it in an arena; nobody changes it afterwards. Places are byte spans of the
 * text that was parsed (a script, or the stored text of a view). Lists are arrays: chains such as a AND b AND c, a || b || c,
 * UNIONs, joins and VALUES are flat, however long. Parentheses leave no node: they widen the span and set EXPR_PAREN.
 */
#ifndef COLLINE_SQL_AST_H
#define COLLINE_SQL_AST_H

#include "base/arena.h"
#include "sql/dialect.h"

struct query;
struct expr;
struct stmt;

/* An identifier: folded for comparing, span for showing as written. */
struct ident {
    struct name name; /* unquoted, folded */
    span_t span;
    bool quoted;
};

/* a.b.c */
struct qname {
    struct ident *parts;
    uint32_t count;
    span_t span;
};

/* ---- expressions ------------------------------------------------------------------------------------------------ */

enum expr_kind {
    EXPR_COLUMN,     /* name: dotted column reference, `a.b.c` undivided */
    EXPR_STAR,       /* name: qualifier of `t.*` or empty for `*`; in select lists and calls */
    EXPR_LITERAL,    /* op LITERAL_*; typed literals (DATE '..') too */
    EXPR_INTERVAL,   /* args: value; the unit is in the span */
    EXPR_PARAMETER,  /* ? */
    EXPR_VARIABLE,   /* ${x} without a value */
    EXPR_CALL,       /* name + call: any function, EXTRACT, TRIM, IF, || as `concat` is EXPR_CHAIN */
    EXPR_CAST,       /* args[0], type */
    EXPR_CASE,       /* args: [operand] when then when then .. [else]; flags CASE_OPERAND, CASE_ELSE */
    EXPR_UNARY,      /* op: OP_NOT OP_NEG OP_POS OP_BIT_NOT OP_FACTORIAL */
    EXPR_CHAIN,      /* op, args ≥ 2: left-associative n-ary: AND OR + - * / % DIV & | ^ ||; a - b + c is ((a - b) + c): op of the
                        chain is the first, `ops` holds the operator before each argument from the second on */
    EXPR_COMPARE,    /* op: = <> < <= > >= <=> IS [NOT] DISTINCT FROM; two args */
    EXPR_IS,         /* op: OP_IS_NULL OP_IS_TRUE OP_IS_FALSE OP_IS_UNKNOWN; flag EXPR_NEGATED; one arg */
    EXPR_LIKE,       /* op: OP_LIKE OP_RLIKE OP_ILIKE OP_IREGEXP; args: value, patterns (more than one for LIKE ANY|ALL); EXPR_NEGATED */
    EXPR_BETWEEN,    /* args: value, low, high; EXPR_NEGATED */
    EXPR_IN,         /* args: value, items; EXPR_NEGATED */
    EXPR_IN_QUERY,   /* args: value; query; EXPR_NEGATED */
    EXPR_QUANTIFIED, /* op of the comparison, ANY or ALL; args: value; query */
    EXPR_EXISTS,     /* query; EXPR_NEGATED is left to a NOT around it */
    EXPR_SUBQUERY,   /* query: scalar */
    EXPR_FIELD,      /* args[0], name of one part: field of an expression that is no plain name, f(x).y */
    EXPR_INDEX,      /* args: base, index */
    EXPR_ROW,        /* args: (a, b) */
    EXPR_DEFAULT     /* DEFAULT in VALUES or SET */
};

enum expr_op {
    OP_NONE,
    OP_OR, OP_AND, OP_NOT,
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_INT_DIV, OP_BIT_AND, OP_BIT_OR, OP_BIT_XOR, OP_CONCAT,
    OP_NEG, OP_POS, OP_BIT_NOT, OP_FACTORIAL,
    OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_NULL_SAFE_EQ, OP_DISTINCT_FROM, OP_NOT_DISTINCT_FROM,
    OP_IS_NULL, OP_IS_TRUE, OP_IS_FALSE, OP_IS_UNKNOWN,
    OP_LIKE, OP_RLIKE, OP_ILIKE, OP_IREGEXP,
    LITERAL_STRING, LITERAL_NUMBER, LITERAL_TRUE, LITERAL_FALSE, LITERAL_NULL, LITERAL_DATE, LITERAL_TIMESTAMP, LITERAL_CHARSET,
    EXPR_OP_COUNT
};

enum expr_flag {
    EXPR_NEGATED = 1,  /* NOT LIKE, NOT IN, IS NOT .. */
    EXPR_PAREN = 2,    /* stood in parentheses; the span includes them */
    CASE_OPERAND = 4,
    CASE_ELSE = 8,
    QUANTIFIED_ALL = 16
};

/* One ORDER BY, SORT BY .. key. */
struct sort_key {
    struct expr *expr;
    bool descending;
    uint8_t nulls; /* 0 not said, 1 first, 2 last */
};

struct sort_keys {
    struct sort_key *items;
    uint32_t count;
};

struct exprs {
    struct expr **items;
    uint32_t count;
};

/* OVER name | OVER (..) and an entry of a WINDOW clause. */
struct window {
    struct ident *base; /* NULL: none; OVER w has only this */
    struct exprs partition_by;
    struct sort_keys order_by;
    struct exprs frame; /* bounds with an expression */
    bool has_frame;
    span_t span;
};

/* What a call has besides its name and arguments. */
struct call {
    struct window *over;          /* NULL: none */
    struct sort_keys within_group;
    bool distinct, all;
    uint8_t nulls;                /* 0 none, 1 RESPECT, 2 IGNORE */
};

struct type;

struct expr {
    uint8_t kind;  /* enum expr_kind */
    uint8_t op;    /* enum expr_op */
    uint16_t flags;
    span_t span;
    uint32_t arg_count;
    struct expr **args;
    union {
        struct qname name;   /* COLUMN, STAR, CALL, FIELD */
        struct query *query; /* IN_QUERY, QUANTIFIED, EXISTS, SUBQUERY */
        struct type *type;   /* CAST */
        uint8_t *ops;        /* CHAIN: arg_count - 1 operators */
    } u;
    struct call *call;       /* CALL: NULL when it has nothing special */
};

/* ---- types ------------------------------------------------------------------------------------------------------ */

enum type_kind {
    TYPE_PRIMITIVE, /* name as folded text: int, decimal(10,2), timestamp with local time zone */
    TYPE_ARRAY,     /* fields[0] */
    TYPE_MAP,       /* fields[0] key, fields[1] value */
    TYPE_STRUCT,    /* fields with names */
    TYPE_UNION      /* fields without names */
};

struct type_field {
    struct name name;
    struct type *type;
};

struct type {
    uint8_t kind;
    struct name name; /* of a primitive: canonical: `int` for INTEGER, `double` for REAL .. */
    struct type_field *fields;
    uint32_t field_count;
    span_t span;
};

/* ---- queries ---------------------------------------------------------------------------------------------------- */

/* expr [AS alias] | * | t.* | expr AS (a, b) */
struct select_item {
    struct expr *expr;
    struct ident *alias;   /* NULL: none */
    struct ident *aliases; /* AS (a, b): several names for a table function */
    uint32_t alias_count;
    span_t span;
};

struct cte {
    struct ident name;
    struct ident *columns;
    uint32_t column_count;
    struct query *query;
    bool recursive;
    span_t span;
};

enum from_kind {
    FROM_TABLE,          /* name */
    FROM_QUERY,          /* query */
    FROM_JOIN,           /* first, joins: a chain, flat; also a parenthesised one */
    FROM_VALUES,         /* query (VALUES) with column names: TABLE(VALUES ..) AS t(a, b) */
    FROM_TABLE_FUNCTION, /* name + args: Hive's PTF `noop(ON t PARTITION BY ..)`: input, window, args; Spark-like TVFs: args only */
    FROM_UNNEST,         /* args: collections; columns (Impala) */
    FROM_UNIQUEJOIN      /* joins: one step a source, `on` = row of keys */
};

enum join_kind {
    JOIN_COMMA, JOIN_INNER, JOIN_CROSS, JOIN_LEFT, JOIN_RIGHT, JOIN_FULL,
    JOIN_LEFT_SEMI, JOIN_RIGHT_SEMI, JOIN_LEFT_ANTI, JOIN_RIGHT_ANTI,
    JOIN_LATERAL_VIEW /* LATERAL VIEW after ON: over the whole chain so far (Spark writes it so) */
};

/* LATERAL VIEW [OUTER] call table_alias [AS columns] | LATERAL TABLE(VALUES ..) */
struct lateral_view {
    struct expr *call;   /* NULL for the TABLE form */
    struct query *query; /* VALUES of the TABLE form */
    struct ident *alias; /* NULL when left out */
    struct ident *columns;
    uint32_t column_count;
    bool outer;
    span_t span;
};

struct join_step {
    uint8_t kind;            /* enum join_kind */
    bool natural;
    struct from_item *right; /* NULL for JOIN_LATERAL_VIEW */
    struct lateral_view *lateral;
    struct expr *on;
    struct ident *using_columns;
    uint32_t using_count;
    span_t span;
};

/* PIVOT/UNPIVOT after a path (Impala 5.0) */
struct pivot {
    bool unpivot;
    struct select_item *items; /* PIVOT: aggregates */
    uint32_t item_count;
    struct ident value_column; /* UNPIVOT: the new value column */
    struct ident for_column;
    struct select_item *in_items;
    uint32_t in_count;
};

struct from_item {
    uint8_t kind;        /* enum from_kind */
    struct qname name;   /* TABLE, TABLE_FUNCTION */
    struct ident *alias; /* NULL: none */
    struct ident *columns; /* t(a, b): names for the columns */
    uint32_t column_count;
    struct query *query;      /* QUERY, VALUES */
    struct from_item *first;  /* JOIN: leftmost; TABLE_FUNCTION: its ON input */
    struct join_step *joins;  /* JOIN, UNIQUEJOIN */
    uint32_t join_count;
    struct lateral_view *laterals; /* attached to this item, in order */
    uint32_t lateral_count;
    bool sampled;             /* TABLESAMPLE */
    struct exprs args;        /* TABLE_FUNCTION, UNNEST; sample ON and AS OF expressions of a table */
    struct window *window;    /* TABLE_FUNCTION: its PARTITION BY / ORDER BY */
    struct pivot *pivot;
    span_t span;
};

enum group_kind {
    GROUP_NONE, GROUP_PLAIN, GROUP_ROLLUP, GROUP_CUBE, GROUP_SETS, GROUP_EMPTY /* GROUP BY () */
};

struct group_by {
    uint8_t kind; /* enum group_kind */
    struct exprs keys;
    struct exprs sets; /* GROUPING SETS: each an EXPR_ROW or a single expression */
    span_t span;
};

struct named_window {
    struct ident name;
    struct window *window;
};

/* SELECT TRANSFORM (..) USING '..' AS (..), MAP, REDUCE: the arguments are the block's items. */
struct script_call {
    span_t command; /* string after USING */
    struct ident *columns; /* none: `key`, `value` */
    struct type **types;   /* NULL, or one a column, NULL where not said */
    uint32_t column_count;
};

struct block {
    bool distinct;
    struct script_call *script; /* NULL: a plain SELECT */
    struct select_item *items;
    uint32_t item_count;
    struct from_item *from; /* NULL: none. Legs of a multi-insert share one. */
    struct expr *where, *having, *qualify;
    struct group_by group_by;
    struct named_window *windows;
    uint32_t window_count;
    span_t span;
};

enum setop_kind {
    SETOP_UNION_ALL, SETOP_UNION, SETOP_INTERSECT, SETOP_INTERSECT_ALL, SETOP_EXCEPT, SETOP_EXCEPT_ALL
};

/* operand op operand op ..: one precedence, left to right, in both dialects. */
struct setop {
    struct query **operands;
    uint8_t *ops; /* operand_count - 1 of enum setop_kind */
    uint32_t operand_count;
};

/* VALUES (..), (..): rows are EXPR_ROW; aliases in the first row name the columns. */
struct values {
    struct select_item **rows; /* row_count arrays */
    uint32_t *row_lengths;
    uint32_t row_count;
    span_t span;
};

enum query_kind {
    QUERY_BLOCK, QUERY_SETOP, QUERY_VALUES, QUERY_NESTED /* ( query ) with clauses of its own outside */
};

struct query {
    uint8_t kind; /* enum query_kind */
    struct cte *ctes;
    uint32_t cte_count;
    union {
        struct block *block;
        struct setop *setop;
        struct values *values;
        struct query *nested;
    } u;
    struct sort_keys order_by, sort_by;
    struct exprs cluster_by, distribute_by;
    struct exprs limit; /* LIMIT and OFFSET expressions */
    bool has_limit;
    span_t span;
};

/* ---- statements ------------------------------------------------------------------------------------------------- */

/* key = value of a PARTITION clause; `transform` is a call for Iceberg's year(ts). */
struct partition_key {
    struct ident name;
    struct expr *value; /* NULL: dynamic (INSERT) or the key alone; in DROP PARTITION a comparison */
    struct expr *transform;
    uint8_t op;         /* enum expr_op: OP_EQ, or another comparison in DROP PARTITION */
};

struct partition_spec {
    struct partition_key *keys;
    uint32_t count;
    bool present;
    span_t span;
};

struct insert_target {
    struct qname table;  /* empty for a directory */
    bool directory, local, overwrite, upsert, if_not_exists;
    str_t path;          /* of a directory, unquoted */
    struct partition_spec partition;
    struct ident *columns;
    uint32_t column_count;
    bool has_columns; /* `()` is a list too */
    span_t span;
};

/* One INSERT of a statement; without target a plain query body of a FROM-first statement. */
struct insert_leg {
    struct insert_target *target;
    struct query *query; /* NULL: INSERT INTO t() (Impala) */
};

/* Also upserts. FROM-first: legs whose blocks share `from`. */
struct insert_stmt {
    struct cte *ctes;
    uint32_t cte_count;
    struct from_item *from; /* NULL unless FROM-first */
    struct insert_leg *legs;
    uint32_t leg_count;
};

struct assignment {
    struct qname column;
    struct expr *value;
};

struct update_stmt {
    struct qname table;
    struct from_item *from; /* Impala's UPDATE .. FROM */
    struct assignment *sets;
    uint32_t set_count;
    struct expr *where;
};

struct delete_stmt {
    struct qname table;
    struct from_item *from;
    struct expr *where;
};

enum merge_when_kind {
    MERGE_MATCHED, MERGE_NOT_MATCHED, MERGE_NOT_MATCHED_BY_SOURCE
};

enum merge_action {
    MERGE_UPDATE, MERGE_UPDATE_STAR, MERGE_DELETE, MERGE_INSERT, MERGE_INSERT_STAR
};

struct merge_when {
    uint8_t kind, action;
    struct expr *condition; /* after AND; several are one chain */
    struct assignment *sets;
    uint32_t set_count;
    struct ident *columns; /* INSERT (..) */
    uint32_t column_count;
    struct exprs values;
    span_t span;
};

struct merge_stmt {
    struct from_item *target; /* FROM_TABLE with alias */
    struct from_item *source;
    struct expr *on;
    struct merge_when *whens;
    uint32_t when_count;
};

struct column_def {
    struct ident name;
    struct type *type; /* NULL: PARTITIONED BY (name) of a CTAS */
    str_t comment;     /* unquoted */
    struct clause *options; /* constraints and the like; NULL: none */
};

/* CREATE TABLE in all its forms. */
struct create_table {
    struct qname name;
    bool temporary, external, if_not_exists, or_replace;
    struct column_def *columns;
    uint32_t column_count;
    bool has_columns;
    struct column_def *partitions; /* PARTITIONED BY; type NULL for names only */
    uint32_t partition_count;
    struct qname like;  /* LIKE t; empty: none */
    str_t like_file;    /* LIKE PARQUET '/x' (Impala), LIKE FILE ORC '/x' */
    str_t location, comment, stored_as; /* unquoted; stored_as folded: iceberg, kudu, parquet, or the handler class */
    struct query *query; /* AS */
    struct clause *options; /* all other clauses */
};

struct create_view {
    struct qname name;
    bool materialized, or_replace, if_not_exists, alter; /* alter: ALTER VIEW v AS */
    struct column_def *columns;
    uint32_t column_count;
    struct ident *partitioned_on;
    uint32_t partitioned_count;
    str_t comment, location, stored_as;
    struct query *query;
    struct clause *options;
};

enum alter_kind {
    ALTER_RENAME,           /* new_name */
    ALTER_ADD_COLUMNS,      /* columns */
    ALTER_REPLACE_COLUMNS,  /* columns */
    ALTER_CHANGE_COLUMN,    /* column (old), columns[0] (new) [first | after] */
    ALTER_DROP_COLUMN,      /* column */
    ALTER_RENAME_PARTITION,
    ALTER_EXCHANGE_PARTITION, /* partition, new_name = the table it comes from */
    ALTER_ADD_PARTITION,    /* partition (first one), location */
    ALTER_DROP_PARTITION,
    ALTER_REBUILD,          /* MATERIALIZED VIEW .. REBUILD */
    ALTER_SET_PROPERTIES,   /* TBLPROPERTIES: in options */
    ALTER_OTHER             /* all else: in options */
};

struct alter_stmt {
    struct qname name;
    uint8_t kind;   /* enum alter_kind */
    bool view, materialized;
    struct partition_spec partition;
    struct qname new_name;
    struct ident column, after;
    bool first, has_after;
    struct column_def *columns;
    uint32_t column_count;
    str_t location;
    struct clause *options;
};

/* LOAD, EXPORT, IMPORT: between a table and a path. */
struct transfer_stmt {
    struct qname table; /* IMPORT may leave it out */
    struct partition_spec partition;
    str_t path;
    bool overwrite, local, external;
    struct clause *options;
};

struct create_function {
    struct qname name;
    bool temporary, macro;
    struct column_def *params; /* macro */
    uint32_t param_count;
    struct expr *body;         /* macro */
    struct clause *options;
};

/* Statements that are about one object and have no lineage of their own: USE, DROP, TRUNCATE, ANALYZE, DESCRIBE, SHOW .. */
struct object_stmt {
    struct qname name;   /* the table, view, database, function; empty: none */
    bool if_exists, if_not_exists;
    struct partition_spec partition;
    str_t location;
    struct clause *options;
};

/* EXPLAIN, PREPARE, scheduled queries: a statement inside a statement. */
struct wrapper_stmt {
    struct stmt *inner;
    struct ident name; /* PREPARE, SCHEDULED QUERY */
    bool analyze;      /* EXPLAIN ANALYZE runs the statement */
    struct clause *options;
};

struct execute_stmt {
    struct ident name;
    struct exprs args;
};

/* Commands of the client: SET k=v, ADD JAR, DFS, !sh, SOURCE ..: text is opaque but for SET and SOURCE. */
struct command_stmt {
    str_t word; /* set, add, source, !: as written, folded */
    str_t key, value; /* SET key=value; SOURCE: value is the file */
};

/*
 * A piece of syntax that no later stage looks into, kept as a tree so that nothing of a statement is lost:
 * (label child child ..). Labels are the words of the syntax in lower case: `stored_by`, `tblproperties`.
 */
enum clause_item_kind {
    CLAUSE_NODE, CLAUSE_EXPR, CLAUSE_NAME, CLAUSE_TYPE, CLAUSE_QUERY, CLAUSE_WORD /* a token as written */
};

struct clause_item {
    uint8_t kind; /* enum clause_item_kind */
    union {
        struct clause *clause;
        struct expr *expr;
        struct qname *name;
        struct type *type;
        struct query *query;
        span_t word;
    } u;
};

struct clause {
    str_t label;
    VEC(struct clause_item) items;
};

enum stmt_kind {
#define STMT(id, text, member) STMT_##id,
#include "sql/ast.def"
#undef STMT
    STMT_KIND_COUNT
};

struct stmt {
    uint16_t kind; /* enum stmt_kind */
    span_t span;   /* without the comments before it and without its terminator */
    union {
        struct query *query;
        struct insert_stmt *insert;
        struct update_stmt *update;
        struct delete_stmt *delete_;
        struct merge_stmt *merge;
        struct create_table *create_table;
        struct create_view *create_view;
        struct alter_stmt *alter;
        struct transfer_stmt *transfer;
        struct create_function *create_function;
        struct object_stmt *object;
        struct wrapper_stmt *wrapper;
        struct execute_stmt *execute;
        struct command_stmt *command;
        void *any;
    } u;
};

/* "INSERT", "CREATE TABLE" .. as lineage documents name the statement's type. */
str_t stmt_kind_text(enum stmt_kind kind);
str_t expr_kind_text(enum expr_kind kind);
str_t expr_op_text(enum expr_op op);

#endif

/*
 * The expression parser's inside. It is a machine with two states, WANT (an operand must come) and
 * HAVE (an operand is there: an operator, a closing bracket or the end must come), over two stacks
 * in the arena: frames    what is open: an operator that waits for its right side, a bracket, a
 * CASE operands  finished operands that belong to an open frame The newest operand is in `value`.
 * So nesting costs arena, not C stack; only queries and windows recurse. parse_expr.c   the machine
 * and its operators     expr_operand.c  what begins an operand expr_close.c   what closes a frame
 * and makes its node
 */
#ifndef COLLINE_SQL_EXPR_MACHINE_H
#define COLLINE_SQL_EXPR_MACHINE_H

#include "sql/expr_rules.h"
#include "sql/parser.h"

enum machine_state { WANT, HAVE, DONE };

enum frame_kind {
    /* containers: closed by a token of their own */
    FRAME_BASE,        /* the whole expression */
    FRAME_PAREN,       /* ( */
    FRAME_CALL,        /* f( */
    FRAME_CAST,        /* CAST( */
    FRAME_CASE,        /* state: enum case_part */
    FRAME_INDEX,       /* base[ */
    FRAME_IN,          /* value IN ( */
    FRAME_LIKE_LIST,   /* value LIKE ANY ( */
    FRAME_BETWEEN_LOW, /* value BETWEEN: waits for AND */
    FRAME_INTERVAL,    /* INTERVAL (expr) unit; Impala: INTERVAL expr unit */
    /* operators: closed by any looser operator or closing token */
    FRAME_PREFIX,
    FRAME_CHAIN,
    FRAME_COMPARE,
    FRAME_LIKE,
    FRAME_BETWEEN_HIGH
};

enum case_part { CASE_PART_OPERAND, CASE_PART_WHEN, CASE_PART_THEN, CASE_PART_ELSE };

/* Where an interval of Impala stands. */
enum interval_place {
    INTERVAL_FREE, /* first: + must follow */
    INTERVAL_SUMMAND,
    INTERVAL_ARGUMENT
};

/* What an expression may be besides an expression; of a FRAME_BASE. */
enum base_flag { BASE_STAR = 1, BASE_DEFAULT = 2 };

/* What a call takes besides a list of arguments; state of a FRAME_CALL. */
enum call_form {
    CALL_FROM = 1,         /* TRIM(a FROM b) */
    CALL_TO = 2,           /* FLOOR(a TO unit) */
    CALL_FIRST_IS_UNIT = 4 /* EXTRACT(unit FROM a), where the unit was read as a column */
};

struct expr_frame {
    uint8_t kind;  /* enum frame_kind */
    uint8_t level; /* operators inside bind tighter */
    uint8_t op;    /* enum expr_op: first operator of a chain */
    uint8_t state; /* CASE: enum case_part; CHAIN: the operator before `value`; BASE, CALL: flags */
    uint16_t flags;    /* of the node to come */
    uint32_t base;     /* operands below this index are not its own */
    uint32_t start;    /* first byte */
    struct expr *node; /* CALL */
};

struct expr_operand {
    struct expr *expr;
    uint8_t op; /* CHAIN: the operator before it */
};

struct machine {
    struct parser *p;
    const struct expr_rules *rules;
    struct expr *value; /* the newest operand; NULL when out of memory */
    uint32_t start;     /* its first byte */
    uint8_t level;      /* how tightly it binds: LEVEL_ATOM, or that of the operator that made it */
};

static inline struct expr_frame *top_frame(const struct machine *m)
{
    return &m->p->frames.items[m->p->frames.count - 1];
}

static inline bool is_operator_frame(const struct expr_frame *frame)
{
    return frame->kind >= FRAME_PREFIX;
}

static inline uint32_t last_byte(const struct parser *p)
{
    return p->token[-1].end;
}

/* Makes `expr` the newest operand. */
static inline enum machine_state set_value(struct machine *m, struct expr *expr, uint32_t start,
                                           uint8_t level)
{
    m->value = expr;
    m->start = start;
    m->level = level;
    return HAVE;
}

/* ---- parse_expr.c ---- */

/*
 * A new frame whose operands are those pushed from now on; NULL when too deep or out of memory,
 * with the error set.
 */
struct expr_frame *open_frame(struct machine *m, enum frame_kind kind, uint8_t level,
                              uint32_t start);

/* Takes the frame off the stack. */
void drop_frame(struct machine *m);

/* Hands the newest operand over to the top frame. */
void push_value(struct machine *m, uint8_t op);

/* Moves the operands of `frame` into the node's args and off the stack. */
void take_operands(struct machine *m, const struct expr_frame *frame, struct expr *node);

/* ---- expr_operand.c ---- */

/* WANT: reads a whole operand, or opens what one begins with. */
enum machine_state read_operand(struct machine *m);

/* A unit of Hive's intervals, YEAR TO MONTH too: whether the token is one; and takes it. */
bool is_interval_unit(const struct token *token);
void take_interval_unit(struct parser *p);

/* `(` query `)` at the cursor. */
struct query *parse_parenthesised_query(struct parser *p);

/* ---- expr_close.c ---- */

/* The value is the last operand of the operator frame on top: makes the operator's node. */
void close_operator(struct machine *m);

/* HAVE, and no operator comes: the next token must belong to the container on top. */
enum machine_state close_container(struct machine *m);

/* The value is the last item of the list frame on top. */
enum machine_state finish_list(struct machine *m, enum expr_kind kind);

/* After the `)` of a call: WITHIN GROUP, RESPECT NULLS, OVER. */
enum machine_state finish_call(struct machine *m, struct expr *node, uint32_t start);

/*
 * What a call has besides its name and arguments, made when first asked for; NULL when out of
 * memory.
 */
struct call *call_details(struct parser *p, struct expr *node);

#endif

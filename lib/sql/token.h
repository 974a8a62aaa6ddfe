/*
 * Tokens. The lexer turns the text of one statement into an array of these; the parser walks the array and may look
 * ahead as far as it likes. A token is its place in the text; comments and plain white space leave none.
 */
#ifndef COLLINE_SQL_TOKEN_H
#define COLLINE_SQL_TOKEN_H

#include "base/arena.h"

enum token_kind {
    TOKEN_END = 0,   /* end of the statement: `;` or the end of the text */
    TOKEN_WORD,      /* bare identifier or keyword: see `word` */
    TOKEN_QUOTED,    /* `name` (Hive's "name" in standard mode too), with its quotes */
    TOKEN_STRING,    /* 'text' or "text", with its quotes; adjacent pieces without a blank are one (Hive) */
    TOKEN_NUMBER,    /* 12, 1.5, 1e6, with Hive's suffixes L S Y D BD */
    TOKEN_BYTES,     /* 10M, 4k: TABLESAMPLE only (Hive) */
    TOKEN_CHARSET,   /* _utf8 0xE982B5 / _utf8'..' (Hive) */
    TOKEN_HINT,      /* a comment that begins with +, with its signs */
    TOKEN_VARIABLE,  /* ${x} that stands for itself: a name or a value */
    TOKEN_BAD,       /* a byte that begins no token, an unterminated string or comment */
    TOKEN_LPAREN, TOKEN_RPAREN, TOKEN_LBRACKET, TOKEN_RBRACKET, TOKEN_LBRACE, TOKEN_RBRACE,
    TOKEN_COMMA, TOKEN_DOT, TOKEN_COLON, TOKEN_QUESTION, TOKEN_DOLLAR,
    TOKEN_PLUS, TOKEN_MINUS, TOKEN_STAR, TOKEN_SLASH, TOKEN_PERCENT,
    TOKEN_AMP, TOKEN_PIPE, TOKEN_CARET, TOKEN_TILDE, TOKEN_CONCAT, /* & | ^ ~ || */
    TOKEN_AND_AND,                                                 /* && (Impala) */
    TOKEN_EQ, TOKEN_NE, TOKEN_LT, TOKEN_LE, TOKEN_GT, TOKEN_GE, TOKEN_NULL_SAFE_EQ, TOKEN_NOT_SIGN,
    TOKEN_ELLIPSIS
};

/* Words that some dialect knows, in alphabetical order: KW_SELECT and so on, from keywords.def. KW_NONE: any other word. */
enum keyword {
    KW_NONE = 0,
#define KEYWORD(id, text, hive, impala) KW_##id,
#include "sql/keywords.def"
#undef KEYWORD
    KEYWORD_COUNT
};

/* What a dialect makes of a word. */
enum word_class {
    WORD_PLAIN = 0,   /* no keyword of this dialect */
    WORD_NONRESERVED, /* a keyword that may be a name */
    WORD_RESERVED
};

struct token {
    uint32_t start, end; /* bytes of the text, quotes included */
    uint8_t kind;        /* enum token_kind */
    uint8_t reserved;    /* enum word_class of a TOKEN_WORD */
    uint16_t word;       /* enum keyword of a TOKEN_WORD; KW_NONE otherwise */
};

/* Quotes of which it is known that a further one in the text has no end. */
enum unclosed {
    UNCLOSED_SINGLE = 1,
    UNCLOSED_DOUBLE = 2,
    UNCLOSED_BACK = 4
};

/* The tokens of one statement. */
struct tokens {
    VEC(struct token) list; /* the last one is a TOKEN_END whose start is the place of `;` or the text's end */
    uint8_t unclosed;       /* enum unclosed; who lexes the next statement of the same text hands it on */
};

#endif

/*
 * The name that Impala gives to an output without alias: the expression's text, written in one way whatever blanks, comments and case it has.
 */
#ifndef COLLINE_BIND_LABEL_H
#define COLLINE_BIND_LABEL_H

#include "bind/binder.h"

struct name expression_label(struct binder *b, span_t span);

#endif

/*
 * The small part of Java's regular expressions that people write over column names: literals, `.`, classes, groups, `|`, and the
 * quantifiers ? * + {n,m} with their lazy and possessive forms, as in (ds|hr)?+.+
 */
#ifndef COLLINE_BIND_REGEX_H
#define COLLINE_BIND_REGEX_H

#include "base/str.h"

struct regex {
    str_t pattern; /* folded to lower case, as names are */
};

/* Whether the whole text matches. A pattern that cannot be read, or that tries too much, matches nothing. */
bool regex_matches(const struct regex *regex, str_t text);

#endif

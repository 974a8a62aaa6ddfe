/* The two languages. Shared code asks for a capability; what only one language has lives in its own hive_*.c or impala_*.c. */
#ifndef COLLINE_SQL_DIALECT_H
#define COLLINE_SQL_DIALECT_H

#include "base/str.h"

enum dialect {
    DIALECT_HIVE,
    DIALECT_IMPALA
};

#endif

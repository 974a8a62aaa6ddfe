/*
 * Runs the script of a case: catalog and session as its options say.
 */
#ifndef COLLINE_TESTS_RUN_H
#define COLLINE_TESTS_RUN_H

#include "support/lt.h"
#include "support/render.h"

/* Lines of the case's script, or of `sql` when that is not NULL. */
struct text run_case(const struct lt_case *lt, colline_dialect dialect, const struct text *sql);

#endif

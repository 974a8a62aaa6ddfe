/*
 * Lineage as lines, for expectations that read well and differ well:
 *
 *     # 1 INSERT insert_overwrite             a heading before each statement of several, or before a lone one without any line
 *     inputs: ods.a, /path/to/dir
 *     views: ods.v
 *     outputs: ads.t overwrite_partition (dt='1', hr)
 *     ads.t.x <- ods.a.p, ods.a.q{.city} : transformation = expression
 *     ads.t.y <- - : constant
 *     * <~ ods.a.p : filter                   a predicate for all outputs
 *     ads.t.x <~ ods.a.q : window
 *     diag: unresolved-column
 *     error: syntax 1:8 expected an expression, found FROM
 *
 * Equal lines of a statement stand once.
 */
#ifndef COLLINE_TESTS_RENDER_H
#define COLLINE_TESTS_RENDER_H

#include "colline.h"
#include "support/text.h"

struct render_options {
    bool expressions, steps, spans;
    bool headings; /* always */
};

/* The lines of one statement, without heading. */
void render_statement(struct text *out, colline_analyzer *an, const colline_statement *st, const struct render_options *options);

/* All remaining statements of the script that was begun, with headings. */
void render_script(struct text *out, colline_analyzer *an, const struct render_options *options);

#endif

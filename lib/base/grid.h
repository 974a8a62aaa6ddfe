/*
 * Text for people: rows of cells that are printed in aligned columns, and colours that are only there when wanted. Cells are
 * borrowed; line breaks and control characters in them come out as blanks.
 */
#ifndef COLLINE_BASE_GRID_H
#define COLLINE_BASE_GRID_H

#include "base/arena.h"
#include "base/buf.h"

/* How text for people may look. */
struct look {
    bool colour;
    uint32_t width; /* columns of the terminal; 0: as wide as it gets */
};

enum paint {
    PAINT_PLAIN, PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_CYAN, PAINT_COUNT
};

/* The text in a colour, or as it is; or what lies between on and off. */
void paint_on(struct buf *out, const struct look *look, enum paint colour);
void paint_off(struct buf *out, const struct look *look, enum paint colour);
void paint(struct buf *out, const struct look *look, enum paint colour, str_t text);

/* The text on one line: runs of blanks and control characters become one blank, and past `limit` columns (0: none) it ends in `…`. */
void add_one_line(struct buf *out, str_t text, size_t limit);

enum {
    GRID_COLUMNS = 6
};

struct grid_row {
    str_t cells[GRID_COLUMNS];
};

struct grid {
    struct arena *arena;
    uint32_t columns;
    enum paint colours[GRID_COLUMNS];
    VEC(struct grid_row) rows;
};

/* A grid with a heading; its rows live in the arena. */
void grid_init(struct grid *grid, struct arena *arena, const str_t *heading, uint32_t columns);

/* A new row with empty cells; NULL when out of memory. */
str_t *grid_row(struct grid *grid);

/* Prints the rows, each line after `indent` blanks; the last column is cut where the terminal ends. */
void grid_print(const struct grid *grid, struct buf *out, const struct look *look, size_t indent);

#endif

/* Aligned columns: measure every cell, then print. Cells of all but the last column are at most WIDEST wide. */
#include "base/grid.h"

#include "base/utf8.h"

enum {
    WIDEST = 60,
    GAP = 2,
    NARROWEST_LAST = 20
};

static bool is_painted(const struct look *look, enum paint colour)
{
    return look->colour && colour != PAINT_PLAIN;
}

void paint_on(struct buf *out, const struct look *look, enum paint colour)
{
    static const str_t codes[PAINT_COUNT] = {
        [PAINT_BOLD] = {"\033[1m", 4},   [PAINT_DIM] = {"\033[2m", 4},     [PAINT_RED] = {"\033[31m", 5},
        [PAINT_GREEN] = {"\033[32m", 5}, [PAINT_YELLOW] = {"\033[33m", 5}, [PAINT_CYAN] = {"\033[36m", 5},
    };
    if (is_painted(look, colour))
        buf_add(out, codes[colour]);
}

void paint_off(struct buf *out, const struct look *look, enum paint colour)
{
    if (is_painted(look, colour))
        BUF_ADD(out, "\033[0m");
}

void paint(struct buf *out, const struct look *look, enum paint colour, str_t text)
{
    paint_on(out, look, colour);
    add_valid_utf8(out, text);
    paint_off(out, look, colour);
}

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7F;
}

/* One word or blank at a time, until `limit` columns are full. */
static void add_folded(struct buf *out, str_t text, size_t limit)
{
    size_t width = 0;
    while (text.len > 0) {
        size_t run = 0;
        bool blank = is_blank(text.ptr[0]);
        while (run < text.len && is_blank(text.ptr[run]) == blank)
            run++;
        str_t piece = blank ? STR(" ") : str_make(text.ptr, run);
        size_t wide = utf8_width(piece);
        if (limit != 0 && (width + wide > limit || (width + wide == limit && run < text.len))) {
            add_valid_utf8(out, utf8_cut(piece, limit - width - 1));
            BUF_ADD(out, "…");
            return;
        }
        add_valid_utf8(out, piece);
        width += wide;
        text = str_make(text.ptr + run, text.len - run);
    }
}

void add_one_line(struct buf *out, str_t text, size_t limit)
{
    add_folded(out, str_trim(text), limit);
}

void grid_init(struct grid *grid, struct arena *arena, const str_t *heading, uint32_t columns)
{
    *grid = (struct grid){.arena = arena, .columns = columns};
    str_t *cells = grid_row(grid);
    for (uint32_t i = 0; cells != NULL && i < columns; i++)
        cells[i] = heading[i];
}

str_t *grid_row(struct grid *grid)
{
    struct grid_row *row = VEC_PUSH(grid->arena, &grid->rows);
    return row == NULL ? NULL : row->cells;
}

/* Columns on the terminal that add_one_line needs. */
static size_t cell_width(str_t cell, size_t limit)
{
    size_t width = 0;
    cell = str_trim(cell);
    for (size_t at = 0; at < cell.len && (limit == 0 || width < limit);) {
        size_t run = at;
        while (run < cell.len && is_blank(cell.ptr[run]) == is_blank(cell.ptr[at]))
            run++;
        width += is_blank(cell.ptr[at]) ? 1 : utf8_width(str_make(cell.ptr + at, run - at));
        at = run;
    }
    return limit != 0 && width > limit ? limit : width;
}

static size_t column_width(const struct grid *grid, uint32_t column)
{
    size_t widest = 0;
    for (uint32_t row = 0; row < grid->rows.count; row++) {
        size_t width = cell_width(grid->rows.items[row].cells[column], WIDEST);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t last_width(const struct look *look, size_t used)
{
    if (look->width == 0)
        return 0;
    return look->width > used + NARROWEST_LAST ? look->width - used : NARROWEST_LAST;
}

/* How many cells there are without the empty ones at the end, so that no line ends in blanks. */
static uint32_t filled(const struct grid *grid, const str_t *cells)
{
    uint32_t count = grid->columns;
    while (count > 0 && cells[count - 1].len == 0)
        count--;
    return count;
}

void grid_print(const struct grid *grid, struct buf *out, const struct look *look, size_t indent)
{
    size_t widths[GRID_COLUMNS] = {0};
    size_t used = indent;
    for (uint32_t i = 0; i + 1 < grid->columns; i++) {
        widths[i] = column_width(grid, i);
        used += widths[i] + GAP;
    }
    size_t last = last_width(look, used);
    for (uint32_t row = 0; row < grid->rows.count; row++) {
        const str_t *cells = grid->rows.items[row].cells;
        uint32_t count = filled(grid, cells);
        buf_add_repeat(out, ' ', count == 0 ? 0 : indent);
        for (uint32_t i = 0; i < count; i++) {
            enum paint colour = cells[i].len == 0 ? PAINT_PLAIN : row == 0 ? PAINT_DIM : grid->colours[i];
            paint_on(out, look, colour);
            add_one_line(out, cells[i], i + 1 == grid->columns ? last : WIDEST);
            paint_off(out, look, colour);
            if (i + 1 < count)
                buf_add_repeat(out, ' ', widths[i] - cell_width(cells[i], WIDEST) + GAP);
        }
        buf_add_char(out, '\n');
    }
}

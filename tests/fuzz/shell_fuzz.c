/* Any shell script is read to its end; what is found in it has its bytes where it says, and is
 * analysed with places in the script. */
#include <stdlib.h>

#include "../../cmd/shell_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

static void check_pieces(str_t shell, const struct shell_sql *sql)
{
    check(sql->piece_count > 0 && sql->pieces[0].at == 0);
    for (size_t i = 0; i < sql->piece_count; i++) {
        const colline_piece *piece = &sql->pieces[i];
        uint32_t end = i + 1 < sql->piece_count ? piece[1].at : (uint32_t)sql->text.len;
        check(piece->at < end && piece->start <= piece->end && piece->end <= shell.len);
        if (piece->exact)
            check(end - piece->at <= shell.len - piece->start &&
                  memcmp(sql->text.ptr + piece->at, shell.ptr + piece->start, end - piece->at) ==
                      0);
    }
}

static void analyse(colline_analyzer *an, str_t shell, const struct shell_sql *sql)
{
    colline_set_dialect(an, sql->dialect);
    check(colline_begin_inside(an, sql->text.ptr, sql->text.len, shell.ptr, shell.len, sql->pieces,
                               sql->piece_count) == COLLINE_OK);
    for (const colline_statement *st; (st = colline_next(an)) != NULL;)
        check(colline_statement_span(st).end <= shell.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str_t text = str_make((const char *)data, size);
    struct shell_script shell = shell_script_read(text);
    colline_analyzer *an = colline_analyzer_new(NULL, 64u << 20);
    for (size_t i = 0; i < shell.count; i++) {
        check_pieces(text, &shell.items[i]);
        analyse(an, text, &shell.items[i]);
    }
    colline_analyzer_free(an);
    shell_script_release(&shell);
    return 0;
}

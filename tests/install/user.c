/* A user's program, as C and as C++: one statement in, its only column edge out. */
#include <colline.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char sql[] = "INSERT INTO t.b SELECT x FROM s.a";
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    if (!an || colline_begin(an, sql, sizeof sql - 1) != COLLINE_OK)
        return 1;
    for (const colline_statement *st; (st = colline_next(an)) != NULL;) {
        for (size_t i = 0; i < colline_statement_column_count(st); i++) {
            const colline_column *column = colline_statement_column(st, i);
            const colline_source *source = colline_column_source(column, 0);
            colline_text table = colline_source_table(source);
            colline_text name = colline_source_name(source);
            printf("%.*s.%.*s\n", (int)table.len, table.ptr, (int)name.len, name.ptr);
        }
    }
    colline_analyzer_free(an);
    return 0;
}

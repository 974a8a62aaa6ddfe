/* The interface's own handlers answer; nothing is listened to. */
#include "answer.h"

#include "api/api.h"
#include "ask/ask.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

void store_call_add(struct store_call *call, const char *name, str_t value)
{
    if (call->count < ARGUMENTS_MOST)
        call->arguments[call->count++] = (struct http_pair){str_of(name), value};
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct json *member_at(const struct json *item, const char *members)
{
    str_t path = str_of(members);
    for (size_t at = 0; item != NULL && at < path.len;) {
        size_t end = str_find(path, '.', at);
        item = json_member(item, str_make(path.ptr + at, end - at));
        at = end + 1;
    }
    return item;
}

/* The text stands within the answer, so it is copied for its end. */
static int64_t moment_of(str_t digits)
{
    char text[24] = "";
    memcpy(text, digits.ptr, digits.len < sizeof text ? digits.len : sizeof text - 1);
    return strtoll(text, NULL, 10);
}

/* The namespace that all keys of the list have, with its `#`; empty when they differ. */
static str_t common_namespace(const struct answer_view *view, const struct json *list)
{
    str_t common = STR("");
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL;
         item = item->next) {
        for (uint32_t i = 0; i < GRID_COLUMNS && view->columns[i].members != NULL; i++) {
            const struct json *key =
                view->columns[i].as == SHOWN_KEY ? member_at(item, view->columns[i].members) : NULL;
            if (key == NULL)
                continue;
            size_t mark = str_find(key->text, '#', 0);
            str_t own = mark == key->text.len ? STR("") : str_make(key->text.ptr, mark + 1);
            if (common.len > 0 && !str_eq(own, common))
                return STR("");
            common = own;
        }
    }
    return common;
}

static str_t time_text(struct arena *arena, int64_t ms, bool with_time)
{
    char text[40], day[11];
    ask_day_name(day_of(ms), day);
    int64_t minute = ms / 60000 % 1440;
    int len = snprintf(text, sizeof text, with_time ? "%s %02d:%02d" : "%s", day,
                       (int)(minute / 60), (int)(minute % 60));
    return arena_copy(arena, str_make(text, (size_t)len));
}

static str_t list_text(struct arena *arena, const struct json *list)
{
    str_t text = STR("");
    for (const struct json *item = list->first; item != NULL; item = item->next) {
        const str_t parts[] = {text, text.len > 0 ? STR(", ") : STR(""), item->text};
        text = arena_concat(arena, parts, 3);
    }
    return text;
}

static str_t cell_of(struct arena *arena, const struct json *item, const struct shown *shown,
                     str_t name_space)
{
    const struct json *value = member_at(item, shown->members);
    if (value != NULL && value->kind == JSON_ARRAY)
        return list_text(arena, value);
    if (value == NULL || (value->kind != JSON_STRING && value->kind != JSON_NUMBER))
        return STR("");
    switch (shown->as) {
    case SHOWN_DAY:
    case SHOWN_TIME:
        return time_text(arena, moment_of(value->text), shown->as == SHOWN_TIME);
    case SHOWN_KEY:
        return str_starts_with(value->text, name_space)
                   ? str_make(value->text.ptr + name_space.len, value->text.len - name_space.len)
                   : value->text;
    case SHOWN_TEXT:
    case SHOWN_LIST:
        break;
    }
    return value->text;
}

static size_t add_rows(struct grid *grid, struct arena *arena, const struct answer_view *view,
                       const struct json *list)
{
    str_t name_space = common_namespace(view, list);
    size_t count = 0;
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL;
         item = item->next) {
        if (view->unless != NULL &&
            str_eq(json_member_text(item, STR("change")), str_of(view->unless)))
            continue;
        str_t *cells = need(grid_row(grid));
        for (uint32_t i = 0; i < grid->columns; i++)
            cells[i] = cell_of(arena, item, &view->columns[i], name_space);
        count++;
    }
    return count;
}

static size_t print_table(const struct answer_view *view, str_t body)
{
    struct arena arena;
    struct grid grid;
    struct buf out;
    struct winsize size = {0};
    const char *message;
    size_t where, count = 0;
    str_t heading[GRID_COLUMNS];
    uint32_t columns = 0;
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    for (; columns < GRID_COLUMNS && view->columns[columns].members != NULL; columns++)
        heading[columns] = view->columns[columns].title;
    const struct json *answer = json_read(&arena, body, &message, &where);
    if (isatty(STDOUT_FILENO))
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    const struct look look = {isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL, size.ws_col};
    grid_init(&grid, &arena, heading, columns);
    if (answer != NULL)
        count = add_rows(&grid, &arena, view, member_at(answer, view->list));
    if (count > 0)
        grid_print(&grid, &out, &look, 0);
    else if (view->nothing != NULL)
        buf_add(&out, str_of(view->nothing));
    write_stdout(buf_str(&out));
    buf_release(&out);
    arena_release(&arena);
    return count;
}

/* Names; with their namespaces where these are what tells the first two apart. */
static void print_nearest(const struct json *nearest)
{
    const struct json *first = nearest == NULL ? NULL : nearest->first;
    bool same = first != NULL && first->next != NULL &&
                str_eq(json_member_text(first, STR("name")),
                       json_member_text(first->next, STR("name")));
    for (const struct json *at = first; at != NULL; at = at->next) {
        str_t space = same ? json_member_text(at, STR("namespace")) : STR("");
        str_t name = json_member_text(at, STR("name"));
        fprintf(stderr, "%s%.*s%s%.*s%s", at == first ? "Did you mean " : ", ", (int)space.len,
                space.ptr, same ? "#" : "", (int)name.len, name.ptr,
                at->next == NULL ? "?\n" : "");
    }
}

/* The words of a problem, with the names that may have been meant. */
static int print_problem(const struct http_answer *answer)
{
    struct arena arena;
    const char *message;
    size_t where;
    arena_init(&arena, 0, NULL);
    const struct json *problem = json_read(&arena, buf_str(&answer->body), &message, &where);
    str_t detail = json_member_text(problem, STR("detail"));
    complain("%.*s", (int)detail.len, detail.ptr);
    print_nearest(json_member(problem, STR("nearest")));
    arena_release(&arena);
    return answer->status == 404   ? STATUS_PARTLY
           : answer->status == 400 ? STATUS_USAGE
                                   : STATUS_FAILED;
}

static int print_answer(const struct store_call *call, const struct answer_view *view,
                        const struct http_answer *answer, size_t *rows)
{
    if (answer->status != 200)
        return print_problem(answer);
    if (call->format == ANSWER_TABLE) {
        size_t count = print_table(view, buf_str(&answer->body));
        if (rows != NULL)
            *rows = count;
        return STATUS_DONE;
    }
    write_stdout(buf_str(&answer->body));
    if (call->format == ANSWER_JSON)
        write_stdout(STR("\n"));
    return STATUS_DONE;
}

int store_call_print(struct store_call *call, const struct answer_view *view, size_t *rows)
{
    static const struct http_pair host = {STR("Host"), STR("localhost")};
    struct clock clock = clock_system();
    struct api *api = need(api_new(
        &(struct api_options){.store = str_of(call->store), .readers = 1, .clock = &clock}));
    struct http_answer answer = {.status = 200};
    if (call->format == ANSWER_CSV)
        store_call_add(call, "format", STR("csv"));
    const struct http_request request = {.path = str_of(call->path),
                                         .arguments = call->arguments,
                                         .argument_count = call->count,
                                         .headers = &host,
                                         .header_count = 1,
                                         .peer = STR("127.0.0.1")};
    buf_init(&answer.body, 0);
    api_handle(api, &request, &answer);
    int status = print_answer(call, view, &answer, rows);
    buf_release(&answer.body);
    api_free(api);
    return status;
}

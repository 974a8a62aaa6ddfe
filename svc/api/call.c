/* Parameters and problems. */
#include "api/call.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- problems ------------------------------------------------------------------------------- */

static const char *title_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *title;
    } titles[] = {{400, "Bad Request"},
                  {401, "Unauthorized"},
                  {403, "Forbidden"},
                  {404, "Not Found"},
                  {405, "Method Not Allowed"},
                  {413, "Content Too Large"},
                  {415, "Unsupported Media Type"},
                  {429, "Too Many Requests"},
                  {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "Internal Server Error";
}

static str_t text_of(const char *text)
{
    return str_make(text, strlen(text));
}

static void write_problem(struct call *call, unsigned status, const struct ask_name *nearest,
                          uint32_t count, str_t detail)
{
    struct jsonw w;
    struct http_answer *answer = call->answer;
    buf_clear(&answer->body);
    answer->status = status;
    answer->content_type = "application/problem+json";
    answer->disposition = NULL;
    jsonw_init(&w, &answer->body, false);
    jsonw_object_begin(&w);
    jsonw_member(&w, STR("type"), STR("about:blank"));
    jsonw_member(&w, STR("title"), text_of(title_of(status)));
    jsonw_member_number(&w, STR("status"), status);
    jsonw_member(&w, STR("detail"), detail);
    jsonw_member(&w, STR("instance"), call->request->path);
    if (nearest != NULL) {
        jsonw_key(&w, STR("nearest"));
        jsonw_array_begin(&w);
        for (uint32_t i = 0; i < count; i++) {
            jsonw_object_begin(&w);
            jsonw_member(&w, STR("namespace"), nearest[i].name_space);
            jsonw_member(&w, STR("name"), nearest[i].name);
            jsonw_object_end(&w);
        }
        jsonw_array_end(&w);
    }
    jsonw_object_end(&w);
}

static void refuse(struct call *call, unsigned status, const struct ask_name *nearest,
                   uint32_t count, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

static void refuse(struct call *call, unsigned status, const struct ask_name *nearest,
                   uint32_t count, const char *format, va_list arguments)
{
    char detail[1024];
    if (call->refused)
        return;
    call->refused = true;
    (void)vsnprintf(detail, sizeof detail, format, arguments);
    write_problem(call, status, nearest, count, text_of(detail));
}

void call_refuse(struct call *call, unsigned status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(call, status, NULL, 0, format, arguments);
    va_end(arguments);
}

void call_refuse_with(struct call *call, unsigned status, const struct ask_name *nearest,
                      uint32_t count, const char *format, ...)
{
    static const struct ask_name none;
    va_list arguments;
    va_start(arguments, format);
    refuse(call, status, nearest == NULL ? &none : nearest, nearest == NULL ? 0 : count, format,
           arguments);
    va_end(arguments);
}

/* ---- parameters ----------------------------------------------------------------------------- */

str_t call_text(struct call *call, str_t name)
{
    const struct http_pair *argument = http_argument(call->request, name);
    return argument == NULL ? STR("") : argument->value;
}

str_t call_wanted_text(struct call *call, str_t name)
{
    str_t value = call_text(call, name);
    if (value.len == 0)
        call_refuse(call, 400, "The parameter `%.*s` is missing.", (int)name.len, name.ptr);
    return value;
}

static void refuse_value(struct call *call, str_t name, str_t value, const char *wanted)
{
    int shown = value.len > 100 ? 100 : (int)value.len;
    call_refuse(call, 400, "`%.*s=%.*s`: %s is wanted.", (int)name.len, name.ptr, shown, value.ptr,
                wanted);
}

bool call_flag(struct call *call, str_t name)
{
    str_t value = call_text(call, name);
    if (str_eq(value, STR("true")))
        return true;
    if (value.len > 0 && !str_eq(value, STR("false")))
        refuse_value(call, name, value, "`true` or `false`");
    return false;
}

static bool whole_number(str_t text, int64_t *number)
{
    *number = 0;
    if (text.len == 0 || text.len > 18)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *number = *number * 10 + (text.ptr[i] - '0');
    }
    return true;
}

uint32_t call_count(struct call *call, str_t name, uint32_t least, uint32_t most,
                    uint32_t by_default)
{
    char wanted[80];
    int64_t number;
    str_t value = call_text(call, name);
    if (value.len == 0)
        return by_default;
    if (whole_number(value, &number) && number >= least && number <= most)
        return (uint32_t)number;
    (void)snprintf(wanted, sizeof wanted, "a number from %u to %u", least, most);
    refuse_value(call, name, value, wanted);
    return by_default;
}

int call_choice(struct call *call, str_t name, const char *const *choices, int by_default)
{
    char wanted[200] = "one of";
    str_t value = call_text(call, name);
    if (value.len == 0)
        return by_default;
    for (int i = 0; choices[i] != NULL; i++) {
        size_t len = strlen(wanted);
        if (str_eq(value, text_of(choices[i])))
            return i;
        (void)snprintf(wanted + len, sizeof wanted - len, "%s %s", i == 0 ? "" : ",", choices[i]);
    }
    refuse_value(call, name, value, wanted);
    return by_default;
}

bool call_day(struct call *call, str_t name, int64_t *day)
{
    str_t value = call_text(call, name);
    if (value.len == 0)
        return false;
    if (ask_day_by_name(value, day))
        return true;
    refuse_value(call, name, value, "a day, `YYYY-MM-DD`,");
    return false;
}

struct ask_moment call_as_of(struct call *call)
{
    struct ask_moment moment = {0};
    moment.past = call_day(call, STR("as_of"), &moment.day);
    return moment;
}

uint32_t call_limit(struct call *call)
{
    return call_count(call, STR("limit"), 1, LIMIT_MOST, call->csv ? LIMIT_MOST : LIMIT_DEFAULT);
}

uint32_t call_skip(struct call *call)
{
    int64_t skip = 0;
    if (!call_cursor(call, &skip, 1))
        return 0;
    if (skip <= UINT32_MAX / 2)
        return (uint32_t)skip;
    refuse_value(call, STR("cursor"), call_text(call, STR("cursor")), "the `next` of another page");
    return 0;
}

bool call_cursor(struct call *call, int64_t *numbers, unsigned count)
{
    str_t value = call_text(call, STR("cursor"));
    size_t at = 0;
    if (value.len == 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        size_t end = str_find(value, '.', at);
        if (at > value.len || !whole_number(str_make(value.ptr + at, end - at), &numbers[i]) ||
            (i + 1 == count && end != value.len)) {
            refuse_value(call, STR("cursor"), value, "the `next` of another page");
            return false;
        }
        at = end + 1;
    }
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

int64_t call_dataset_of(struct call *call, str_t name_space, str_t name)
{
    enum { SHOWN = 200 };
    if (call->refused)
        return 0;
    struct ask_found found = ask_find(&call->ask, name_space, name);
    int shown = name.len > SHOWN ? SHOWN : (int)name.len;
    if (found.id != 0 || ask_failed(&call->ask))
        return found.id;
    if (found.several > 1)
        call_refuse_with(call, 400, found.names, found.name_count,
                         "There are several %.*s: say which `namespace` is meant.", shown,
                         name.ptr);
    else
        call_refuse_with(call, 404, found.names, found.name_count, "There is no table %.*s.", shown,
                         name.ptr);
    return 0;
}

int64_t call_dataset(struct call *call)
{
    return call_dataset_of(call, call_text(call, STR("namespace")),
                           call_wanted_text(call, STR("name")));
}

int64_t call_column(struct call *call, int64_t dataset, str_t name)
{
    if (call->refused || dataset == 0)
        return 0;
    int64_t column = ask_find_column(&call->ask, dataset, name);
    if (column != 0 || ask_failed(&call->ask))
        return column;
    uint32_t count;
    struct ask_name *nearest = ask_nearest_columns(&call->ask, dataset, name, &count);
    call_refuse_with(call, 404, nearest, count, "The table has no column %.*s.",
                     name.len > 200 ? 200 : (int)name.len, name.ptr);
    return 0;
}

int64_t call_namespace(struct call *call)
{
    str_t name = call_text(call, STR("namespace"));
    if (name.len == 0 || call->refused)
        return 0;
    int64_t id = ask_namespace(&call->ask, name);
    if (id == 0 && !ask_failed(&call->ask))
        call_refuse(call, 400, "There is no namespace %.*s.", name.len > 200 ? 200 : (int)name.len,
                    name.ptr);
    return id;
}

/* ---- lists ---------------------------------------------------------------------------------- */

void call_list_end(struct call *call, str_t next, int64_t total)
{
    out_list_end(&call->out);
    out_text(&call->out, STR("next"), next);
    out_known(&call->out, STR("total"), total);
}

str_t number_text(struct arena *arena, int64_t number)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%" PRId64, number);
    return arena_copy(arena, str_make(text, (size_t)len));
}

void call_list_skip(struct call *call, bool more, uint32_t next, int64_t total)
{
    call_list_end(call, more ? number_text(call->ask.arena, next) : STR(""), total);
}

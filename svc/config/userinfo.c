/* RFC 3986: scheme "://" [ user [ ":" password ] "@" ] host …; `%41` stands for a byte. */
#include "config/userinfo.h"

static int hex_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static str_t decode(str_t text, struct arena *arena)
{
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;
    if (out == NULL)
        return STR("");
    for (size_t i = 0; i < text.len; i++) {
        bool coded = text.ptr[i] == '%' && text.len - i > 2 && hex_of(text.ptr[i + 1]) >= 0 && hex_of(text.ptr[i + 2]) >= 0;
        out[len++] = coded ? (char)(hex_of(text.ptr[i + 1]) * 16 + hex_of(text.ptr[i + 2])) : text.ptr[i];
        i += coded ? 2 : 0;
    }
    return str_make(out, len);
}

/* Behind `://`; 0 when there is none. */
static size_t host_begin(str_t url)
{
    for (size_t i = 0; i + 3 <= url.len; i++)
        if (memcmp(url.ptr + i, "://", 3) == 0)
            return i + 3;
    return 0;
}

bool userinfo_read(str_t url, struct arena *arena, struct userinfo *info)
{
    size_t begin = host_begin(url), end = begin, at = url.len;
    *info = (struct userinfo){.url = url, .user = STR(""), .password = STR("")};
    while (begin > 0 && end < url.len && memchr("/?#", url.ptr[end], 3) == NULL) {
        at = url.ptr[end] == '@' ? end : at; /* the last one: passwords may hold others */
        end++;
    }
    if (begin == 0 || at == url.len)
        return false;
    str_t part = str_make(url.ptr + begin, at - begin);
    size_t colon = str_find(part, ':', 0);
    info->user = decode(str_make(part.ptr, colon), arena);
    if (colon < part.len)
        info->password = decode(str_make(part.ptr + colon + 1, part.len - colon - 1), arena);
    const str_t pieces[] = {str_make(url.ptr, begin), str_make(url.ptr + at + 1, url.len - at - 1)};
    info->url = arena_concat(arena, pieces, 2);
    return true;
}

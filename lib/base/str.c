/* Slices: comparison, search, folding and hashing of names. */
#include "base/str.h"

bool same_folded(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (ascii_lower(a[i]) != ascii_lower(b[i]))
            return false;
    return true;
}

int str_compare(str_t a, str_t b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter == 0 ? 0 : memcmp(a.ptr, b.ptr, shorter);
    if (order != 0 || a.len == b.len)
        return order;
    return a.len < b.len ? -1 : 1;
}

bool str_starts_with(str_t s, str_t prefix)
{
    return s.len >= prefix.len && memcmp(s.ptr, prefix.ptr, prefix.len) == 0;
}

bool str_ends_with(str_t s, str_t suffix)
{
    return s.len >= suffix.len && memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

str_t str_trim(str_t s)
{
    while (s.len > 0 && is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

size_t str_find(str_t s, char c, size_t from)
{
    if (from >= s.len)
        return s.len;
    const char *hit = memchr(s.ptr + from, c, s.len - from);
    return hit == NULL ? s.len : (size_t)(hit - s.ptr);
}

/* FNV-1a over eight bytes at a time: names are short, so set-up cost is what counts. The last eight may overlap. */
uint32_t name_hash(const char *ptr, size_t len)
{
    if (len <= 8)
        return name_hash_short(octets_load_part(ptr, len), len);
    uint64_t hash = 0xcbf29ce484222325u ^ len;
    size_t at = 0;
    for (; len - at > 8; at += 8)
        hash = name_hash_add(hash, octets_load(ptr + at));
    return name_hash_finish(name_hash_add(hash, octets_load(ptr + len - 8)));
}

/* What is asked of a request, without any server. */
#include "run/http.h"

const struct http_pair *http_argument(const struct http_request *request, str_t name)
{
    for (size_t i = 0; i < request->argument_count; i++)
        if (str_eq(request->arguments[i].name, name))
            return &request->arguments[i];
    return NULL;
}

str_t http_header(const struct http_request *request, str_t name)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (str_eq_fold(request->headers[i].name, name))
            return request->headers[i].value;
    return STR("");
}

bool http_same_secret(str_t a, str_t b)
{
    unsigned char differs = a.len != b.len;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.ptr[i] ^ (b.len == 0 ? 0 : b.ptr[i % b.len]));
    return differs == 0;
}

str_t http_bearer(const struct http_request *request)
{
    str_t given = http_header(request, STR("Authorization"));
    str_t scheme = STR("Bearer ");
    if (given.len <= scheme.len || !str_eq_fold(str_make(given.ptr, scheme.len), scheme))
        return STR("");
    return str_trim(str_make(given.ptr + scheme.len, given.len - scheme.len));
}

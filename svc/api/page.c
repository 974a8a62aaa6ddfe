/* The page's own files, out of the table that the build makes. */
#include "api/assets.h"
#include "api/handlers.h"

#include "run/gzip.h"

#include <stdio.h>

static int compare_path(str_t path, const struct asset *asset)
{
    return str_compare(path, str_make(asset->path, strlen(asset->path)));
}

static const struct asset *find_asset(str_t path)
{
    size_t low = 0, high = api_asset_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_path(path, &api_assets[middle]);
        if (order == 0)
            return &api_assets[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* Addresses within the page are no files: they have no dot in their last part. */
static bool is_place_of_the_page(str_t path)
{
    size_t at = path.len;
    while (at > 0 && path.ptr[at - 1] != '/' && path.ptr[at - 1] != '.')
        at--;
    return at == 0 || path.ptr[at - 1] == '/';
}

static bool takes_gzip(const struct http_request *request)
{
    str_t accepted = http_header(request, STR("Accept-Encoding"));
    for (size_t i = 0; i + 4 <= accepted.len; i++)
        if (memcmp(accepted.ptr + i, "gzip", 4) == 0)
            return true;
    return false;
}

static void send_asset(const struct http_request *request, const struct asset *asset,
                       struct http_answer *answer)
{
    str_t bytes = str_make((const char *)asset->bytes, asset->size);
    answer->content_type = asset->content_type;
    answer->cache_control = asset->hashed ? "public, max-age=31536000, immutable" : "no-cache";
    (void)snprintf(answer->etag, sizeof answer->etag, "%s", asset->etag);
    if (str_eq(http_header(request, STR("If-None-Match")),
               str_make(answer->etag, strlen(answer->etag)))) {
        answer->status = 304;
        return;
    }
    if (asset->gzip && !takes_gzip(request)) {
        if (!inflate_whole(bytes, &answer->body))
            answer->status = 500;
        return;
    }
    answer->gzip = asset->gzip;
    answer->fixed = bytes;
}

void api_handle_page(void *context, const struct http_request *request, struct http_answer *answer)
{
    (void)context;
    const struct asset *asset = find_asset(request->path);
    answer->policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
                     "blob:; worker-src 'self'; object-src 'none';"
                     " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    if (asset == NULL && is_place_of_the_page(request->path))
        asset = find_asset(STR("/index.html"));
    if (asset != NULL) {
        send_asset(request, asset, answer);
        return;
    }
    answer->status = 404;
    if (api_asset_count == 0)
        BUF_ADD(&answer->body, "This program was built without the page; the interface for "
                               "programs is at /api/v1, described by /api/v1/openapi.yaml\n");
    else
        BUF_ADD(&answer->body, "there is nothing here\n");
}

/*
 * The files of the data map, as they stand in the program: a table that the build generates from
 * the page. Where the page was not built the table is empty, and the server says so at `/`.
 */
#ifndef COLLINE_API_ASSETS_H
#define COLLINE_API_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

struct asset {
    const char
        *path; /* "/index.html", "/assets/index-3f2a.js"; "/" is answered with "/index.html" */
    const char *content_type;
    const unsigned char *bytes;
    size_t size;
    bool gzip;        /* the bytes are compressed; there is no other copy */
    bool hashed;      /* the name holds a hash of the content: browsers may keep it for ever */
    const char *etag; /* quoted, changes with the content */
};

/* In byte order of paths. */
extern const struct asset api_assets[];
extern const size_t api_asset_count;

#endif

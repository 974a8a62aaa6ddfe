/* zlib behind a smaller interface. */
#include "run/gzip.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    ANY_HEADER = 15 + 32, /* zlib or gzip, largest window */
    PIECE = 65536
};

struct inflate {
    z_stream stream;
    bool at_end;  /* between two members, or before the first */
    bool pending; /* there may be more to give without taking more */
};

struct inflate *inflate_open(void)
{
    struct inflate *inflate = calloc(1, sizeof *inflate);
    if (inflate == NULL)
        return NULL;
    inflate->at_end = true;
    if (inflateInit2(&inflate->stream, ANY_HEADER) != Z_OK) {
        free(inflate);
        return NULL;
    }
    return inflate;
}

void inflate_close(struct inflate *inflate)
{
    if (inflate == NULL)
        return;
    inflateEnd(&inflate->stream);
    free(inflate);
}

bool inflate_at_end(const struct inflate *inflate)
{
    return inflate->at_end;
}

static size_t at_most_piece(size_t size)
{
    return size < PIECE ? size : PIECE;
}

/* One call of zlib; false when it could not go on. */
static bool turn(struct inflate *state, str_t *packed, char *to, size_t size, size_t *made)
{
    z_stream *z = &state->stream;
    size_t in = at_most_piece(packed->len), out = at_most_piece(size);
    z->next_in = (Bytef *)(uintptr_t)packed->ptr;
    z->avail_in = (uInt)in;
    z->next_out = (Bytef *)to;
    z->avail_out = (uInt)out;
    int status = inflate(z, Z_NO_FLUSH);
    size_t used = in - z->avail_in;
    *packed = str_make(packed->ptr + used, packed->len - used);
    *made = out - z->avail_out;
    state->pending = status == Z_OK && z->avail_out == 0;
    state->at_end = status == Z_STREAM_END;
    if (status == Z_STREAM_END)
        return inflateReset(z) == Z_OK;
    return status == Z_OK || status == Z_BUF_ERROR; /* the latter: it asks for more input */
}

bool inflate_some(struct inflate *inflate, str_t *packed, char *to, size_t size, size_t *made)
{
    *made = 0;
    while ((packed->len > 0 || inflate->pending) && *made < size) {
        size_t more;
        bool good = turn(inflate, packed, to + *made, size - *made, &more);
        *made += more;
        if (!good)
            return false;
    }
    return true;
}

bool inflate_whole(str_t packed, struct buf *out)
{
    struct inflate *inflate = inflate_open();
    bool good = inflate != NULL;
    for (size_t made = 1; good && (packed.len > 0 || made > 0);) {
        good = buf_reserve(out, PIECE) &&
               inflate_some(inflate, &packed, out->ptr + out->len, PIECE, &made);
        if (good)
            out->len += made;
    }
    good = good && inflate_at_end(inflate);
    inflate_close(inflate);
    return good;
}

bool gzip_pack(str_t bytes, struct buf *out)
{
    enum { FAST = 3, GZIP_HEADER = 15 + 16, MEMORY = 8 };
    if (bytes.len > 1u << 30)
        return false;
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes.ptr, .avail_in = (uInt)bytes.len};
    if (deflateInit2(&z, FAST, Z_DEFLATED, GZIP_HEADER, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    uLong bound = deflateBound(&z, (uLong)bytes.len);
    bool room = buf_room(out, bound);
    if (room) {
        z.next_out = (Bytef *)out->ptr + out->len;
        z.avail_out = (uInt)bound;
    }
    bool packed = room && deflate(&z, Z_FINISH) == Z_STREAM_END;
    if (packed)
        out->len += z.total_out;
    deflateEnd(&z);
    return packed;
}

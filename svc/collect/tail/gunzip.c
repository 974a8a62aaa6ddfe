/* A window over the unpacked text that moves forward with what is asked for. */
#include "collect/tail/gunzip.h"

#include "base/buf.h"
#include "run/gzip.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    PIECE = 65536
};

struct gunzip {
    int fd;
    uint64_t packed;  /* bytes of the file taken */
    struct inflate *inflate;
    struct buf text;  /* unpacked, from `begin` on */
    uint64_t begin;
    bool ended, damaged;
    char input[PIECE];
    str_t left; /* of input, not unpacked yet */
};

struct gunzip *gunzip_open(int fd)
{
    struct gunzip *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->fd = fd;
    buf_init(&g->text, 0);
    g->inflate = inflate_open();
    if (g->inflate == NULL) {
        free(g);
        return NULL;
    }
    return g;
}

void gunzip_close(struct gunzip *g)
{
    if (g == NULL)
        return;
    inflate_close(g->inflate);
    buf_release(&g->text);
    free(g);
}

static bool refill(struct gunzip *g)
{
    ssize_t got = pread(g->fd, g->input, sizeof g->input, (off_t)g->packed);
    if (got <= 0)
        return false;
    g->packed += (uint64_t)got;
    g->left = str_make(g->input, (size_t)got);
    return true;
}

/* Unpacks one piece more. */
static void advance(struct gunzip *g)
{
    size_t made = 0;
    bool good = buf_reserve(&g->text, PIECE);
    good = good && inflate_some(g->inflate, &g->left, g->text.ptr + g->text.len, PIECE, &made);
    g->text.len += made;
    if (!good) {
        g->ended = g->damaged = true;
    } else if (made == 0 && g->left.len == 0 && !refill(g)) {
        g->ended = true;
        g->damaged = !inflate_at_end(g->inflate);
    }
}

/* Forgets what lies before `offset`. */
static void forget(struct gunzip *g, uint64_t offset)
{
    uint64_t gone = offset - g->begin;
    if (gone > g->text.len)
        gone = g->text.len;
    memmove(g->text.ptr, g->text.ptr + gone, g->text.len - (size_t)gone);
    g->text.len -= (size_t)gone;
    g->begin += gone;
}

bool gunzip_read(struct gunzip *g, uint64_t offset, char *to, size_t size, size_t *got, bool *ended)
{
    while (!g->ended && g->begin + g->text.len < offset + size) {
        if (g->begin < offset && g->text.len > 0)
            forget(g, offset);
        advance(g);
    }
    if (g->begin < offset && g->text.len > 0)
        forget(g, offset);
    size_t have = g->begin == offset ? g->text.len : 0;
    *got = have < size ? have : size;
    if (*got > 0)
        memcpy(to, g->text.ptr, *got);
    *ended = g->ended && *got == have;
    return !g->damaged;
}

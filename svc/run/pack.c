/* zstd at its fastest usual level, with the text's size in the frame. */
#include "run/pack.h"

#include <stdlib.h>
#include <zstd.h>

enum { LEVEL = 1 };

struct packer {
    ZSTD_CCtx *in;
    ZSTD_DCtx *out;
};

struct packer *packer_new(void)
{
    struct packer *packer = calloc(1, sizeof *packer);
    if (packer == NULL)
        return NULL;
    packer->in = ZSTD_createCCtx();
    packer->out = ZSTD_createDCtx();
    if (packer->in != NULL && packer->out != NULL)
        return packer;
    packer_free(packer);
    return NULL;
}

void packer_free(struct packer *packer)
{
    if (packer == NULL)
        return;
    ZSTD_freeCCtx(packer->in);
    ZSTD_freeDCtx(packer->out);
    free(packer);
}

bool pack(struct packer *packer, str_t text, struct buf *out)
{
    size_t room = ZSTD_compressBound(text.len);
    if (!buf_room(out, room))
        return false;
    size_t made = ZSTD_compressCCtx(packer->in, out->ptr + out->len, room, text.ptr, text.len, LEVEL);
    if (ZSTD_isError(made))
        return false;
    out->len += made;
    return true;
}

bool unpack(struct packer *packer, str_t packed, struct buf *out)
{
    unsigned long long size = ZSTD_getFrameContentSize(packed.ptr, packed.len);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > SIZE_MAX / 2 || !buf_room(out, (size_t)size + 1))
        return false;
    size_t made = ZSTD_decompressDCtx(packer->out, out->ptr + out->len, (size_t)size, packed.ptr, packed.len);
    if (ZSTD_isError(made) || made != size)
        return false;
    out->len += made;
    return true;
}

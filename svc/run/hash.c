/* XXH3. This is the one file of the services that includes xxHash. */
#include "run/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash64(str_t bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes.ptr, bytes.len, seed);
}

int64_t hash47(str_t bytes)
{
    return (int64_t)(hash64(bytes, 0) >> 17);
}

struct hash128 hash128(str_t bytes, uint64_t seed)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.ptr, bytes.len, seed);
    return (struct hash128){hash.high64, hash.low64};
}

/* Inner to svc/config: names and passwords within an address, which is logged and kept where secrets must not be. */
#ifndef COLLINE_CONFIG_USERINFO_H
#define COLLINE_CONFIG_USERINFO_H

#include "base/arena.h"

struct userinfo {
    str_t url; /* without them */
    str_t user, password; /* decoded; empty where there is none */
};

/* `http://user:pass%20word@host/` → its parts, in the arena. False, and only `url` set to what it was, when the address has no such part. */
bool userinfo_read(str_t url, struct arena *arena, struct userinfo *info);

#endif

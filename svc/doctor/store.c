/* Opened as a reader opens it; an address is told without its password. */
#include "doctor/store.h"

#include "config/userinfo.h"
#include "store/store.h"

#include <stdio.h>
#include <sys/stat.h>

enum {
    PATH_SIZE = 4096
};

/* A driver's words may quote the whole address. */
static bool holds(const struct buf *reason, str_t secret)
{
    return secret.len > 0 && reason->len > 0 && memmem(reason->ptr, reason->len, secret.ptr, secret.len) != NULL;
}

static void tell_failure(const struct buf *reason, const struct userinfo *info, bool server, struct findings *findings)
{
    str_t why = buf_str(reason);
    size_t prefix = info->url.len + 2;
    if (str_starts_with(why, info->url) && why.len > prefix)
        why = str_make(why.ptr + prefix, why.len - prefix);
    if (holds(reason, info->password))
        why = STR("the driver's words hold the password, so they are not shown");
    finding_add(findings, FINDING_FAIL, "store", info->url, "cannot be opened: %.*s", (int)why.len, why.ptr);
    finding_todo(findings, "%s", server ? "look whether the server runs and lets this user in (psql with the same address); a newer store needs this program updated"
                                        : "chown the file to the user of the service, or put back a backup; a newer store needs this program updated");
}

void store_check(const struct config *config, struct findings *findings)
{
    char path[PATH_SIZE];
    struct stat status;
    struct buf reason;
    struct userinfo info;
    (void)snprintf(path, sizeof path, "%.*s/colline.db", (int)config->data_dir.len, config->data_dir.ptr);
    str_t address = config->store.address.len > 0 ? config->store.address : str_make(path, strlen(path));
    bool server = db_is_server(address);
    if (!server && config->store.address.len == 0 && stat(path, &status) != 0)
        return;
    (void)userinfo_read(address, &findings->arena, &info);
    buf_init(&reason, 0);
    const struct store_options options = {.address = address, .access = DB_READ};
    struct store *store = store_open(&options, &reason);
    if (store != NULL)
        finding_add(findings, FINDING_OK, "store", info.url, "can be opened");
    else
        tell_failure(&reason, &info, server, findings);
    store_close(store);
    buf_release(&reason);
}

/* PostgreSQL. This is the one file that includes libpq. */
#include "db/driver.h"

#include <libpq-fe.h>

static bool open(struct db *db, const struct db_options *options, struct buf *reason)
{
    (void)db, (void)options;
    BUF_ADD(reason, "no server yet");
    return PQlibVersion() == 0;
}

static void close(struct db *db)
{
    (void)db;
}

const struct db_ops db_postgres_ops = {.open = open, .close = close};

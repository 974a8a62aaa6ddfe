/* Scripts in a transaction each; a file is copied before the first of them touches it. */
#include "store/migrate.h"

#include <stdio.h>
#include <stdlib.h>

static int64_t known_version(void)
{
    return store_migrations[store_migration_count - 1].number;
}

int64_t store_version(struct db *db)
{
    static const char has_numbers[] = "select count(*) from sqlite_master where type = 'table' and name = 'number' --sqlite\n"
                                      "select count(*) from pg_class where relname = 'number' and relkind = 'r'"
                                      " and pg_table_is_visible(oid) --postgres\n";
    if (db_number(db, has_numbers, 0) == 0)
        return db_failed(db) ? -1 : 0;
    int64_t version = db_number(db, "select value from number where name = 'schema_version'", 0);
    return db_failed(db) ? -1 : version;
}

static bool say(struct buf *reason, const char *text)
{
    buf_add(reason, str_make(text, strlen(text)));
    return false;
}

static bool say_newer(struct buf *reason, int64_t version)
{
    char text[192];
    snprintf(text, sizeof text, "the store is of version %lld, newer than this program, which knows versions up to %lld: use the newer program",
             (long long)version, (long long)known_version());
    return say(reason, text);
}

bool store_is_current(struct db *db, struct buf *reason)
{
    char text[160];
    int64_t version = store_version(db);
    if (version == known_version())
        return true;
    if (version < 0) {
        buf_add(reason, db_message(db));
        return false;
    }
    if (version > known_version())
        return say_newer(reason, version);
    if (version == 0)
        return say(reason, "this is no store yet: nothing was loaded into it");
    snprintf(text, sizeof text, "the store is of version %lld, older than this program's %lld: `colline load` brings it up to date",
             (long long)version, (long long)known_version());
    return say(reason, text);
}

/* A whole copy of the file as it is; false with the reason appended. */
static bool copy_before(struct db *db, str_t address, int64_t version, struct buf *reason)
{
    struct buf path;
    buf_init(&path, 0);
    buf_add(&path, address);
    BUF_ADD(&path, ".before-");
    buf_add_number(&path, (uint64_t)version);
    buf_add_char(&path, '\0');
    if (!path.failed)
        (void)remove(path.ptr); /* of a try that did not end */
    struct db_query *q = db_query(db, "vacuum into $1");
    db_bind_text(q, 1, str_make(path.ptr, path.len - 1));
    bool good = !path.failed && db_run(q);
    if (!good) {
        BUF_ADD(reason, "it cannot be copied before its migration: ");
        buf_add(reason, db_message(db));
    }
    buf_release(&path);
    return good;
}

static bool run_one(struct db *db, const struct migration *migration)
{
    if (!db_script(db, str_make(migration->sql, strlen(migration->sql))))
        return false;
    struct db_query *q = db_query(db, "insert into number (name, value) values ('schema_version', $1)"
                                      " on conflict (name) do update set value = excluded.value");
    db_bind_int(q, 1, migration->number);
    return db_run(q);
}

/* All that are missing, in one transaction: others wait at the lock and then find nothing to do. */
static bool run_missing(struct db *db)
{
    if (!db_begin(db))
        return false;
    if (db_kind_of(db) == DB_POSTGRES && !db_script(db, STR("select pg_advisory_xact_lock(7015422531)")))
        return false;
    int64_t version = store_version(db);
    for (int i = 0; i < store_migration_count && version >= 0; i++)
        if (store_migrations[i].number > version && !run_one(db, &store_migrations[i]))
            return false;
    return db_commit(db);
}

bool store_migrate(struct db *db, str_t address, struct buf *reason)
{
    int64_t version = store_version(db);
    if (version > known_version())
        return say_newer(reason, version);
    if (version == known_version())
        return true;
    if (version > 0 && db_kind_of(db) == DB_SQLITE && !copy_before(db, address, version, reason))
        return false;
    if (version >= 0 && run_missing(db))
        return true;
    buf_add(reason, db_message(db));
    (void)db_rollback(db);
    return false;
}

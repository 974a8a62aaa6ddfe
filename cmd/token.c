/* colline token: who may ask the interface from elsewhere. Only hashes are kept; a token is shown
 * once. */
#include "cmd.h"

#include "api/guard.h"
#include "run/sha256.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

static const char help_text[] =
    "usage: colline token create --store FILE|ADDRESS --name NAME [--scopes LIST] [--days N]\n"
    "       colline token list --store FILE|ADDRESS\n"
    "       colline token revoke --store FILE|ADDRESS --name NAME\n\n"
    "Tokens that /api/v1 takes as `Authorization: Bearer TOKEN`. `create` prints the token, once: "
    "the store keeps its SHA-256 only.\n\n"
    "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
    "      --name NAME        whose it is; `revoke` ends all of that name\n"
    "      --scopes LIST      read, sql (texts and expressions), write, admin; with commas between "
    "(default: read)\n"
    "      --days N           it ends after so many days (default: 365; 0: never)\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 1 no token goes by the name, 2 wrong use, 3 a failure.\n";

enum {
    OPTION_STORE = 256,
    OPTION_NAME,
    OPTION_SCOPES,
    OPTION_DAYS,
    DAYS_DEFAULT = 365,
    DAYS_MOST = 36500
};

static const struct option long_options[] = {{"store", required_argument, NULL, OPTION_STORE},
                                             {"name", required_argument, NULL, OPTION_NAME},
                                             {"scopes", required_argument, NULL, OPTION_SCOPES},
                                             {"days", required_argument, NULL, OPTION_DAYS},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *store, *name;
    unsigned scopes;
    long days;
    bool help;
};

static int take_option(struct choices *choices, int option)
{
    char *end;
    switch (option) {
    case OPTION_STORE:
        choices->store = optarg;
        return STATUS_DONE;
    case OPTION_NAME:
        choices->name = optarg;
        return STATUS_DONE;
    case OPTION_SCOPES:
        choices->scopes = scopes_by_names(str_of(optarg));
        return choices->scopes != 0
                   ? STATUS_DONE
                   : wrong_use("token", "--scopes %s: there are read, sql, write and admin",
                               optarg);
    case OPTION_DAYS:
        choices->days = strtol(optarg, &end, 10);
        return end != optarg && *end == '\0' && choices->days >= 0 && choices->days <= DAYS_MOST
                   ? STATUS_DONE
                   : wrong_use("token", "--days %s: a number from 0 to %d is wanted", optarg,
                               DAYS_MOST);
    case 'h':
        choices->help = true;
        return STATUS_DONE;
    default:
        return more_help("token");
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int finish(struct db *db, int status)
{
    if (!db_failed(db) && db_commit(db))
        return status;
    complain("%.*s", (int)db_message(db).len, db_message(db).ptr);
    return STATUS_FAILED;
}

/* ---- the three verbs ------------------------------------------------------------------------ */

static int create(struct db *db, const struct choices *choices)
{
    enum { BYTES = 32 };
    unsigned char bytes[BYTES];
    char token[2 * BYTES + 1], hash[65];
    if (choices->name == NULL)
        return wrong_use("token", "whose? `--name NAME`");
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        complain("no random bytes: %s", strerror(errno));
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < BYTES; i++)
        (void)snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    sha256_hex(str_make(token, sizeof token - 1), hash);
    (void)db_begin(db);
    struct db_query *q = db_query(db, "insert into token (hash, name, scopes, created, expires, "
                                      "revoked) values ($1, $2, $3, $4, $5, 0)");
    db_bind_text(q, 1, str_make(hash, 64));
    db_bind_text(q, 2, str_of(choices->name));
    db_bind_text(q, 3, scopes_names(choices->scopes));
    db_bind_int(q, 4, now_ms());
    db_bind_int(q, 5, choices->days == 0 ? 0 : now_ms() + (int64_t)choices->days * DAY_MS);
    (void)db_run(q);
    int status = finish(db, STATUS_DONE);
    if (status == STATUS_DONE)
        printf("%s\n", token);
    return status;
}

static void print_day(int64_t ms, const char *none)
{
    char day[11];
    ask_day_name(day_of(ms), day);
    printf("  %-10s", ms == 0 ? none : day);
}

static int list(struct db *db, const struct choices *choices)
{
    (void)choices;
    printf("%-20s  %-20s  %-10s  %-10s\n", "name", "scopes", "created", "ends");
    struct db_query *q = db_query(
        db, "select name, scopes, created, expires, revoked from token order by created, hash");
    while (db_step(q)) {
        printf("%-20.*s  %-20.*s", (int)db_text(q, 0).len, db_text(q, 0).ptr,
               (int)db_text(q, 1).len, db_text(q, 1).ptr);
        print_day(db_int(q, 2), "");
        if (db_int(q, 4) != 0)
            printf("  revoked");
        else
            print_day(db_int(q, 3), "never");
        putchar('\n');
    }
    return db_failed(db) ? STATUS_FAILED : STATUS_DONE;
}

static int revoke(struct db *db, const struct choices *choices)
{
    int64_t count = 0;
    if (choices->name == NULL)
        return wrong_use("token", "whose? `--name NAME`");
    (void)db_begin(db);
    struct db_query *q =
        db_query(db, "update token set revoked = 1 where name = $1 and revoked = 0 returning hash");
    db_bind_text(q, 1, str_of(choices->name));
    while (db_step(q))
        count++;
    if (count == 0)
        complain("no token goes by the name %s", choices->name);
    return finish(db, count == 0 ? STATUS_PARTLY : STATUS_DONE);
}

/* ---- running -------------------------------------------------------------------------------- */

static int run(const struct choices *choices,
               int (*verb)(struct db *db, const struct choices *choices))
{
    struct buf reason;
    buf_init(&reason, 0);
    struct store *store = store_open(
        &(struct store_options){.address = str_of(choices->store), .access = DB_CREATE}, &reason);
    if (store == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    int status = store == NULL ? STATUS_FAILED : verb(store_db(store), choices);
    store_close(store);
    return status;
}

int cmd_token(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(struct db *db, const struct choices *choices);
    } verbs[] = {{"create", create}, {"list", list}, {"revoke", revoke}};
    struct choices choices = {.scopes = SCOPE_READ, .days = DAYS_DEFAULT};
    int status = STATUS_DONE;
    for (int option; status == STATUS_DONE &&
                     (option = getopt_long(argc, argv, "h", long_options, NULL)) != -1;)
        status = take_option(&choices, option);
    if (status != STATUS_DONE)
        return status;
    if (choices.help) {
        fputs(help_text, stdout);
        return STATUS_DONE;
    }
    if (optind + 1 != argc)
        return wrong_use("token", "one of create, list and revoke is wanted");
    if (choices.store == NULL)
        return wrong_use("token", "which store? `--store FILE` or an address");
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(argv[optind], verbs[i].name) == 0)
            return run(&choices, verbs[i].run);
    return wrong_use("token", "there is no `token %s`", argv[optind]);
}

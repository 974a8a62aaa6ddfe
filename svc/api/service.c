/* Answers about the service itself. */
#include "api/handlers.h"

#include "api/description.h"
#include "ask/heat.h"
#include "store/migrate.h"

#include <sys/stat.h>

/* Of a file with its journal; -1 where it cannot be told. */
static int64_t bytes_of(struct ask *ask, str_t address)
{
    char path[4096];
    struct stat file;
    if (db_is_server(address))
        return db_number(
            ask->db, "select -1 --sqlite\nselect pg_database_size(current_database()) --postgres",
            -1);
    if (address.len >= sizeof path)
        return -1;
    memcpy(path, address.ptr, address.len);
    path[address.len] = '\0';
    return stat(path, &file) == 0 ? (int64_t)file.st_size : -1;
}

static bool write_check(struct out *out, const struct health_check *check)
{
    struct buf wrong;
    buf_init(&wrong, 0);
    bool good = check->check(check->context, &wrong);
    out_begin(out, STR(""));
    out_word(out, STR("name"), str_make(check->name, strlen(check->name)));
    out_flag(out, STR("good"), good);
    out_text(out, STR("detail"), buf_str(&wrong));
    out_end(out);
    buf_release(&wrong);
    return good;
}

void answer_health(struct call *call)
{
    const struct api_options *options = api_options_of(call->api);
    struct out *out = &call->out;
    bool good = true;
    int64_t version = store_version(call->ask.db);
    out_begin(out, STR(""));
    out_word(out, STR("version"), STR(COLLINE_VERSION));
    out_begin(out, STR("store"));
    out_word(out, STR("kind"), db_is_server(options->store) ? STR("postgresql") : STR("sqlite"));
    out_number(out, STR("schema"), version);
    out_flag(out, STR("readable"), version > 0);
    out_known(out, STR("bytes"), bytes_of(&call->ask, options->store));
    out_end(out);
    out_list(out, STR("checks"));
    for (size_t i = 0; i < options->check_count; i++)
        good = write_check(out, &options->checks[i]) && good;
    out_list_end(out);
    out_word(out, STR("status"), good && version > 0 ? STR("good") : STR("bad"));
    out_time(out, STR("last_event"),
             db_number(call->ask.db, "select coalesce(max(ended), 0) from execution", 0));
    out_end(out);
}

void answer_openapi(struct call *call)
{
    call->answer->content_type = "application/yaml; charset=utf-8";
    buf_add(&call->answer->body, str_make((const char *)api_description, api_description_size));
}

/* A small array, searched from the front: few sessions make temporary tables. */
#include "normalize/sessions.h"

static struct hash128 key_of(str_t name_space, str_t session_id)
{
    return hash128(session_id, hash64(name_space, 0));
}

static struct session *find(struct sessions *sessions, struct hash128 key)
{
    for (uint32_t i = 0; i < sessions->count; i++)
        if (sessions->items[i].key.low == key.low && sessions->items[i].key.high == key.high)
            return &sessions->items[i];
    return NULL;
}

const struct session *sessions_find(struct sessions *sessions, str_t name_space, str_t session_id)
{
    if (session_id.len == 0 || sessions->count == 0)
        return NULL;
    struct session *session = find(sessions, key_of(name_space, session_id));
    if (session != NULL)
        session->used = ++sessions->clock;
    return session;
}

/* A free place, or the one that was not used for longest. */
static struct session *take_place(struct sessions *sessions)
{
    if (sessions->count < SESSIONS_MAX)
        return &sessions->items[sessions->count++];
    struct session *oldest = &sessions->items[0];
    for (uint32_t i = 1; i < sessions->count; i++)
        if (sessions->items[i].used < oldest->used)
            oldest = &sessions->items[i];
    buf_clear(&oldest->prelude);
    oldest->statements = 0;
    return oldest;
}

bool sessions_add(struct sessions *sessions, str_t name_space, str_t session_id, str_t sql)
{
    struct hash128 key = key_of(name_space, session_id);
    struct session *session = find(sessions, key);
    if (session == NULL) {
        session = take_place(sessions);
        session->key = key;
    }
    session->used = ++sessions->clock;
    struct buf *prelude = &session->prelude;
    str_t last = buf_str(prelude);
    if (last.len >= sql.len + 3 && str_eq(str_make(last.ptr + last.len - 3 - sql.len, sql.len), sql))
        return true;
    if (prelude->len + sql.len + 3 > SESSION_BYTES_MAX || !buf_reserve(prelude, sql.len + 3))
        return false;
    buf_add(prelude, sql);
    BUF_ADD(prelude, "\n;\n"); /* the text may end in a comment */
    session->statements++;
    return true;
}

void sessions_release(struct sessions *sessions)
{
    for (uint32_t i = 0; i < sessions->count; i++)
        buf_release(&sessions->items[i].prelude);
}

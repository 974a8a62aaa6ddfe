/*
 * What the user who runs this may do with files, and which folder on the way is closed to them. The effective user counts: what the service
 * may do is seen only by running as its user.
 */
#ifndef COLLINE_DOCTOR_ACCESS_H
#define COLLINE_DOCTOR_ACCESS_H

#include "base/str.h"

enum {
    ACCESS_NAME = 64,
    ACCESS_PATH = 4096,
    ACCESS_TEXT = 512
};

/* `colline (uid 999)`; the number alone where the user has no name. */
struct access_user {
    char name[ACCESS_NAME], shown[ACCESS_NAME + 32];
    unsigned id;
};

void access_me(struct access_user *user);
void access_user_of(unsigned id, struct access_user *user);

enum access_state {
    ACCESS_OPEN,    /* it can be reached and read */
    ACCESS_MISSING, /* it, or a folder on its way, is not there */
    ACCESS_CLOSED,  /* this user may not read it, or not enter or list a folder on the way */
    ACCESS_EMPTY    /* of a pattern: all its fixed folders are open, nothing has such a name */
};

/* `culprit`: the path that stands in the way. `why` and `todo` are for people; todo is empty where only the path can be wrong. */
struct access_answer {
    enum access_state state;
    char culprit[ACCESS_PATH], why[ACCESS_TEXT + ACCESS_PATH], todo[ACCESS_TEXT + 2 * ACCESS_PATH];
};

/* Of a file, a folder, or a pattern with `*`, `?`, `[…]`, of which the folders before the first such sign are looked at. */
void access_explain(str_t path, struct access_answer *answer);

#endif

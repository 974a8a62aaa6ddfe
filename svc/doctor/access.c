/* Walks a path from the root on and stops at the first thing that this user may not do. */
#include "doctor/access.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void access_user_of(unsigned id, struct access_user *user)
{
    struct passwd entry, *found = NULL;
    char space[4096];
    user->id = id;
    if (getpwuid_r(id, &entry, space, sizeof space, &found) != 0 || found == NULL) {
        (void)snprintf(user->name, sizeof user->name, "%u", id);
        (void)snprintf(user->shown, sizeof user->shown, "uid %u", id);
        return;
    }
    (void)snprintf(user->name, sizeof user->name, "%s", found->pw_name);
    (void)snprintf(user->shown, sizeof user->shown, "%s (uid %u)", user->name, id);
}

void access_me(struct access_user *user)
{
    access_user_of(geteuid(), user);
}

static void group_name(gid_t id, char name[ACCESS_NAME])
{
    struct group entry, *found = NULL;
    char space[16384];
    if (getgrgid_r(id, &entry, space, sizeof space, &found) == 0 && found != NULL)
        (void)snprintf(name, ACCESS_NAME, "%s", found->gr_name);
    else
        (void)snprintf(name, ACCESS_NAME, "%u", (unsigned)id);
}

static bool may(const char *path, int what)
{
    return faccessat(AT_FDCWD, path, what, AT_EACCESS) == 0;
}

/* rwxr-x--- */
static void mode_text(mode_t mode, char text[10])
{
    static const char letters[] = "rwxrwxrwx";
    for (unsigned i = 0; i < 9; i++)
        text[i] = mode & (0400U >> i) ? letters[i] : '-';
    text[9] = '\0';
}

/* One thing that is not allowed: `what` (R_OK, X_OK) of `path`, told as `verb`. */
static void refuse(struct access_answer *answer, const char *path, int what, const char *verb)
{
    struct access_user me, owner;
    struct stat status;
    char group[ACCESS_NAME], mode[10];
    access_me(&me);
    answer->state = ACCESS_CLOSED;
    (void)snprintf(answer->culprit, sizeof answer->culprit, "%s", path);
    if (stat(path, &status) != 0)
        status = (struct stat){0};
    access_user_of(status.st_uid, &owner);
    group_name(status.st_gid, group);
    mode_text(status.st_mode, mode);
    (void)snprintf(answer->why, sizeof answer->why, "%s may not %s %s (%s %s:%s)", me.shown, verb, path, mode, owner.name, group);
    bool by_group = (status.st_mode & (what == X_OK ? 0010U : 0040U)) != 0 && status.st_gid != 0;
    if (by_group)
        (void)snprintf(answer->todo, sizeof answer->todo, "usermod -aG %s %s, then start the service anew", group, me.name);
    else
        (void)snprintf(answer->todo, sizeof answer->todo, "setfacl -m u:%s:%s %s", me.name,
                       S_ISDIR(status.st_mode) ? "rx" : "r", path);
}

static void miss(struct access_answer *answer, const char *path, int error)
{
    answer->state = ACCESS_MISSING;
    (void)snprintf(answer->culprit, sizeof answer->culprit, "%s", path);
    if (error == ENOENT)
        (void)snprintf(answer->why, sizeof answer->why, "there is no %s", path);
    else
        (void)snprintf(answer->why, sizeof answer->why, "%s: %s", path, strerror(error));
}

/* Length of the path before the part with the first sign of a pattern; all of it when there is none. */
static size_t fixed_length(const char *path)
{
    size_t sign = strcspn(path, "*?["), slash = sign;
    if (path[sign] == '\0')
        return sign;
    while (slash > 0 && path[slash - 1] != '/')
        slash--;
    return slash > 1 ? slash - 1 : slash;
}

/* Every folder above `path` can be entered; else false. */
static bool enter_all(char *path, struct access_answer *answer)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        struct stat status;
        *slash = '\0';
        int error = stat(path, &status) == 0 ? 0 : errno;
        bool enters = error == 0 && may(path, X_OK);
        if (error != 0)
            miss(answer, path, error);
        else if (!enters)
            refuse(answer, path, X_OK, "enter");
        *slash = '/';
        if (!enters)
            return false;
    }
    return true;
}

static void look_at_end(const char *path, bool pattern, struct access_answer *answer)
{
    struct stat status;
    if (stat(path, &status) != 0)
        miss(answer, path, errno);
    else if (S_ISDIR(status.st_mode) && !may(path, X_OK))
        refuse(answer, path, X_OK, "enter");
    else if (!may(path, R_OK))
        refuse(answer, path, R_OK, S_ISDIR(status.st_mode) ? "list" : "read");
    else if (pattern) {
        answer->state = ACCESS_EMPTY;
        (void)snprintf(answer->culprit, sizeof answer->culprit, "%s", path);
        (void)snprintf(answer->why, sizeof answer->why, "%s holds nothing of such a name", path);
    }
}

void access_explain(str_t text, struct access_answer *answer)
{
    char path[ACCESS_PATH];
    *answer = (struct access_answer){.state = ACCESS_OPEN};
    (void)snprintf(path, sizeof path, "%.*s", (int)text.len, text.ptr);
    size_t fixed = fixed_length(path);
    bool pattern = path[fixed] != '\0';
    path[fixed] = '\0';
    if (fixed == 0)
        (void)snprintf(path, sizeof path, ".");
    if (enter_all(path, answer))
        look_at_end(path, pattern, answer);
}

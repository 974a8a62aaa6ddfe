/* Running git and tar, without a shell. */
#include "git.h"

#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct streams {
    int in, out;
    bool quiet; /* standard error is thrown away */
};

static pid_t start(const char *const *words, const struct streams *streams)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (streams->in >= 0)
        posix_spawn_file_actions_adddup2(&actions, streams->in, STDIN_FILENO);
    if (streams->out >= 0)
        posix_spawn_file_actions_adddup2(&actions, streams->out, STDOUT_FILENO);
    if (streams->quiet)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char *arguments[16] = {NULL};
    for (size_t i = 0; words[i] != NULL && i + 1 < sizeof arguments / sizeof arguments[0]; i++)
        arguments[i] = need_copy(words[i]);
    pid_t pid;
    int wrong = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    for (size_t i = 0; arguments[i] != NULL; i++)
        free(arguments[i]);
    if (wrong == 0)
        return pid;
    complain("%s: %s", words[0], strerror(wrong));
    return -1;
}

static bool ended_well(pid_t pid)
{
    int status;
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first line that a command prints; NULL when it fails. */
static char *first_line(const char *const *words)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    struct streams streams = {-1, ends[1], true};
    pid_t pid = start(words, &streams);
    close(ends[1]);
    FILE *file = fdopen(ends[0], "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = file == NULL ? -1 : getline(&line, &capacity, file);
    if (file != NULL)
        fclose(file);
    if (length > 0 && line[length - 1] == '\n')
        line[length - 1] = '\0';
    if (ended_well(pid) && length > 0)
        return line;
    free(line);
    return NULL;
}

static char *folder_of(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return need_copy(path);
    const char *slash = strrchr(path, '/');
    return slash == NULL ? need_copy(".") : need_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static bool revision_exists(const char *top, const char *revision)
{
    char *commit = need_format("%s^{commit}", revision);
    const char *const words[] = {"git", "-C", top, "rev-parse", "--verify", "--quiet", "--end-of-options", commit, NULL};
    char *hash = first_line(words);
    free(commit);
    free(hash);
    return hash != NULL;
}

bool old_tree_open(struct old_tree *tree, const char *path, const char *revision)
{
    *tree = (struct old_tree){0};
    char *folder = folder_of(path);
    const char *const words[] = {"git", "-C", folder, "rev-parse", "--show-toplevel", NULL};
    tree->top = first_line(words);
    free(folder);
    if (tree->top == NULL) {
        complain("%s: not in a git work tree", path);
        return false;
    }
    if (!revision_exists(tree->top, revision)) {
        complain("%s: git knows no such revision", revision);
        return false;
    }
    const char *temporary = getenv("TMPDIR");
    tree->folder = need_format("%s/colline-XXXXXX", temporary == NULL ? "/tmp" : temporary);
    if (mkdtemp(tree->folder) != NULL)
        return true;
    complain("%s: %s", tree->folder, strerror(errno));
    free(tree->folder);
    tree->folder = NULL;
    return false;
}

/* Below the work tree's top: `.` for the top itself; NULL for what lies elsewhere. */
static char *relative(const struct old_tree *tree, const char *path)
{
    char *real = realpath(path, NULL);
    size_t length = strlen(tree->top);
    char *result = NULL;
    if (real != NULL && strncmp(real, tree->top, length) == 0 && (real[length] == '/' || real[length] == '\0'))
        result = need_copy(real[length] == '\0' ? "." : real + length + 1);
    free(real);
    return result;
}

static bool extract(const struct old_tree *tree, const char *path, const char *revision)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const char *const git[] = {"git", "-C", tree->top, "archive", "--format=tar", revision, "--", path, NULL};
    const char *const tar[] = {"tar", "-x", "-C", tree->folder, NULL};
    pid_t sender = start(git, &(struct streams){-1, ends[1], true});
    pid_t receiver = start(tar, &(struct streams){ends[0], -1, true});
    close(ends[0]);
    close(ends[1]);
    bool sent = ended_well(sender);
    return ended_well(receiver) && sent;
}

char *old_tree_copy(struct old_tree *tree, const char *path, const char *revision)
{
    char *below = relative(tree, path);
    if (below == NULL || !extract(tree, below, revision)) {
        free(below);
        return NULL;
    }
    char *copy = strcmp(below, ".") == 0 ? need_copy(tree->folder) : need_format("%s/%s", tree->folder, below);
    free(below);
    return copy;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *place)
{
    (void)st;
    (void)kind;
    (void)place;
    return remove(path);
}

void old_tree_close(struct old_tree *tree)
{
    enum { OPEN_FOLDERS = 16 };
    if (tree->folder != NULL)
        nftw(tree->folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    free(tree->folder);
    free(tree->top);
}

/* What git knows of an earlier revision: paths of a work tree copied into a folder of their own. */
#ifndef COLLINE_CMD_GIT_H
#define COLLINE_CMD_GIT_H

#include <stdbool.h>

struct old_tree {
    char *top;    /* of the work tree, absolute */
    char *folder; /* where the old files are, laid out as below top */
};

/* Checks that `path` lies in a work tree and the revision exists; complains and returns false otherwise. */
bool old_tree_open(struct old_tree *tree, const char *path, const char *revision);

/*
 * Copies a file or folder as it was. The result is its place in the old tree, to be freed; NULL where the path lies outside of the work
 * tree or was not there at that time.
 */
char *old_tree_copy(struct old_tree *tree, const char *path, const char *revision);

/* Removes the copies. */
void old_tree_close(struct old_tree *tree);

#endif

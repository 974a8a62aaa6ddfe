/*
 * What makes a file the same file, whatever it is called: device, inode, and a hash of its first bytes, kept with the number of bytes
 * hashed, for a young file is shorter than the window. Inodes are used again; first bytes of logs are not.
 */
#ifndef COLLINE_COLLECT_TAIL_IDENTITY_H
#define COLLINE_COLLECT_TAIL_IDENTITY_H

#include "base/str.h"

enum {
    HEAD_MAX = 1024,
    /* A head shorter than this says too little to take two files for copies of each other: a time, but not yet the query. */
    HEAD_TELLING = 64
};

struct file_identity {
    uint64_t device, inode;
    uint64_t head_hash;
    uint32_t head_len;
};

uint64_t head_hash(str_t bytes);

/* A short name of the file; another one each time it was cut. Never 0. */
uint64_t identity_id(const struct file_identity *identity, uint32_t truncations);

/* Of an open file, as it is now; false when it cannot be read. */
bool identity_read(int fd, struct file_identity *identity);

/* Whether the file still begins with the bytes that were hashed; also false when it is shorter by now. */
bool identity_holds(int fd, const struct file_identity *identity);

/*
 * The same, and a head that is shorter than the window grows with the file. It is read once for both, so that a file which is cut and begun
 * anew meanwhile is never taken for the old one.
 */
bool identity_renew(int fd, struct file_identity *identity);

/* Whether the file begins with the same bytes and is another one. */
bool identity_is_copy(int fd, const struct file_identity *original);

/* Whether the file is shorter than the other's head and all of it is how that begins: it may become a copy. */
bool identity_may_become_copy(int fd, int original_fd, const struct file_identity *original);

#endif

/*
 * Where reading got to: one JSON file, replaced whole (written beside, synced, renamed), so it is never half a file. A collector gets an
 * entry a file and moves its offset when what lies before it is acknowledged.
 *
 * The file also holds how long the output file was when it was saved: what lies behind that was written after, and is not written
 * again (see file_sink.h).
 */
#ifndef COLLINE_COLLECT_CHECKPOINT_H
#define COLLINE_COLLECT_CHECKPOINT_H

#include "collect/tail/identity.h"
#include "run/clock.h"

/* Owned by the checkpoint; its address stays until it is dropped. */
struct file_position {
    char *source; /* name of the source */
    char *path;   /* as found last */
    struct file_identity identity;
    uint64_t file_id; /* of when it was first seen, for the identity of a young file grows with it; 0: not known yet */
    uint32_t truncations;
    uint64_t offset;
    bool finished;     /* an archive read to its end */
    int64_t seen_ms;   /* wall clock, when the file was last there */
    int64_t modified_ms; /* of the file */
    bool in_use;       /* a collector holds it; not saved */
};

struct checkpoint {
    char *path;
    struct clock clock;
    struct file_position **items;
    size_t count, capacity;
    uint64_t output_length; /* of the output file, all of it covered by the offsets */
    bool fresh;             /* there was no file: a first start */
    bool damaged;           /* there was one that could not be read */
    bool dirty;
    bool urgent; /* there is a new entry: a file that would not be found again without it */
    int64_t saved_at; /* steady */
};

/*
 * Reads the file, or begins one. A damaged file is put aside as PATH.damaged and `damaged` says so: then nothing counts as read.
 * NULL when memory is out.
 */
struct checkpoint *checkpoint_open(const char *path, const struct clock *clock);
void checkpoint_close(struct checkpoint *checkpoint); /* does not save */

/* The same for looking only: a damaged file stays where it is. */
struct checkpoint *checkpoint_look(const char *path, const struct clock *clock);

/* The entry of this source's file with the device and inode; NULL when there is none. */
struct file_position *checkpoint_find(struct checkpoint *checkpoint, const char *source, uint64_t device, uint64_t inode);

/* A new entry at offset 0; NULL when memory is out. */
struct file_position *checkpoint_add(struct checkpoint *checkpoint, const char *source, const char *path,
                                     const struct file_identity *identity);
void checkpoint_drop(struct checkpoint *checkpoint, struct file_position *position);
bool checkpoint_rename(struct file_position *position, const char *path);

/* Saves when something moved and the last time is a second ago, or there is a new entry, or `now`. False when it cannot be written; errno says why. */
bool checkpoint_save(struct checkpoint *checkpoint, bool now);

#endif

/*
 * A sink that appends values to a file, one a line, or to standard output. What was sent is acknowledged when it is on the disk (fdatasync);
 * on standard output, which cannot promise that, when it was written.
 *
 * Exactly once, together with a checkpoint that remembers how long the file was when the positions were saved: on opening, a torn last line is
 * cut off, and the lines behind that length are read; when their records come again they are acknowledged without being written. They
 * are known again by `same`, which says what of a value does not change between two readings of the same line of a log.
 */
#ifndef COLLINE_BUS_FILE_SINK_H
#define COLLINE_BUS_FILE_SINK_H

#include "bus/sink.h"
#include "run/clock.h"

/* A hash of what makes two values the same record. */
typedef uint64_t file_sink_same(str_t value);

/* Of raw records: all but where it stood and when it was read. */
uint64_t file_sink_same_raw(str_t value);

/* `path` NULL or "-": standard output. `covered`: see above; `same` may be NULL. NULL on failure, errno says why. */
struct sink *file_sink_open(const char *path, uint64_t covered, file_sink_same *same, const struct clock *clock);

/* How long the file was when what is in it was last acknowledged. */
uint64_t file_sink_length(const struct sink *sink);

/*
 * How much of the file goes with positions that are saved now: its length, but not more than at the start while a record that was written
 * before that is still to come again. A record may come late (the last text of a file is waited for), and there may be another crash before.
 */
uint64_t file_sink_covered(const struct sink *sink);

/* Why the last writing failed; 0: it did not. The sink tries again. */
int file_sink_error(const struct sink *sink);

/* Nothing that was written before will come again: forgets it. */
void file_sink_caught_up(struct sink *sink);

#endif

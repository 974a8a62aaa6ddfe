/*
 * Reads a gzip file as if it were not packed, front to back, members one after the other. A little of what was read is kept, so that the
 * reader may ask again from where its last record began.
 */
#ifndef COLLINE_COLLECT_TAIL_GUNZIP_H
#define COLLINE_COLLECT_TAIL_GUNZIP_H

#include "base/str.h"

struct gunzip;

/* Reads from the descriptor by position; borrows it. NULL when memory is out. */
struct gunzip *gunzip_open(int fd);
void gunzip_close(struct gunzip *gunzip);

/*
 * Bytes from `offset` of the unpacked text on, at most `size`; fewer only at the end. Offsets must not go back behind what
 * an earlier call asked for. *ended: nothing follows. False: the file is damaged or cut; what came before it is given all the same.
 */
bool gunzip_read(struct gunzip *gunzip, uint64_t offset, char *to, size_t size, size_t *got, bool *ended);

#endif

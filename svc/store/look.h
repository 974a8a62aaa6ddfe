/*
 * How an event looks that has the same facts, at a glance: what its document says but for places and texts of expressions, which differ with the
 * literals of each run, and its lists byte by byte.
 */
#ifndef COLLINE_STORE_LOOK_H
#define COLLINE_STORE_LOOK_H

#include "base/buf.h"
#include "record/event.h"
#include "run/hash.h"

struct hash128 look_of(const struct event *event, struct buf *scratch);

#endif

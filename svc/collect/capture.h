/*
 * Capture as a whole: the configuration's sources, each read by a collector, into one sink; positions move when the sink acknowledges.
 * All in the thread that calls it.
 *
 *     struct capture *capture = capture_open(&options, &error);
 *     while (!stopping && !capture_finished(capture))
 *         if (capture_round(capture) == 0)
 *             capture_wait(capture, stop_descriptor);
 *     capture_close(capture, flush_ms);    // what is on its way is given some time
 */
#ifndef COLLINE_COLLECT_CAPTURE_H
#define COLLINE_COLLECT_CAPTURE_H

#include "bus/sink.h"
#include "collect/checkpoint.h"
#include "collect/collector.h"
#include "config/config.h"
#include "run/stop.h"

struct capture_options {
    const struct config *config; /* outlives the capture, as all that follows */
    struct checkpoint *checkpoint;
    struct sink *sink;
    bool sink_is_file; /* made by file_sink_open: its length goes into the checkpoint */
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    bool from_beginning, once;
    int64_t since_ms; /* 0: none */
    const struct stop *stop; /* a round in which it is asked for reads no further source; NULL: none */
};

struct capture;

/* NULL with the reason in `error`. Sources without a reader are said in the log and left out. */
struct capture *capture_open(const struct capture_options *options, struct buf *error);

/* Reads what is there, a bounded piece; gives how many records were sent. */
size_t capture_round(struct capture *capture);

/* Whether the last round read all that there was, so that what was sent is all that the sources had told by then. */
bool capture_is_quiet(const struct capture *capture);

/* Until there may be something to do, or the descriptor (-1: none) can be read. */
void capture_wait(struct capture *capture, int stop_descriptor);

/* With `once`: everything that was there is read and acknowledged. */
bool capture_finished(const struct capture *capture);

/* Waits up to flush_ms for acknowledgements, saves the positions, frees; false when something was still on its way or could not be saved. */
bool capture_close(struct capture *capture, int flush_ms);

#endif

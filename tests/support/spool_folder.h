/* For tests of the spool: a folder that goes away, a log that can be read, a spool over both. */
#ifndef COLLINE_TESTS_SPOOL_FOLDER_H
#define COLLINE_TESTS_SPOOL_FOLDER_H

#include "bus/spool.h"

struct spool_folder {
    char path[64], log_path[80];
    int64_t now;
    struct log *log;
    uint64_t stored[4096]; /* cookies in the order in which they were stored */
    size_t stored_count;
};

void spool_folder_make(struct spool_folder *folder);
void spool_folder_remove(struct spool_folder *folder);

struct spool *spool_folder_open(struct spool_folder *folder, uint64_t limit, uint64_t segment);

/* How often the log says `what`. */
size_t spool_folder_said(struct spool_folder *folder, const char *what);

/* The path of the n-th file, by order of names. False when there is none. */
bool spool_folder_file(const struct spool_folder *folder, size_t n, char path[128]);

/* Appends the records first … last-1, each made of its number and of `length` bytes; how many were taken. */
uint64_t spool_folder_fill(struct spool *spool, uint64_t first, uint64_t last, size_t length);

/* Whether the record is the one that spool_folder_fill made of the number. */
bool spool_folder_is(const struct spool_record *record, uint64_t number, size_t length);

/* The number in a record's key. */
uint64_t spool_folder_number(const struct spool_record *record);

#endif

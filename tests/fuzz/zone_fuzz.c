/* Any bytes as a time zone file: it is refused, or there and back stays within a day. */
#include "run/zone.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[64], path[80];
    const char *reason;
    snprintf(folder, sizeof folder, "/tmp/colline-zone-%ld", (long)getpid());
    snprintf(path, sizeof path, "%s-zone", folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC , 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    char name[64];
    snprintf(name, sizeof name, "colline-zone-%ld-zone", (long)getpid());
    struct zone *zone = zone_open(str_make(name, strlen(name)), "/tmp", &reason);
    for (int64_t t = -4000000000; zone != NULL && t < 8000000000; t += 100000007)
        zone_utc(zone, t, t % 2 ? t : INT64_MIN);
    zone_free(zone);
    unlink(path);
    return 0;
}

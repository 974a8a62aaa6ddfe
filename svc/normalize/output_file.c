/* Written at a known place, so that what is written again lies over what was written before. */
#include "normalize/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_file_open(struct output_file *file, const char *path, int64_t length)
{
    struct stat status;
    *file = (struct output_file){.descriptor = STDOUT_FILENO};
    buf_init(&file->lines, 0);
    if (strcmp(path, "-") == 0)
        return true;
    file->descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (length < 0 ? O_TRUNC : 0), 0640);
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0)
        return false;
    file->regular = S_ISREG(status.st_mode);
    if (!file->regular)
        return true;
    file->length = length < 0 ? 0 : length < status.st_size ? length : status.st_size;
    return ftruncate(file->descriptor, file->length) == 0;
}

void output_file_close(struct output_file *file)
{
    buf_release(&file->lines);
    if (file->descriptor > STDERR_FILENO)
        close(file->descriptor);
    file->descriptor = -1;
}

void output_file_add(struct output_file *file, str_t json)
{
    buf_add(&file->lines, json);
    buf_add_char(&file->lines, '\n');
}

bool output_file_write(struct output_file *file)
{
    if (file->lines.failed) {
        errno = ENOMEM;
        return false;
    }
    for (size_t done = 0; done < file->lines.len;) {
        const char *from = file->lines.ptr + done;
        size_t len = file->lines.len - done;
        ssize_t wrote = file->regular ? pwrite(file->descriptor, from, len, file->length + (int64_t)done) : write(file->descriptor, from, len);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote < 0 && errno != EINTR)
            return false;
    }
    return !file->regular || file->lines.len == 0 || fdatasync(file->descriptor) == 0;
}

void output_file_commit(struct output_file *file)
{
    file->length += (int64_t)file->lines.len;
    buf_clear(&file->lines);
}

void output_file_abort(struct output_file *file)
{
    buf_clear(&file->lines);
    file->lines.failed = false;
    if (file->regular)
        (void)!ftruncate(file->descriptor, file->length); /* else the next start does it */
}

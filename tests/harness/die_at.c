/*
 * Preloaded into a program, kills it, as SIGKILL does, before the change of a file whose number COLLINE_DIE_AT tells, from 1: a write, a change of length, a
 * removal, a new file. So a test sees every state that a killed program leaves behind.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void change(void)
{
    static atomic_long left = 0;
    if (atomic_load(&left) == 0) {
        const char *at = getenv("COLLINE_DIE_AT");
        atomic_store(&left, at == NULL ? -1 : atol(at));
    }
    if (atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1)
        (void)raise(SIGKILL);
}

/* ISO C knows no way from an object's address to a function's. */
typedef union {
    void *object;
    ssize_t (*write_at)(int, const void *, size_t, off_t);
    ssize_t (*write_next)(int, const void *, size_t);
    int (*cut)(int, off_t);
    int (*remove)(const char *);
    int (*open)(const char *, int, mode_t);
} real_call;

static real_call real(const char *name)
{
    real_call call;
    call.object = dlsym(RTLD_NEXT, name);
    return call;
}

#define SHOWN __attribute__((visibility("default")))

SHOWN ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at)
{
    change();
    return real("pwrite64").write_at(fd, bytes, size, at);
}

SHOWN ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    change();
    return real("pwrite").write_at(fd, bytes, size, at);
}

SHOWN ssize_t write(int fd, const void *bytes, size_t size)
{
    if (fd > 2)
        change();
    return real("write").write_next(fd, bytes, size);
}

SHOWN int ftruncate64(int fd, off_t size)
{
    change();
    return real("ftruncate64").cut(fd, size);
}

SHOWN int ftruncate(int fd, off_t size)
{
    change();
    return real("ftruncate").cut(fd, size);
}

SHOWN int unlink(const char *path)
{
    change();
    return real("unlink").remove(path);
}

static mode_t mode_of(int flags, va_list list)
{
    return (flags & O_CREAT) != 0 ? (mode_t)va_arg(list, unsigned) : 0;
}

SHOWN int open64(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    if ((flags & O_CREAT) != 0)
        change();
    return real("open64").open(path, flags, mode);
}

SHOWN int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_of(flags, list);
    va_end(list);
    if ((flags & O_CREAT) != 0)
        change();
    return real("open").open(path, flags, mode);
}

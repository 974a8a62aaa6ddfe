/* Identity of files. */
#include "collect/tail/identity.h"

#include "run/hash.h"

#include <sys/stat.h>
#include <unistd.h>

uint64_t head_hash(str_t bytes)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes.len; i++)
        hash = (hash ^ (unsigned char)bytes.ptr[i]) * 0x100000001b3u;
    return hash;
}

uint64_t identity_id(const struct file_identity *identity, uint32_t truncations)
{
    const uint64_t parts[] = {identity->device, identity->inode, identity->head_hash, identity->head_len, truncations};
    uint64_t id = hash64(str_make((const char *)parts, sizeof parts), 0);
    return id == 0 ? 1 : id;
}

/* The first bytes, at most `len`. */
static str_t read_head(int fd, char *to, size_t len)
{
    size_t have = 0;
    while (have < len) {
        ssize_t got = pread(fd, to + have, len - have, (off_t)have);
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    return str_make(to, have);
}

bool identity_read(int fd, struct file_identity *identity)
{
    char bytes[HEAD_MAX];
    struct stat status;
    if (fstat(fd, &status) != 0)
        return false;
    str_t head = read_head(fd, bytes, sizeof bytes);
    *identity = (struct file_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino, head_hash(head), (uint32_t)head.len};
    return true;
}

bool identity_holds(int fd, const struct file_identity *identity)
{
    char bytes[HEAD_MAX];
    size_t wanted = identity->head_len < HEAD_MAX ? identity->head_len : HEAD_MAX;
    str_t head = read_head(fd, bytes, wanted);
    return head.len == wanted && head_hash(head) == identity->head_hash;
}

bool identity_renew(int fd, struct file_identity *identity)
{
    char bytes[HEAD_MAX];
    str_t head = read_head(fd, bytes, sizeof bytes);
    if (head.len < identity->head_len || head_hash(str_make(head.ptr, identity->head_len)) != identity->head_hash)
        return false;
    if (head.len > identity->head_len) {
        identity->head_hash = head_hash(head);
        identity->head_len = (uint32_t)head.len;
    }
    return true;
}

bool identity_is_copy(int fd, const struct file_identity *original)
{
    struct stat status;
    if (original->head_len < HEAD_TELLING || fstat(fd, &status) != 0)
        return false;
    bool other = (uint64_t)status.st_ino != original->inode || (uint64_t)status.st_dev != original->device;
    return other && identity_holds(fd, original);
}

bool identity_may_become_copy(int fd, int original_fd, const struct file_identity *original)
{
    char bytes[HEAD_MAX], others[HEAD_MAX];
    str_t head = read_head(fd, bytes, sizeof bytes);
    if (head.len >= original->head_len || head.len >= sizeof bytes)
        return false;
    return str_eq(head, read_head(original_fd, others, head.len));
}

// A disk that fails: loaded before the C library (LD_PRELOAD), it sees everything that a program does
// to the files below a folder, in order, and at the n-th step kills the program or answers as a full or
// broken disk does. Or it writes down every step, so that disk.rs can tell what a power cut would leave.
//
//   CENTO_DISK_ROOT   the folder, without symbolic links
//   CENTO_DISK_MODE   record, kill, torn, fail or full
//   CENTO_DISK_STEP   n, from 1
//   CENTO_DISK_LOG    what was done is written here; except when recording, only what n was
//
// strace can do much of this without code, but it counts per thread, so that a thread which merges
// segments is never reached, and its log has no inodes, which tell what a renamed file was.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { OFF, RECORD, KILL, TORN, FAIL, FULL };

static enum mode mode;
static unsigned long step, at;
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    static const char *const names[] = {"off", "record", "kill", "torn", "fail", "full"};
    const char *folder = getenv("CENTO_DISK_ROOT"), *name = getenv("CENTO_DISK_MODE");
    const char *number = getenv("CENTO_DISK_STEP"), *log = getenv("CENTO_DISK_LOG");
    if (!folder || !name || !log) return;
    root_length = strlen(strncpy(root, folder, sizeof root - 1));
    at = number ? strtoul(number, NULL, 10) : 0;
    log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    for (int i = RECORD; i <= FULL; i++)
        if (!strcmp(name, names[i])) mode = i;
    // Processes that the program starts read documents and write nothing.
    unsetenv("LD_PRELOAD");
}

static void put(const void *bytes, size_t length) {
    const char *from = bytes;
    while (length > 0) {
        long written = syscall(SYS_write, log_fd, from, length);
        if (written <= 0) abort();
        from += written;
        length -= (size_t)written;
    }
}

static int is_below(const char *path) {
    return !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

// A directory entry: the folder that has it, its inode, and the name in it. Says whether it is ours.
struct entry {
    char path[PATH_MAX * 3];
    const char *name;
    unsigned long long folder;
};

static int find(int dirfd, const char *path, struct entry *entry) {
    if (mode == OFF) return 0;
    char typed[PATH_MAX * 2], folder[PATH_MAX];
    struct stat stat_of;
    if (path[0] == '/' || dirfd == AT_FDCWD) {
        snprintf(typed, sizeof typed, "%s", path);
    } else {
        char link[64], of_fd[PATH_MAX];
        snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd);
        ssize_t length = readlink(link, of_fd, sizeof of_fd - 1);
        if (length < 0) return 0;
        of_fd[length] = 0;
        snprintf(typed, sizeof typed, "%s/%s", of_fd, path);
    }
    size_t length = strlen(typed);
    while (length > 1 && typed[length - 1] == '/') typed[--length] = 0;
    char *slash = strrchr(typed, '/');
    const char *name = slash ? slash + 1 : typed;
    if (slash == typed) {
        strcpy(folder, "/");
    } else {
        if (slash) *slash = 0;
        if (!realpath(slash ? typed : ".", folder)) return 0;
    }
    if (!is_below(folder) || stat(folder, &stat_of)) return 0;
    snprintf(entry->path, sizeof entry->path, "%s/%s", folder, name);
    entry->name = strrchr(entry->path, '/') + 1;
    entry->folder = stat_of.st_ino;
    return 1;
}

// The path of an open file, and its inode. Says whether it is ours.
static int find_open(int fd, char *path, unsigned long long *inode) {
    if (mode == OFF || fd == log_fd) return 0;
    char link[64];
    struct stat stat_of;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!is_below(path) || fstat(fd, &stat_of)) return 0;
    if (!S_ISREG(stat_of.st_mode) && !S_ISDIR(stat_of.st_mode)) return 0;
    *inode = stat_of.st_ino;
    return 1;
}

static unsigned long long inode_of(const char *path) {
    struct stat stat_of;
    return lstat(path, &stat_of) ? 0 : stat_of.st_ino;
}

enum answer { GO_ON, ERROR, HALF };

// Counts a step, and says what becomes of it. The mutex is held.
static enum answer count(char kind, const char *path) {
    step++;
    int grows = strchr("WCMT", kind) != NULL;
    if (mode == FULL) {
        static int is_said;
        if (step < at || !grows) return GO_ON;
        if (!is_said++) dprintf(log_fd, "%c %s", kind, path + root_length);
        errno = ENOSPC;
        return ERROR;
    }
    if (mode == RECORD || step != at) return GO_ON;
    dprintf(log_fd, "%c %s", kind, path + root_length);
    if (mode == TORN && kind == 'W') return HALF;
    if (mode == FAIL) {
        errno = grows ? ENOSPC : EIO;
        return ERROR;
    }
    if (mode == KILL || mode == TORN) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    return GO_ON;
}

#define ONE_AT_A_TIME pthread_mutex_lock(&mutex)
#define NEXT(result)                              \
    do {                                          \
        int error = errno;                        \
        pthread_mutex_unlock(&mutex);             \
        errno = error;                            \
        return result;                            \
    } while (0)

static int open_at(int dirfd, const char *path, int flags, mode_t rights) {
    struct entry entry;
    if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE || !find(dirfd, path, &entry))
        return (int)syscall(SYS_openat, dirfd, path, flags, rights);
    ONE_AT_A_TIME;
    struct stat before;
    int is_new = stat(entry.path, &before);
    int empties = !is_new && (flags & O_TRUNC) && before.st_size > 0;
    if ((is_new || empties) && count(is_new ? 'C' : 'T', entry.path) == ERROR) NEXT(-1);
    int fd = (int)syscall(SYS_openat, dirfd, path, flags, rights);
    if (fd >= 0 && mode == RECORD) {
        unsigned long long inode = inode_of(entry.path);
        if (is_new) dprintf(log_fd, "C %llu %llu %s\n", entry.folder, inode, entry.name);
        if (empties) dprintf(log_fd, "T %llu 0\n", inode);
    }
    NEXT(fd);
}

#define RIGHTS                                    \
    mode_t rights = 0;                            \
    if (flags & (O_CREAT | O_TMPFILE)) {          \
        va_list rest;                             \
        va_start(rest, flags);                    \
        rights = va_arg(rest, mode_t);            \
        va_end(rest);                             \
    }

int open(const char *path, int flags, ...) { RIGHTS return open_at(AT_FDCWD, path, flags, rights); }
int open64(const char *path, int flags, ...) { RIGHTS return open_at(AT_FDCWD, path, flags, rights); }
int openat(int dirfd, const char *path, int flags, ...) { RIGHTS return open_at(dirfd, path, flags, rights); }
int openat64(int dirfd, const char *path, int flags, ...) { RIGHTS return open_at(dirfd, path, flags, rights); }

// `offset` below zero: where the file stands.
static ssize_t write_at(int fd, const void *bytes, size_t length, off_t offset) {
    char path[PATH_MAX];
    unsigned long long inode;
    if (!find_open(fd, path, &inode))
        return offset < 0 ? syscall(SYS_write, fd, bytes, length)
                          : syscall(SYS_pwrite64, fd, bytes, length, offset);
    ONE_AT_A_TIME;
    enum answer answer = count('W', path);
    if (answer == ERROR) NEXT(-1);
    off_t from = offset;
    if (offset < 0) {
        int is_appended = (fcntl(fd, F_GETFL) & O_APPEND) != 0;
        from = lseek(fd, 0, is_appended ? SEEK_END : SEEK_CUR);
    }
    if (answer == HALF) length /= 2;
    ssize_t written = offset < 0 ? syscall(SYS_write, fd, bytes, length)
                                 : syscall(SYS_pwrite64, fd, bytes, length, offset);
    if (answer == HALF) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    if (mode == RECORD && written > 0) {
        dprintf(log_fd, "W %llu %lld %zd\n", inode, (long long)from, written);
        put(bytes, (size_t)written);
        put("\n", 1);
    }
    NEXT(written);
}

ssize_t write(int fd, const void *bytes, size_t length) { return write_at(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return write_at(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return write_at(fd, bytes, length, offset); }

// Part of what is to be written may be written; the caller asks again.
ssize_t writev(int fd, const struct iovec *parts, int count_of) {
    for (int i = 0; i < count_of; i++)
        if (parts[i].iov_len > 0) return write_at(fd, parts[i].iov_base, parts[i].iov_len, -1);
    return 0;
}

// Whoever may not copy within the system reads and writes.
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
    (void)in, (void)from, (void)out, (void)to, (void)length, (void)flags;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t length) {
    (void)out, (void)in, (void)offset, (void)length;
    errno = ENOSYS;
    return -1;
}

static int sync_with(long call, int fd) {
    char path[PATH_MAX];
    unsigned long long inode;
    if (!find_open(fd, path, &inode)) return (int)syscall(call, fd);
    ONE_AT_A_TIME;
    if (count('S', path) == ERROR) NEXT(-1);
    // The disk is not what is tested, and it is slow.
    if (mode == RECORD) dprintf(log_fd, "S %llu\n", inode);
    NEXT(0);
}

int fsync(int fd) { return sync_with(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_with(SYS_fdatasync, fd); }

int ftruncate64(int fd, off64_t length) {
    char path[PATH_MAX];
    unsigned long long inode;
    if (!find_open(fd, path, &inode)) return (int)syscall(SYS_ftruncate, fd, length);
    ONE_AT_A_TIME;
    if (count('T', path) == ERROR) NEXT(-1);
    int result = (int)syscall(SYS_ftruncate, fd, length);
    if (mode == RECORD && !result) dprintf(log_fd, "T %llu %lld\n", inode, (long long)length);
    NEXT(result);
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int make_folder(int dirfd, const char *path, mode_t rights) {
    struct entry entry;
    struct stat before;
    if (!find(dirfd, path, &entry) || !stat(entry.path, &before))
        return (int)syscall(SYS_mkdirat, dirfd, path, rights);
    ONE_AT_A_TIME;
    if (count('M', entry.path) == ERROR) NEXT(-1);
    int result = (int)syscall(SYS_mkdirat, dirfd, path, rights);
    if (mode == RECORD && !result)
        dprintf(log_fd, "M %llu %llu %s\n", entry.folder, inode_of(entry.path), entry.name);
    NEXT(result);
}
int mkdir(const char *path, mode_t rights) { return make_folder(AT_FDCWD, path, rights); }
int mkdirat(int dirfd, const char *path, mode_t rights) { return make_folder(dirfd, path, rights); }

static int remove_at(int dirfd, const char *path, int flags) {
    struct entry entry;
    struct stat before;
    if (!find(dirfd, path, &entry) || lstat(entry.path, &before))
        return (int)syscall(SYS_unlinkat, dirfd, path, flags);
    ONE_AT_A_TIME;
    if (count('U', entry.path) == ERROR) NEXT(-1);
    int result = (int)syscall(SYS_unlinkat, dirfd, path, flags);
    if (mode == RECORD && !result) dprintf(log_fd, "U %llu %s\n", entry.folder, entry.name);
    NEXT(result);
}
int unlink(const char *path) { return remove_at(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return remove_at(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int dirfd, const char *path, int flags) { return remove_at(dirfd, path, flags); }

static int link_at(int old_dirfd, const char *old, int new_dirfd, const char *new, int flags) {
    struct entry to;
    if (!find(new_dirfd, new, &to)) return (int)syscall(SYS_linkat, old_dirfd, old, new_dirfd, new, flags);
    ONE_AT_A_TIME;
    if (count('C', to.path) == ERROR) NEXT(-1);
    int result = (int)syscall(SYS_linkat, old_dirfd, old, new_dirfd, new, flags);
    if (mode == RECORD && !result)
        dprintf(log_fd, "L %llu %llu %s\n", to.folder, inode_of(to.path), to.name);
    NEXT(result);
}
int link(const char *old, const char *new) { return link_at(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int old_dirfd, const char *old, int new_dirfd, const char *new, int flags) {
    return link_at(old_dirfd, old, new_dirfd, new, flags);
}

int rename(const char *old, const char *new) {
    struct entry from, to;
    if (!find(AT_FDCWD, old, &from) || !find(AT_FDCWD, new, &to))
        return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
    ONE_AT_A_TIME;
    if (count('R', to.path) == ERROR) NEXT(-1);
    unsigned long long inode = inode_of(from.path);
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
    if (mode == RECORD && !result)
        dprintf(log_fd, "R %llu %llu %llu %s/%s\n", from.folder, to.folder, inode, from.name, to.name);
    NEXT(result);
}

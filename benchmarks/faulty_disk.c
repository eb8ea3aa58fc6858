/* A disk with faults: calls on files below a folder fail or take long. `torture_disk.py` compiles and loads this. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, CREATE = 4, NAME = 8, READ = 16, REMOVE = 32 };

static char folder[PATH_MAX];
static int kinds, first, last, error, calls, failures;
static useconds_t pause_length;

/* The calls of these kinds from the first to the last fail with this error, or, if it is 0, only take longer. */
void arm(const char *below, int of_kinds, int from, int to, int with, int microseconds) {
    kinds = 0;
    snprintf(folder, sizeof folder, "%s", below);
    first = from, last = to, error = with, pause_length = microseconds, calls = 0, failures = 0;
    kinds = of_kinds;
}

int failed(void) { return failures; }

static int is_below(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

static int fails(int kind) {
    int number = ++calls;
    (void)kind;
    if (number < first || number > last) return 0;
    if (pause_length) usleep(pause_length);
    if (!error) return 0;
    failures++;
    errno = error;
    return 1;
}

static int path_fails(int kind, const char *path) {
    char real[PATH_MAX];
    if (!(kinds & kind) || !path) return 0;
    if (path[0] != '/') {
        char here[PATH_MAX / 2];
        if (!getcwd(here, sizeof here)) return 0;
        snprintf(real, sizeof real, "%s/%s", here, path);
        path = real;
    }
    return is_below(path) && fails(kind);
}

static int at_fails(int kind, int at, const char *path) {
    char link[64], real[PATH_MAX];
    if (!(kinds & kind) || !path) return 0;
    if (at == AT_FDCWD || path[0] == '/') return path_fails(kind, path);
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t size = readlink(link, real, sizeof real - 1);
    if (size < 0) return 0;
    real[size] = 0;
    return is_below(real) && fails(kind);
}

static int number_fails(int kind, int number) {
    char link[64], real[PATH_MAX];
    if (!(kinds & kind)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    ssize_t size = readlink(link, real, sizeof real - 1);
    if (size < 0) return 0;
    real[size] = 0;
    return is_below(real) && fails(kind);
}

#define REAL(name) \
    static typeof(name) *real; \
    if (!real) real = (typeof(name) *)dlsym(RTLD_NEXT, #name)

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        REAL(name); \
        if (flags & (O_CREAT | O_WRONLY | O_RDWR) && path_fails(CREATE, path)) return -1; \
        return real(path, flags, mode); \
    }

#define OPENS_AT(name) \
    int name(int at, const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        REAL(name); \
        if (flags & (O_CREAT | O_WRONLY | O_RDWR) && at_fails(CREATE, at, path)) return -1; \
        return real(at, path, flags, mode); \
    }

OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

ssize_t write(int file, const void *data, size_t size) {
    REAL(write);
    return number_fails(WRITE, file) ? -1 : real(file, data, size);
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
    REAL(writev);
    return number_fails(WRITE, file) ? -1 : real(file, pieces, count);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t place) {
    REAL(pwrite64);
    return number_fails(WRITE, file) ? -1 : real(file, data, size, place);
}

ssize_t read(int file, void *data, size_t size) {
    REAL(read);
    return number_fails(READ, file) ? -1 : real(file, data, size);
}

int fsync(int file) {
    REAL(fsync);
    return number_fails(SYNC, file) ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return number_fails(SYNC, file) ? -1 : real(file);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return path_fails(CREATE, path) ? -1 : real(path, mode);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return path_fails(NAME, to) ? -1 : real(from, to);
}

int link(const char *from, const char *to) {
    REAL(link);
    return path_fails(NAME, to) ? -1 : real(from, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    REAL(linkat);
    return at_fails(NAME, to_at, to) ? -1 : real(from_at, from, to_at, to, flags);
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
    REAL(renameat);
    return at_fails(NAME, to_at, to) ? -1 : real(from_at, from, to_at, to);
}

int unlink(const char *path) {
    REAL(unlink);
    return path_fails(REMOVE, path) ? -1 : real(path);
}

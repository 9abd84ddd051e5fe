/* A disk that forgets on power loss what was not synced. Loaded into a server with LD_PRELOAD, it keeps a copy of the store's files in the folder
   $DISK, which gets what was written to a file only when that file is synced (tests/power.py). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 8
#define REAL(result, name, ...) static result (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, name)

struct range { off_t at; size_t length; };
static struct file { char path[PATH_MAX]; struct range *written; size_t count, room; } files[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The files of a store: the database and its write-ahead log. The index of the log (-shm) is rebuilt after a crash. */
static int is_kept(const char *path) {
    size_t length = strlen(path);
    return getenv("DISK") && ((length > 3 && !strcmp(path + length - 3, ".db")) || (length > 7 && !strcmp(path + length - 7, ".db-wal")));
}

static void copy_path(const char *path, char *copy) {
    const char *name = strrchr(path, '/');
    snprintf(copy, PATH_MAX, "%s/%s", getenv("DISK"), name ? name + 1 : path);
}

/* The record of an open file of the store; NULL if it is another file. */
static struct file *file_of(int fd) {
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    if (!is_kept(path)) return NULL;
    for (int each = 0; each < FILES; each++) {
        if (!files[each].path[0]) strcpy(files[each].path, path);
        if (!strcmp(files[each].path, path)) return &files[each];
    }
    fputs("disk.c: too many files\n", stderr);
    abort();
}

static void note(struct file *file, off_t at, size_t length) {
    if (file->count == file->room) {
        file->room = file->room ? 2 * file->room : 64;
        file->written = realloc(file->written, file->room * sizeof *file->written);
        if (!file->written) abort();
    }
    file->written[file->count++] = (struct range){at, length};
}

/* What was written to a file is on the disk now. */
static void keep(int fd, struct file *file, ssize_t (*write_to)(int, const void *, size_t, off_t)) {
    char copy[PATH_MAX], *buffer = NULL;
    struct stat now;
    copy_path(file->path, copy);
    int disk = open(copy, O_RDWR | O_CREAT, 0600);
    if (disk < 0 || fstat(fd, &now)) abort();
    for (size_t each = 0; each < file->count; each++) {
        struct range range = file->written[each];
        buffer = realloc(buffer, range.length);
        ssize_t got = pread(fd, buffer, range.length, range.at);
        if (got > 0 && write_to(disk, buffer, got, range.at) != got) abort();
    }
    if (truncate(copy, now.st_size)) abort();
    close(disk);
    free(buffer);
    file->count = 0;
}

static ssize_t (*real_pwrite(void))(int, const void *, size_t, off_t) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
    return real;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) {
    pthread_mutex_lock(&lock);
    struct file *file = file_of(fd);
    ssize_t done = real_pwrite()(fd, data, length, at);
    if (file && done > 0) note(file, at, done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return pwrite64(fd, data, length, at); }

static int synced(int fd, int (*sync)(int)) {
    pthread_mutex_lock(&lock);
    struct file *file = file_of(fd);
    int failed = sync(fd);
    if (file && !failed) keep(fd, file, real_pwrite());
    pthread_mutex_unlock(&lock);
    return failed;
}

int fsync(int fd) { REAL(int, "fsync", int); return synced(fd, real); }
int fdatasync(int fd) { REAL(int, "fdatasync", int); return synced(fd, real); }

/* A shorter file is known to the disk with the next sync, like everything else: keep() truncates. What is unlinked is gone at once. */
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    if (is_kept(path)) {
        char copy[PATH_MAX];
        copy_path(path, copy);
        real(copy);
    }
    return real(path);
}

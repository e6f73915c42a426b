/* Faults in a whole run, by LD_PRELOAD: tests/store/test_faults.py builds and uses it. Nothing of it is in the product.
 *
 *   TRIAD_FAULT=RANK:KIND:K:ACTION      on that rank, at the K-th call of the KIND (from 1; 0: never)
 *     KIND    commit   any call on a path below checkpoints/: open, mkdir, pwrite, fsync, rename, ..
 *             pwrite, fsync, rename    calls on such paths
 *             malloc   malloc, calloc, realloc, aligned_alloc, strdup, strndup and open_memstream called from the
 *                      program itself
 *             fft      executions of FFTW plans
 *     ACTION  kill     SIGKILL to itself
 *             EIO, ENOSPC, ENOMEM      the call fails (ENOMEM: NULL)
 *             nan      the first number that the transform gives is not one
 *   TRIAD_FAULT_COUNT=PREFIX            the rank's number of such calls goes to PREFIX.RANK at the end
 *   TRIAD_FAULT_CALLERS=PREFIX          of each malloc of the rank, from the first on, a line in PREFIX.RANK: who
 *                                       called whom down
 *                                       to it, as offsets in the program
 *   TRIAD_FAULT_AT=LINE                 only calls whose callers are this line count */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
  int ready, mine, fail;
  long at, count;
  char kind[16], action[16];
} fault;
static char below[4096]; /* by descriptor: is it of a file below checkpoints/? */
static uintptr_t program_begin, program_end;

static void find_program(void)
{
  /* by hand, since this runs inside malloc: no stdio */
  char text[8192], exe[4096];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  int fd = (int)syscall(SYS_open, "/proc/self/maps", O_RDONLY);
  if (n <= 0 || fd < 0) return;
  exe[n] = '\0';
  ssize_t got = read(fd, text, sizeof text - 1);
  (void)syscall(SYS_close, fd);
  if (got <= 0) return;
  text[got] = '\0';
  for (char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    char *end = strchr(line, '\n'), *name = strchr(line, '/');
    if (!end || !name || name > end || strncmp(name, exe, (size_t)(end - name)) != 0) continue;
    uintptr_t from = strtoull(line, &name, 16), to = strtoull(name + 1, NULL, 16);
    if (!program_begin) program_begin = from;
    program_end = to;
  }
}

static int callers = -1;   /* the file of callers */
static const char *wanted; /* those of the calls that count; NULL: all */

enum { DEEPEST = 48 };

/* The program's part of the stack, the innermost first. */
static size_t find_callers(char line[DEEPEST * 20])
{
  void *stack[DEEPEST];
  size_t at = 0;
  int n = backtrace(stack, DEEPEST);
  for (int i = 0; i < n; i++) {
    uintptr_t place = (uintptr_t)stack[i];
    if (place < program_begin || place >= program_end) continue;
    at += (size_t)snprintf(line + at, 20, "%s%lx", at ? " " : "", (long)(place - program_begin));
  }
  line[at] = '\0';
  return at;
}

/* Is it a call that counts? Tells of it, in one write, since ranks may be killed at any time. */
static int is_wanted(void)
{
  char line[DEEPEST * 20 + 1];
  if (callers < 0 && !wanted) return 1;
  size_t n = find_callers(line);
  if (wanted) return strcmp(line, wanted) == 0;
  line[n] = '\n';
  if (write(callers, line, n + 1) < 0) (void)kill(getpid(), SIGKILL);
  return 1;
}

static void prepare_callers(const char *rank)
{
  const char *prefix = getenv("TRIAD_FAULT_CALLERS");
  char path[4096];
  void *first[1];
  (void)backtrace(first, 1); /* loads what it needs */
  wanted = getenv("TRIAD_FAULT_AT");
  if (!prefix) return;
  (void)snprintf(path, sizeof path, "%s.%s", prefix, rank);
  callers = (int)syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void leave(void)
{
  const char *prefix = getenv("TRIAD_FAULT_COUNT");
  char path[4096], text[32];
  if (!fault.mine || !prefix) return;
  (void)snprintf(path, sizeof path, "%s.%s", prefix, getenv("OMPI_COMM_WORLD_RANK"));
  int fd = (int)syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC, 0600),
      n = snprintf(text, sizeof text, "%ld\n", fault.count);
  if (fd >= 0 && write(fd, text, (size_t)n) == n) (void)syscall(SYS_close, fd);
}

__attribute__((constructor)) static void prepare(void)
{
  const char *spec = getenv("TRIAD_FAULT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  int victim = -1;
  if (!spec || !rank || sscanf(spec, "%d:%15[^:]:%ld:%15s", &victim, fault.kind, &fault.at, fault.action) != 4) return;
  find_program();
  fault.mine = atoi(rank) == victim;
  fault.fail = strcmp(fault.action, "EIO") == 0 ? EIO : strcmp(fault.action, "ENOSPC") == 0 ? ENOSPC : ENOMEM;
  if (fault.mine) (void)atexit(leave);
  if (fault.mine) prepare_callers(rank);
  fault.ready = 1;
}

/* Is this call the one? Dies here when it is to die. */
static int strikes(const char *kind)
{
  if (!fault.ready || !fault.mine || strcmp(kind, fault.kind) != 0) return 0;
  if (strcmp(kind, "malloc") == 0 && !is_wanted()) return 0;
  if (__atomic_add_fetch(&fault.count, 1, __ATOMIC_SEQ_CST) != fault.at) return 0;
  if (strcmp(fault.action, "kill") == 0) (void)kill(getpid(), SIGKILL);
  errno = fault.fail;
  return 1;
}

static int is_below(const char *path) { return path && strstr(path, "/checkpoints") != NULL; }
static int is_known(int fd) { return fd >= 0 && fd < (int)sizeof below && below[fd]; }

/* A call on a checkpoint's path, of a kind of its own too. */
static int hit(int below_it, const char *kind) { return below_it && (strikes("commit") | (kind ? strikes(kind) : 0)); }

#define REAL(type, name, parameters) \
  static type(*real) parameters; \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

static int opened(int fd, const char *path)
{
  if (fd >= 0 && fd < (int)sizeof below) below[fd] = (char)is_below(path);
  return fd;
}
int open(const char *path, int flags, ...)
{
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  REAL(int, open, (const char *, int, ...));
  return hit(is_below(path), NULL) ? -1 : opened(real(path, flags, mode), path);
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int close(int fd)
{
  REAL(int, close, (int));
  int known = is_known(fd);
  if (known) below[fd] = 0;
  int bad = real(fd);
  return hit(known, NULL) ? -1 : bad;
}

#define CALL(type, name, kind, parameters, arguments, known) \
  type name parameters \
  { \
    REAL(type, name, parameters); \
    return hit((known), (kind)) ? (type)-1 : real arguments; \
  }
CALL(ssize_t, pwrite, "pwrite", (int fd, const void *p, size_t n, off_t at), (fd, p, n, at), is_known(fd))
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
CALL(int, fsync, "fsync", (int fd), (fd), is_known(fd))
CALL(int, fallocate, NULL, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), is_known(fd))
int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));
CALL(int, ftruncate, NULL, (int fd, off_t n), (fd, n), is_known(fd))
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
CALL(int, mkdir, NULL, (const char *path, mode_t mode), (path, mode), is_below(path))
CALL(int, rename, "rename", (const char *from, const char *to), (from, to), is_below(to))
CALL(int, renameat2, "rename", (int a, const char *from, int b, const char *to, unsigned f), (a, from, b, to, f),
     is_below(to))
CALL(int, unlink, NULL, (const char *path), (path), is_below(path))
CALL(int, rmdir, NULL, (const char *path), (path), is_below(path))

/* ---- memory: glibc's own names, since dlsym takes memory itself ---- */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
#define ASKED \
  (program_begin && (uintptr_t)__builtin_return_address(0) >= program_begin && \
   (uintptr_t)__builtin_return_address(0) < program_end && strikes("malloc"))
void *malloc(size_t n) { return ASKED ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return ASKED ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return ASKED ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { return ASKED ? NULL : __libc_memalign(a, n); }
char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  char *copy = ASKED ? NULL : __libc_malloc(n);
  return copy ? memcpy(copy, s, n) : NULL;
}
char *strndup(const char *s, size_t most)
{
  size_t n = strnlen(s, most);
  char *copy = ASKED ? NULL : __libc_malloc(n + 1);
  if (!copy) return NULL;
  copy[n] = '\0';
  return memcpy(copy, s, n);
}
FILE *open_memstream(char **p, size_t *n)
{
  REAL(FILE *, open_memstream, (char **, size_t *));
  return ASKED ? NULL : real(p, n);
}

/* ---- transforms ---- */

void fftw_execute_dft(void *plan, double complex *in, double complex *out)
{
  REAL(void, fftw_execute_dft, (void *, double complex *, double complex *));
  real(plan, in, out);
  if (strikes("fft")) out[0] = NAN;
}

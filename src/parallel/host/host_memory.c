/* Read the free memory of a node from /proc/meminfo and from the limits of control groups, and name the processes that
 * use most of it. */
#include "parallel/host/host_memory.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, SHOWN = 3 };

int64_t triad_host_memory_available(const char *meminfo, int64_t *total)
{
  char line[256];
  int64_t available = 0;
  FILE *f = fopen(meminfo, "r");
  *total = 0;
  if (!f) return 0;
  while (fgets(line, sizeof line, f)) {
    if (strncmp(line, "MemAvailable:", 13) == 0) available = 1024 * strtoll(line + 13, NULL, 10);
    if (strncmp(line, "MemTotal:", 9) == 0) *total = 1024 * strtoll(line + 9, NULL, 10);
  }
  (void)fclose(f);
  return available;
}

static int64_t number_in(const char *folder, const char *name)
{
  char path[PATH + 64], text[64] = "";
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  if (!f) return -1;
  if (!fgets(text, sizeof text, f)) text[0] = '\0';
  (void)fclose(f);
  return isdigit((unsigned char)text[0]) ? strtoll(text, NULL, 10) : -1; /* "max": no limit */
}

/* The value of a line "name N" in a statistics file. */
static int64_t statistic_in(const char *folder, const char *name)
{
  char path[PATH + 64], line[256];
  size_t length = strlen(name);
  int64_t value = 0;
  (void)snprintf(path, sizeof path, "%s/memory.stat", folder);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  while (fgets(line, sizeof line, f))
    if (strncmp(line, name, length) == 0 && line[length] == ' ') value = strtoll(line + length, NULL, 10);
  (void)fclose(f);
  return value;
}

/* Limit less use of one control group, files that can be dropped not counted as used; -1 for no limit. */
static int64_t left_in(const char *folder)
{
  int64_t limit = number_in(folder, "memory.max"), used = number_in(folder, "memory.current");
  if (limit >= 0) {
    int64_t left = limit - used + statistic_in(folder, "inactive_file");
    return left > 0 ? left : 0;
  }
  limit = number_in(folder, "memory.limit_in_bytes"); /* version 1; its "no limit" is a huge number */
  used = number_in(folder, "memory.usage_in_bytes");
  if (limit < 0 || limit > INT64_MAX / 4) return -1;
  int64_t left = limit - used + statistic_in(folder, "total_inactive_file");
  return left > 0 ? left : 0;
}

static int64_t smaller(int64_t a, int64_t b) { return a < 0 ? b : b < 0 || a < b ? a : b; }

/* From root/path up to root. Inside a container the path may be the host's, and only the root exist. */
static int64_t left_along(const char *root, const char *path)
{
  char folder[PATH];
  int n = snprintf(folder, sizeof folder, "%s%s", root, path);
  if (n < 0 || (size_t)n >= sizeof folder) return left_in(root);
  int64_t least = -1;
  size_t stop = strlen(root);
  for (;;) {
    least = smaller(least, left_in(folder));
    char *slash = strrchr(folder + stop, '/');
    if (!slash) return least;
    *slash = '\0';
  }
}

int64_t triad_host_memory_group_left(const char *membership, const char *root)
{
  char line[PATH], folder[PATH];
  int64_t least = -1;
  FILE *f = fopen(membership, "r");
  if (!f) return -1;
  while (fgets(line, sizeof line, f)) { /* id:controllers:path, no controllers in version 2 */
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path) continue;
    *controllers++ = '\0';
    *path++ = '\0';
    if (!*controllers) least = smaller(least, left_along(root, path));
    if (strcmp(controllers, "memory") == 0) {
      (void)snprintf(folder, sizeof folder, "%.4000s/memory", root);
      least = smaller(least, left_along(folder, path));
    }
  }
  (void)fclose(f);
  return least;
}

typedef struct process {
  char name[32];
  int64_t pid, bytes;
} process;

static int look_at(const char *pid, process *p)
{
  char path[288], line[256];
  (void)snprintf(path, sizeof path, "/proc/%.20s/status", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  *p = (process){.pid = strtoll(pid, NULL, 10)};
  while (fgets(line, sizeof line, f)) {
    if (strncmp(line, "Name:", 5) == 0) (void)sscanf(line + 5, " %31[^\n]", p->name);
    if (strncmp(line, "VmRSS:", 6) == 0) p->bytes = 1024 * strtoll(line + 6, NULL, 10);
  }
  (void)fclose(f);
  return p->bytes > 0;
}

static void find_holders(char *text, size_t size)
{
  process most[SHOWN + 1] = {{{0}, 0, 0}};
  DIR *folder = opendir("/proc");
  text[0] = '\0';
  if (!folder) return;
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    if (!isdigit((unsigned char)entry->d_name[0]) || !look_at(entry->d_name, &most[SHOWN])) continue;
    for (int i = SHOWN; i > 0 && most[i].bytes > most[i - 1].bytes; i--) {
      process swapped = most[i];
      most[i] = most[i - 1];
      most[i - 1] = swapped;
    }
  }
  (void)closedir(folder);
  for (int i = 0; i < SHOWN && most[i].bytes > 0; i++) {
    size_t at = strlen(text);
    (void)snprintf(text + at, size - at, "%s%s (pid %" PRId64 ") %.3g GB", i > 0 ? ", " : "", most[i].name, most[i].pid,
                   1e-9 * (double)most[i].bytes);
  }
}

int triad_host_memory_measure(triad_host_memory *room, const triad_comm *comm)
{
  MPI_Comm node = MPI_COMM_NULL;
  memset(room, 0, sizeof *room);
  (void)gethostname(room->host, sizeof room->host - 1);
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_split_type(comm->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node)));
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_size(node, &room->ranks)));
  TRIAD_TRY(TRIAD_MPI(MPI_Comm_free(&node)));
  room->free = triad_host_memory_available("/proc/meminfo", &room->total);
  int64_t left = triad_host_memory_group_left("/proc/self/cgroup", "/sys/fs/cgroup");
  room->limited = left >= 0 && room->free > 0 && left < room->free;
  if (room->limited) room->free = left;
  find_holders(room->holders, sizeof room->holders);
  return TRIAD_OK;
}

/* Keep a hash table of the files that this process has written, and compare it with the folders on the disk. */
#include "store/written.h"

#include "store/disk.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  char *path; /* malloc'd */
  uint32_t hash;
  int reported; /* missing, and said so */
} entry;

typedef struct list {
  struct list *next;
  char *dir; /* malloc'd */
  entry *entry;
  int n, capacity;
} list;

static list *lists;
static int unlisted; /* directories and files that there was no memory for */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static uint32_t hash_of(const char *path)
{
  uint32_t h = 2166136261u; /* Fowler, Noll and Vo's */
  for (; *path; path++) h = (h ^ (unsigned char)*path) * 16777619u;
  return h;
}

/* Is `path` below `dir`? */
static int is_below(const char *path, const char *dir)
{
  const size_t n = strlen(dir);
  return strncmp(path, dir, n) == 0 && path[n] == '/';
}

static list *list_of(const char *path)
{
  list *l = lists;
  while (l && !is_below(path, l->dir)) l = l->next;
  return l;
}

static void free_list(list *l)
{
  for (int i = 0; i < l->n; i++) free(l->entry[i].path);
  free(l->entry);
  free(l->dir);
  free(l);
}

void triad_written_begin(const char *dir)
{
  triad_written_end(dir);
  list *l = calloc(1, sizeof *l);
  if (l && !(l->dir = strdup(dir))) {
    free(l);
    l = NULL;
  }
  (void)pthread_mutex_lock(&guard);
  if (l) {
    l->next = lists;
    lists = l;
  } else unlisted++;
  (void)pthread_mutex_unlock(&guard);
}

void triad_written_end(const char *dir)
{
  (void)pthread_mutex_lock(&guard);
  for (list **at = &lists; *at; at = &(*at)->next) {
    list *l = *at;
    if (strcmp(l->dir, dir) != 0) continue;
    *at = l->next;
    free_list(l);
    break;
  }
  (void)pthread_mutex_unlock(&guard);
}

static void add(list *l, const char *path)
{
  const uint32_t hash = hash_of(path);
  for (int i = l->n - 1; i >= 0; i--)
    if (l->entry[i].hash == hash && strcmp(l->entry[i].path, path) == 0) {
      l->entry[i].reported = 0; /* made again */
      return;
    }
  if (l->n == l->capacity) {
    const int more = l->capacity ? 2 * l->capacity : 64;
    entry *grown = realloc(l->entry, (size_t)more * sizeof *grown);
    if (!grown) {
      unlisted++;
      return;
    }
    l->entry = grown;
    l->capacity = more;
  }
  char *copy = strdup(path);
  if (copy) l->entry[l->n++] = (entry){.path = copy, .hash = hash};
  else unlisted++;
}

void triad_written_add(const char *path)
{
  (void)pthread_mutex_lock(&guard);
  list *l = list_of(path);
  if (l) add(l, path);
  (void)pthread_mutex_unlock(&guard);
}

void triad_written_drop(const char *path)
{
  (void)pthread_mutex_lock(&guard);
  list *l = list_of(path);
  int n = 0;
  for (int i = 0; l && i < l->n; i++) {
    if (strcmp(l->entry[i].path, path) == 0 || is_below(l->entry[i].path, path)) free(l->entry[i].path);
    else l->entry[n++] = l->entry[i];
  }
  if (l) l->n = n;
  (void)pthread_mutex_unlock(&guard);
}

int triad_written_unlisted(void)
{
  (void)pthread_mutex_lock(&guard);
  const int n = unlisted;
  unlisted = 0;
  (void)pthread_mutex_unlock(&guard);
  return n;
}

/* ---- what is missing: a folder is read once, however many files of it are listed ---- */

static int by_path(const void *a, const void *b) { return strcmp(((const entry *)a)->path, ((const entry *)b)->path); }
static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Bytes of the folder's part of a path. */
static size_t folder_bytes(const char *path) { return (size_t)(strrchr(path, '/') - path); }

typedef struct names {
  char **name; /* sorted */
  int n;
} names;

/* One that cannot be read, but is present, says nothing about its files: 0. */
static int read_folder(const char *path, size_t bytes, names *out)
{
  char folder[TRIAD_PATH];
  struct dirent **found = NULL;
  if (bytes >= sizeof folder) return 0;
  memcpy(folder, path, bytes);
  folder[bytes] = '\0';
  *out = (names){0};
  const int n = scandir(folder, &found, NULL, NULL);
  if (n < 0) return errno == ENOENT || errno == ENOTDIR;
  out->name = calloc((size_t)n + 1, sizeof *out->name);
  for (int i = 0; i < n; i++) {
    if (out->name && (out->name[out->n] = strdup(found[i]->d_name))) out->n++;
    free(found[i]);
  }
  free(found);
  if (out->n == n) qsort(out->name, (size_t)n, sizeof *out->name, by_name);
  return out->n == n;
}

static void free_names(names *s)
{
  for (int i = 0; i < s->n; i++) free(s->name[i]);
  free(s->name);
}

/* Entries first .. end - 1 are of one folder. */
static int missing_in(list *l, int first, int end, void (*report)(void *, const char *, int, const char *), void *who)
{
  const size_t bytes = folder_bytes(l->entry[first].path);
  char folder[TRIAD_PATH];
  const char *example = NULL;
  names s = {0};
  int missing = 0, new = 0;
  if (!read_folder(l->entry[first].path, bytes, &s)) {
    free_names(&s);
    return 0;
  }
  for (int i = first; i < end; i++) {
    char *name = l->entry[i].path + bytes + 1;
    if (s.n > 0 && bsearch(&name, s.name, (size_t)s.n, sizeof *s.name, by_name)) continue;
    missing++;
    if (l->entry[i].reported++) continue;
    new ++;
    if (!example) example = l->entry[i].path;
  }
  free_names(&s);
  memcpy(folder, l->entry[first].path, bytes);
  folder[bytes] = '\0';
  if (new > 0) report(who, folder, new, example);
  return missing;
}

int triad_written_missing(const char *dir, void (*report)(void *who, const char *folder, int n, const char *name),
                          void *who)
{
  int missing = 0;
  (void)pthread_mutex_lock(&guard);
  list *l = lists;
  while (l && strcmp(l->dir, dir) != 0) l = l->next;
  if (l && l->n > 1) qsort(l->entry, (size_t)l->n, sizeof *l->entry, by_path);
  for (int i = 0, end; l && i < l->n; i = end) {
    const size_t bytes = folder_bytes(l->entry[i].path);
    for (end = i + 1; end < l->n && folder_bytes(l->entry[end].path) == bytes &&
                      memcmp(l->entry[i].path, l->entry[end].path, bytes) == 0;
         end++) {}
    missing += missing_in(l, i, end, report, who);
  }
  (void)pthread_mutex_unlock(&guard);
  return missing;
}

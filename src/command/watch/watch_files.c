/* Find the newest spectra and slices of a run, and write spectra as numbers and pictures as base64. */
#include "command/watch/watch_files.h"
#include "command/watch/watch.h"
#include "command/watch/watch_run.h"

#include "base/guard.h"
#include "store/hdf5/h5read.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_K = 4096, MOST_SETS = 6, MOST_PICTURES = 8, PICTURE = 3 << 20 /* bytes */ };
enum { NAME = TRIAD_WATCH_NAME };

/* "PREFIX..-00001200SUFFIX": the step, -1 where the name is another. */
static int64_t step_of(const char *name, const char *prefix, const char *suffix)
{
  const size_t n = strlen(name), s = strlen(suffix);
  const char *dash = strrchr(name, '-');
  char *after;
  if (n < s || n >= NAME || strncmp(name, prefix, strlen(prefix)) != 0 || strcmp(name + n - s, suffix) != 0 || !dash)
    return -1;
  int64_t step = strtoll(dash + 1, &after, 10);
  return after > dash + 1 && after == name + n - s ? step : -1;
}

int64_t triad_watch_newest(const char *dir, const char *folder, const char *prefix, const char *suffix,
                           char (*names)[NAME], int most, int *n)
{
  int64_t step = -1;
  *n = 0;
  const int fd = triad_watch_open_folder(dir, folder);
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  if (!d && fd >= 0) (void)close(fd);
  if (!d) return -1;
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    int64_t found = step_of(e->d_name, prefix, suffix);
    if (found > step) *n = 0;
    if (found < 0 || found < step) continue;
    step = found;
    if (*n < most) memcpy(names[(*n)++], e->d_name, strlen(e->d_name) + 1);
  }
  (void)closedir(d);
  return step;
}

/* ---- spectra ---- */

typedef struct spectrum {
  double t, k[MOST_K], e[MOST_SETS][MOST_K];
  int n, n_sets;
  char name[MOST_SETS][32];
} spectrum;

typedef struct reading {
  const char *path;
  triad_h5 *file;
  spectrum *s;
} reading;

static int is_energy(void *who, const char *name)
{
  spectrum *s = ((reading *)who)->s;
  if (name[0] == 'E' && (!name[1] || name[1] == '_') && strlen(name) < sizeof s->name[0] && s->n_sets < MOST_SETS)
    (void)snprintf(s->name[s->n_sets++], sizeof s->name[0], "%s", name);
  return 0;
}

/* Datasets of one dimension that are as long as k. */
static int read_sets(reading *r)
{
  int64_t dims[TRIAD_H5_DIMS], first = 0, n = 0;
  int n_dims = 0, kept = 0;
  TRIAD_TRY(triad_h5_dims(r->file, "k", &n_dims, dims, NULL));
  if (n_dims != 1 || dims[0] < 1 || dims[0] > MOST_K)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no spectrum to show", r->path);
  n = dims[0];
  TRIAD_TRY(triad_h5_read(r->file, "k", 1, &first, &n, 8, r->s->k));
  TRIAD_TRY(triad_h5_each(r->file, is_energy, r));
  for (int i = 0; i < r->s->n_sets; i++) {
    TRIAD_TRY(triad_h5_dims(r->file, r->s->name[i], &n_dims, dims, NULL));
    if (n_dims != 1 || dims[0] != n) continue;
    TRIAD_TRY(triad_h5_read(r->file, r->s->name[i], 1, &first, &n, 8, r->s->e[kept]));
    if (kept != i) (void)memcpy(r->s->name[kept], r->s->name[i], sizeof r->s->name[0]);
    kept++;
  }
  r->s->n = (int)n;
  r->s->n_sets = kept;
  return triad_h5_root_reals(r->file, "t", 1, &r->s->t);
}

static int read_apart(void *self, triad_guard *guard)
{
  reading *r = self;
  TRIAD_TRY(triad_h5_open(&r->file, r->path));
  TRIAD_TRY(read_sets(r));
  return triad_guard_give(guard, r->s, sizeof *r->s);
}

static void put_values(triad_json *j, const char *name, const double *values, int n)
{
  triad_json_list(j, name, TRIAD_JSON_COMPACT);
  for (int i = 0; i < n; i++) triad_json_number(j, NULL, values[i], 6);
  triad_json_end(j);
}

static void put_spectrum(triad_json *j, int64_t step, const spectrum *s)
{
  triad_json_object(j, "spectrum", TRIAD_JSON_LINE);
  triad_json_integer(j, "step", step);
  triad_json_number(j, "t", isfinite(s->t) ? s->t : 0, 9);
  put_values(j, "k", s->k, s->n);
  for (int i = 0; i < s->n_sets; i++) put_values(j, s->name[i], s->e[i], s->n);
  triad_json_end(j);
}

void triad_watch_spectrum(const char *dir, int64_t have, triad_json *j)
{
  char path[64], file[NAME + 16], name[1][NAME];
  int n = 0;
  int64_t step = triad_watch_newest(dir, "spectra", "spectra-", ".h5", name, 1, &n);
  if (step < 0 || step == have) return;
  (void)snprintf(file, sizeof file, "spectra/%.*s", NAME - 1, name[0]);
  const int fd = triad_watch_open(dir, file);
  if (fd < 0) return;
  /* for HDF5, which takes names: this file, whatever its name becomes */
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  spectrum *s = calloc(1, sizeof *s);
  reading r = {.path = path, .s = s};
  if (s && triad_guard_run(path, read_apart, &r, s, sizeof *s) == TRIAD_OK) put_spectrum(j, step, s);
  triad_message_clear(); /* one that cannot be read is not shown */
  (void)close(fd);
  free(s);
}

/* ---- pictures of slices ---- */

/* Text in base 64, malloc'd; NULL without memory. */
static char *to_base64(const unsigned char *data, int64_t bytes)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((size_t)(bytes + 2) / 3 * 4 + 1), *to = text;
  for (int64_t i = 0; text && i < bytes; i += 3) {
    const int64_t left = bytes - i;
    unsigned v = (unsigned)data[i] << 16 | (left > 1 ? (unsigned)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
    *to++ = digit[v >> 18];
    *to++ = digit[v >> 12 & 63];
    *to++ = left > 1 ? digit[v >> 6 & 63] : '=';
    *to++ = left > 2 ? digit[v & 63] : '=';
  }
  if (text) *to = '\0';
  return text;
}

static void put_picture(triad_json *j, const char *name, const char *data, int64_t bytes)
{
  char *text = to_base64((const unsigned char *)data, bytes);
  if (text) {
    triad_json_object(j, NULL, TRIAD_JSON_LINE);
    triad_json_text(j, "name", name);
    triad_json_text(j, "png", text);
    triad_json_end(j);
  }
  free(text);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

void triad_watch_slices(const char *dir, int64_t have, triad_json *j)
{
  char file[NAME + 16], name[MOST_PICTURES][NAME];
  int n = 0;
  int64_t step = triad_watch_newest(dir, "slices", "slice", ".png", name, MOST_PICTURES, &n);
  if (step < 0 || step == have) return;
  qsort(name, (size_t)n, sizeof name[0], by_name);
  triad_json_object(j, "slices", TRIAD_JSON_LINE);
  triad_json_integer(j, "step", step);
  triad_json_list(j, "pictures", TRIAD_JSON_LINE);
  for (int i = 0; i < n; i++) {
    int64_t bytes = 0;
    (void)snprintf(file, sizeof file, "slices/%.*s", NAME - 1, name[i]);
    char *data = triad_watch_load(dir, file, PICTURE, &bytes);
    if (data) put_picture(j, name[i], data, bytes);
    free(data);
  }
  triad_json_end(j);
  triad_json_end(j);
}

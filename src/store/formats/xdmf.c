/* Write fields.xmf from the files of a folder. An index of their contents avoids opening all of them again. */
#include "store/fields/fieldfile.h"

#include "store/disk.h"
#include "base/guard.h"
#include "store/hdf5/h5read.h"
#include "store/checkpoint/inspect.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { INDEX_BYTES = 64 << 20 };

typedef struct entry {
  int64_t step, bytes; /* of the file, to see that it is still the same one */
  double t;
  int element;
  int64_t n[3]; /* x, y, z */
  double length[3], origin[3];
  int stretched;     /* its coordinates are the datasets x, y, z */
  const char *names; /* datasets, separated by blanks, then vectors of them, name=x,y,z; in a list, malloc'd */
} entry;

typedef struct list {
  entry *items;
  int64_t count, room;
} list;

void triad_xdmf_name(char name[TRIAD_FIELDS_NAME], int64_t step)
{
  (void)snprintf(name, TRIAD_FIELDS_NAME, "fields-%08lld.h5", (long long)step);
}

/* Append a copy, names included. */
static int add(list *l, const entry *e)
{
  if (l->count == l->room) {
    int64_t room = l->room ? 2 * l->room : 32;
    entry *items = realloc(l->items, (size_t)room * sizeof *items);
    if (!items) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "a list of %lld field files", (long long)room);
    l->items = items;
    l->room = room;
  }
  const char *names = strdup(e->names);
  if (!names) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the names of a field file's datasets");
  l->items[l->count] = *e;
  l->items[l->count++].names = names;
  return TRIAD_OK;
}

static void free_list(list *l)
{
  for (int64_t i = 0; i < l->count; i++) free((char *)l->items[i].names);
  free(l->items);
}

static int by_step(const void *a, const void *b)
{
  int64_t x = ((const entry *)a)->step, y = ((const entry *)b)->step;
  return (x > y) - (x < y);
}

/* A line of the index: step bytes t element nx ny nz Lx Ly Lz x0 y0 z0 names..; this order is fixed. A star before
 * them, which no name contains, marks stretched axes. */
#define STRETCHED "* "

static int parse_line(const char *line, entry *e)
{
  long long v[6];
  int at = 0;
  *e = (entry){0};
  if (sscanf(line, "%lld %lld %lf %lld %lld %lld %lld %lf %lf %lf %lf %lf %lf %n", &v[0], &v[1], &e->t, &v[2], &v[3],
             &v[4], &v[5], &e->length[0], &e->length[1], &e->length[2], &e->origin[0], &e->origin[1], &e->origin[2],
             &at) < 13 ||
      at == 0)
    return 0;
  e->step = v[0];
  e->bytes = v[1];
  e->element = (int)v[2];
  for (int i = 0; i < 3; i++) e->n[i] = v[3 + i];
  e->stretched = strncmp(line + at, STRETCHED, strlen(STRETCHED)) == 0;
  if (e->stretched) at += (int)strlen(STRETCHED);
  e->names = line + at;
  return line[at] != '\0';
}

/* A missing or damaged index costs only time. */
static int load_index(const char *folder, list *l)
{
  char path[TRIAD_PATH], *text = NULL, *rest, *line;
  int64_t bytes;
  TRIAD_TRY(triad_disk_path(path, "%s/index.txt", folder));
  if (triad_disk_load(path, INDEX_BYTES, &text, &bytes) != TRIAD_OK) {
    triad_message_clear();
    return TRIAD_OK;
  }
  int st = TRIAD_OK;
  for (line = strtok_r(text, "\n", &rest); line && st == TRIAD_OK; line = strtok_r(NULL, "\n", &rest)) {
    entry e;
    if (line[0] != '#' && parse_line(line, &e)) st = add(l, &e);
  }
  free(text);
  if (l->count > 1) qsort(l->items, (size_t)l->count, sizeof *l->items, by_step);
  return st;
}

/* What a file holds, as the process that reads it hands it over. */
typedef struct scan {
  const char *path;
  entry e;
  size_t used;
  char names[16 << 10];
} scan;

typedef struct scan_job {
  triad_h5 *file;
  scan *found;
} scan_job;

static int scan_dataset(void *who, const char *name)
{
  const scan_job *job = who;
  scan *s = job->found;
  int n_dims, element;
  int64_t dims[TRIAD_H5_DIMS];
  if (triad_h5_dims(job->file, name, &n_dims, dims, &element) != TRIAD_OK) {
    triad_message_clear();
    return 0;
  }
  if (n_dims != 3 || !triad_notes_good_name(name) || s->used + strlen(name) + 2 > sizeof s->names) return 0;
  if (s->used > 0 && (dims[0] != s->e.n[2] || dims[1] != s->e.n[1] || dims[2] != s->e.n[0] || element != s->e.element))
    return 0;
  for (int i = 0; i < 3; i++) s->e.n[i] = dims[2 - i];
  s->e.element = element;
  s->used += (size_t)snprintf(s->names + s->used, sizeof s->names - s->used, "%s%s", s->used ? " " : "", name);
  return 0;
}

/* The vectors that the file names, behind its datasets; what is not of these is left out. */
static void scan_vectors(triad_h5 *file, scan *s)
{
  char text[1024], part[4][64], *rest, wanted[68], have[sizeof s->names + 2];
  if (!triad_h5_attribute_text(file, "/", "vectors", text, sizeof text)) triad_message_clear(), text[0] = '\0';
  (void)snprintf(have, sizeof have, " %s ", s->names);
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    int good = sscanf(word, "%63[^=]=%63[^,],%63[^,],%63[^,]", part[0], part[1], part[2], part[3]) == 4 &&
               triad_notes_good_name(part[0]);
    for (int i = 1; i < 4 && good; i++) {
      (void)snprintf(wanted, sizeof wanted, " %s ", part[i]);
      good = strstr(have, wanted) != NULL;
    }
    if (good && s->used + strlen(word) + 2 <= sizeof s->names)
      s->used += (size_t)snprintf(s->names + s->used, sizeof s->names - s->used, " %s", word);
  }
}

static int scan_inside(void *self, triad_guard *guard)
{
  scan *s = self;
  scan_job job = {NULL, s};
  TRIAD_TRY(triad_h5_open(&job.file, s->path));
  int st = triad_h5_root_reals(job.file, "t", 1, &s->e.t);
  if (st == TRIAD_OK) st = triad_h5_root_reals(job.file, "length", 3, s->e.length);
  if (st == TRIAD_OK &&
      triad_h5_root_reals(job.file, "origin", 3, s->e.origin) != TRIAD_OK) { /* of older versions: zero */
    for (int i = 0; i < 3; i++) s->e.origin[i] = 0;
    triad_message_clear();
  }
  double stretched = 0;
  if (st == TRIAD_OK && triad_h5_root_reals(job.file, "stretched", 1, &stretched) != TRIAD_OK) triad_message_clear();
  s->e.stretched = stretched > 0;
  if (st == TRIAD_OK) st = triad_h5_each(job.file, scan_dataset, &job);
  if (st == TRIAD_OK && s->used > 0) scan_vectors(job.file, s);
  if (st == TRIAD_OK && s->used == 0) st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: no fields", s->path);
  if (st == TRIAD_OK) st = triad_guard_give(guard, s, sizeof *s);
  return triad_h5_close(&job.file, st);
}

/* Any file of that name may lie there, and a run must not end by it: one that cannot be read is left out. */
static int scan_file(const char *path, const entry *e, list *found)
{
  scan *s = calloc(1, sizeof *s);
  if (!s) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: its contents", path);
  s->path = path;
  s->e = *e;
  int st = triad_guard_run(path, scan_inside, s, s, sizeof *s);
  s->e.names = s->names;
  if (st == TRIAD_OK) {
    st = add(found, &s->e);
  } else if (st != TRIAD_ERR_MEMORY) {
    triad_message_clear();
    st = TRIAD_OK;
  }
  free(s);
  return st;
}

static int take_file(const char *folder, const char *name, int64_t fresh, const list *known, list *found)
{
  char again[TRIAD_FIELDS_NAME], path[TRIAD_PATH];
  struct stat about;
  entry e = {0};
  if (strncmp(name, "fields-", 7) != 0) return TRIAD_OK;
  e.step = strtoll(name + 7, NULL, 10);
  triad_xdmf_name(again, e.step);
  if (e.step < 0 || strcmp(name, again) != 0) return TRIAD_OK;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", folder, name));
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return TRIAD_OK;
  e.bytes = (int64_t)about.st_size;
  const entry *old =
    known->count ? bsearch(&e, known->items, (size_t)known->count, sizeof *known->items, by_step) : NULL;
  if (old && old->bytes == e.bytes && e.step != fresh) return add(found, old);
  return scan_file(path, &e, found);
}

static int look_around(const char *folder, int64_t fresh, const list *known, list *found)
{
  DIR *d = opendir(folder);
  if (!d) return TRIAD_FAIL(TRIAD_ERR_IO, "%s: %s", folder, strerror(errno));
  int st = TRIAD_OK;
  for (struct dirent *e; st == TRIAD_OK && (e = readdir(d));) st = take_file(folder, e->d_name, fresh, known, found);
  (void)closedir(d);
  if (found->count > 1) qsort(found->items, (size_t)found->count, sizeof *found->items, by_step);
  return st;
}

static void put_index(FILE *out, const list *l)
{
  (void)fputs("# step bytes t real_bytes nx ny nz Lx Ly Lz x0 y0 z0 datasets: what fields-*.h5 hold, for fields.xmf\n",
              out);
  for (const entry *e = l->items; e < l->items + l->count; e++)
    (void)fprintf(out, "%lld %lld %.17g %d %lld %lld %lld %.17g %.17g %.17g %.17g %.17g %.17g %s%s\n",
                  (long long)e->step, (long long)e->bytes, e->t, e->element, (long long)e->n[0], (long long)e->n[1],
                  (long long)e->n[2], e->length[0], e->length[1], e->length[2], e->origin[0], e->origin[1],
                  e->origin[2], e->stretched ? STRETCHED : "", e->names);
}

static void put_uniform(FILE *out, const entry *e, const char *dims)
{
  (void)fprintf(out,
                "    <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%s\"/>\n"
                "    <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
                "     <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">%.17g %.17g "
                "%.17g</DataItem>\n"
                "     <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">",
                dims, e->origin[2], e->origin[1], e->origin[0]);
  for (int i = 2; i >= 0; i--) /* z, y, x, as the dimensions */
    (void)fprintf(out, "%.17g%s", e->length[i] / (double)e->n[i], i ? " " : "");
  (void)fputs("</DataItem>\n    </Geometry>\n", out);
}

static void put_rectilinear(FILE *out, const entry *e, const char *dims, const char *file)
{
  (void)fprintf(out,
                "    <Topology TopologyType=\"3DRectMesh\" Dimensions=\"%s\"/>\n"
                "    <Geometry GeometryType=\"VXVYVZ\">\n",
                dims);
  for (int i = 0; i < 3; i++) /* x, y, z: as VXVYVZ says */
    (void)fprintf(out,
                  "     <DataItem Dimensions=\"%lld\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">%s:/%c"
                  "</DataItem>\n",
                  (long long)e->n[i], file, "xyz"[i]);
  (void)fputs("    </Geometry>\n", out);
}

static void put_dataset(FILE *out, const entry *e, const char *dims, const char *file, int n, const char *name)
{
  (void)fprintf(out,
                "<DataItem Dimensions=\"%s\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">%s:/%.*s"
                "</DataItem>\n",
                dims, e->element, file, n, name);
}

/* name=x,y,z: the three as one vector, for arrows and streamlines. */
static void put_vector(FILE *out, const entry *e, const char *dims, const char *file, const char *word)
{
  int n = (int)strcspn(word, "=");
  (void)fprintf(out,
                "    <Attribute Name=\"%.*s\" AttributeType=\"Vector\" Center=\"Node\">\n"
                "     <DataItem ItemType=\"Function\" Function=\"JOIN($0, $1, $2)\" Dimensions=\"%s 3\">\n",
                n, word, dims);
  for (const char *part = word + n; *part == '=' || *part == ','; part += n) {
    n = (int)strcspn(++part, ", ");
    (void)fputs("      ", out);
    put_dataset(out, e, dims, file, n, part);
  }
  (void)fputs("     </DataItem>\n    </Attribute>\n", out);
}

static void put_scalar(FILE *out, const entry *e, const char *dims, const char *file, int n, const char *name)
{
  (void)fprintf(out, "    <Attribute Name=\"%.*s\" AttributeType=\"Scalar\" Center=\"Node\">\n     ", n, name);
  put_dataset(out, e, dims, file, n, name);
  (void)fputs("    </Attribute>\n", out);
}

static void put_grid(FILE *out, const entry *e)
{
  char file[TRIAD_FIELDS_NAME], dims[96];
  triad_xdmf_name(file, e->step);
  (void)snprintf(dims, sizeof dims, "%lld %lld %lld", (long long)e->n[2], (long long)e->n[1], (long long)e->n[0]);
  (void)fprintf(out, "   <Grid Name=\"step %lld\" GridType=\"Uniform\">\n    <Time Value=\"%.17g\"/>\n",
                (long long)e->step, e->t);
  if (e->stretched) put_rectilinear(out, e, dims, file);
  else put_uniform(out, e, dims);
  for (const char *name = e->names; *name; name += strspn(name, " ")) {
    int n = (int)strcspn(name, " ");
    if (memchr(name, '=', (size_t)n)) put_vector(out, e, dims, file, name);
    else put_scalar(out, e, dims, file, n, name);
    name += n;
  }
  (void)fputs("   </Grid>\n", out);
}

static void put_xdmf(FILE *out, const list *l)
{
  (void)fputs("<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
              "  <Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
              out);
  for (const entry *e = l->items; e < l->items + l->count; e++) put_grid(out, e);
  (void)fputs("  </Grid>\n </Domain>\n</Xdmf>\n", out);
}

static int replace(const char *folder, const char *name, void (*put)(FILE *, const list *), const list *l)
{
  char *text = NULL;
  size_t bytes = 0;
  FILE *out = open_memstream(&text, &bytes);
  if (!out) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of %s", name);
  put(out, l);
  int bad = ferror(out);
  bad = fclose(out) != 0 || bad;
  int st =
    bad ? TRIAD_FAIL(TRIAD_ERR_MEMORY, "the text of %s", name) : triad_disk_replace(folder, name, text, (int64_t)bytes);
  free(text);
  return st;
}

int triad_xdmf_update(const char *folder, int64_t fresh)
{
  list known = {0}, found = {0};
  int st = load_index(folder, &known);
  if (st == TRIAD_OK) st = look_around(folder, fresh, &known, &found);
  if (st == TRIAD_OK) st = replace(folder, "index.txt", put_index, &found);
  if (st == TRIAD_OK) st = replace(folder, "fields.xmf", put_xdmf, &found);
  free_list(&known);
  free_list(&found);
  return st;
}

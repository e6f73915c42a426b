/* Files other than checkpoints, and the parts that checkpoints are made of: manifests, HDF5 files of fields and
 * spectra, and what users bring.   ranks: 1 2 3 5   threads: 1   precision: both */
#include "folder.h"

#include "parallel/fibers.h"
#include "store/disk.h"
#include "store/fieldfile.h"
#include "store/h5read.h"
#include "store/manifest.h"
#include "store/moments.h"
#include "store/spectrafile.h"

#include <fcntl.h>
#include <ftw.h>
#include <hdf5.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>


TRIAD_TEST(small_files_are_replaced_and_loaded_whole)
{
  char dir[TRIAD_PATH], path[TRIAD_PATH], *text;
  int64_t bytes;
  int fd;
  folder_make(dir);
  TRIAD_CHECK(triad_disk_path(path, "%s/rank-%d", dir, triad_test_comm()->rank));
  TRIAD_CHECK(triad_disk_make_folder(path));
  TRIAD_CHECK(triad_disk_make_folder(path)); /* again is fine */
  char *mine = strdup(path);
  TRIAD_CHECK(triad_disk_replace(mine, "note", "one", 3));
  TRIAD_CHECK(triad_disk_replace(mine, "note", "another", 7));
  TRIAD_CHECK(triad_disk_path(path, "%s/note", mine));
  TRIAD_CHECK(triad_disk_load(path, 7, &text, &bytes));
  TRIAD_EQUAL(bytes == 7 && strcmp(text, "another") == 0, 1, "what was written last");
  free(text);
  TRIAD_FAILS(triad_disk_load(path, 6, &text, &bytes), TRIAD_ERR_CASE, "at most 6");
  TRIAD_FAILS(triad_disk_create(path, &fd), TRIAD_ERR_IO, "File exists");
  TRIAD_FAILS(triad_disk_open(mine, 0, &fd), TRIAD_ERR_IO, "not a regular file");
  TRIAD_FAILS(triad_disk_open("/dev/null", 0, &fd), TRIAD_ERR_IO, "not a regular file");
  char *missing = strdup(path);
  missing[strlen(missing) - 1] = 'x';
  TRIAD_FAILS(triad_disk_load(missing, 100, &text, &bytes), TRIAD_ERR_INPUT, "No such file");
  TRIAD_FAILS(triad_disk_make_folder(path), TRIAD_ERR_IO, "File exists");
  char *endless = malloc(5001);
  memset(endless, 'a', 5000);
  endless[5000] = '\0';
  TRIAD_FAILS(triad_disk_path(path, "/%s", endless), TRIAD_ERR_IO, "more than 4095");
  free(endless);
  free(missing);
  free(mine);
  folder_delete(dir);
}

enum { WRITERS = 3, LONG = (2 << 20) + 5 /* bytes: written aside */ };

/* What parallel/fibers.h runs several of: each writes in several turns, and the last one then meets a file that it may not write. */
typedef struct writers {
  const char *dir;
  char *bytes[WRITERS];
  int written;
} writers;

static int write_one(const writers *w, int number, const char *name)
{
  char path[TRIAD_PATH];
  int fd = -1;
  TRIAD_TRY(triad_disk_path(path, "%s/%s", w->dir, name));
  TRIAD_TRY(triad_disk_open(path, 0, &fd)); /* for reading */
  int st = triad_disk_write(fd, path, w->bytes[number], LONG, 0);
  (void)triad_disk_close(&fd, path);
  return st;
}

static int write_by_turns(void *self, int number)
{
  writers *w = self;
  char name[32];
  (void)snprintf(name, sizeof name, "file-%d", number);
  for (int i = 0; i < 3; i++) {
    w->bytes[number][0] = (char)i;
    TRIAD_TRY(triad_disk_replace(w->dir, name, w->bytes[number], LONG));
    w->written++;
  }
  return number == 2 ? write_one(w, number, name) : TRIAD_OK;
}

TRIAD_TEST(files_of_works_that_take_turns_are_whole_and_failures_their_own)
{
  char dir[TRIAD_PATH], path[TRIAD_PATH], *text;
  writers w = {.dir = dir};
  int64_t bytes;
  folder_make(dir);
  TRIAD_CHECK(triad_disk_path(path, "%s/rank-%d", dir, triad_test_comm()->rank));
  TRIAD_CHECK(triad_disk_make_folder(path));
  char *mine = strdup(path);
  w.dir = mine;
  for (int i = 0; i < WRITERS; i++) {
    w.bytes[i] = malloc(LONG);
    for (int64_t b = 0; b < LONG; b++) w.bytes[i][b] = (char)triad_test_bits((uint64_t)i, (uint64_t)b);
  }
  TRIAD_EQUAL(triad_fibers_run(WRITERS, write_by_turns, NULL, &w), TRIAD_ERR_IO, "the worst status");
  TRIAD_EQUAL(*triad_message(), '\0', "whose message it was has taken it along");
  TRIAD_EQUAL(w.written, 3 * WRITERS, "files written");
  for (int i = 0; i < WRITERS; i++) {
    TRIAD_CHECK(triad_disk_path(path, "%s/file-%d", mine, i));
    TRIAD_CHECK(triad_disk_load(path, LONG, &text, &bytes));
    TRIAD_HOLDS(bytes == LONG && memcmp(text, w.bytes[i], LONG) == 0, "file %d differs", i);
    free(text);
  }
  TRIAD_FAILS(write_one(&w, 2, "file-2"), TRIAD_ERR_IO, "writing 2097157 bytes at 0: Bad file descriptor");
  TRIAD_FAILS(triad_disk_sync(-1, "nowhere"), TRIAD_ERR_IO, "nowhere: fsync: Bad file descriptor");
  for (int i = 0; i < WRITERS; i++) free(w.bytes[i]);
  free(mine);
  folder_delete(dir);
}

TRIAD_TEST(block_checksums_add_up_from_any_parts)
{
  enum { COLUMNS = 50, LINE = 300, BLOCK = 7, BLOCKS = 8 };
  unsigned char *data = malloc(COLUMNS * LINE);
  for (int i = 0; i < COLUMNS * LINE; i++) data[i] = (unsigned char)triad_test_bits(3, (uint64_t)i);
  uint64_t whole[BLOCKS] = {0}, parts[BLOCKS] = {0}, other[BLOCKS] = {0};
  triad_lines_sum(0, COLUMNS, LINE, data, BLOCK, whole);
  for (int at = COLUMNS; at > 0;) { /* from behind, in odd pieces */
    int n = at > 11 ? 11 : at;
    at -= n;
    triad_lines_sum(at, n, LINE, data + at * LINE, BLOCK, parts);
  }
  TRIAD_EQUAL(memcmp(whole, parts, sizeof whole), 0, "sums of parts");
  /* two columns of one block changing places is seen, too */
  unsigned char line[LINE];
  memcpy(line, data + LINE, LINE);
  memcpy(data + LINE, data + 2 * LINE, LINE);
  memcpy(data + 2 * LINE, line, LINE);
  triad_lines_sum(0, COLUMNS, LINE, data, BLOCK, other);
  TRIAD_EQUAL(other[0] != whole[0], 1, "exchanged columns change the sum");
  TRIAD_EQUAL(memcmp(other + 1, whole + 1, sizeof whole - sizeof *whole), 0, "sums of the other blocks");
  for (int64_t columns = 1; columns < 3000; columns++) {
    int64_t block = triad_lines_per_block(columns);
    TRIAD_HOLDS(block >= 1 && (columns + block - 1) / block <= 256, "%lld columns", (long long)columns);
  }
  free(data);
}

static triad_manifest *some_manifest(void)
{
  const int64_t n[3] = {32, 30, 27};
  const double length[3] = {6.283185307179586, 0.1, 1e-3};
  triad_grid g;
  triad_manifest *m;
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_SPHERE));
  triad_layout *l;
  TRIAD_CHECK(triad_layout_create(&l, &g, 0, 1, 8));
  TRIAD_CHECK(triad_manifest_create(&m, &g, l->all_columns, l->nkz, 2));
  triad_layout_destroy(&l);
  m->step = 42;
  m->t = 1.0 / 3;
  m->dt = 1e-3;
  m->element = 8;
  m->writer = strdup("triad \"0.1\"");
  (void)strcpy(m->solver, "hd");
  (void)strcpy(m->fields[0].name, "u");
  (void)strcpy(m->fields[1].name, "v");
  m->fields[0].offset = 8192;
  m->fields[1].offset = 8192 + triad_manifest_field_bytes(m, 0) + 100;
  m->file_bytes = m->fields[1].offset + triad_manifest_field_bytes(m, 1) + 50;
  m->header = UINT64_MAX;
  for (int f = 0; f < 2; f++)
    for (int64_t b = 0; b < m->fields[f].n_blocks; b++) m->fields[f].sums[b] = triad_test_bits(4, (uint64_t)(b * 2 + f));
  TRIAD_CHECK(triad_notes_set_text(m->notes, "case", "n = [1, 2]\n# \"end 0\"\n"));
  TRIAD_CHECK(triad_notes_set_real(m->notes, "phase", -0.0));
  TRIAD_CHECK(triad_notes_set_integer(m->notes, "count", -7));
  return m;
}

TRIAD_TEST(a_manifest_reads_back_as_written)
{
  triad_manifest *m = some_manifest(), *back;
  char *text, *again;
  int64_t bytes, more;
  TRIAD_CHECK(triad_manifest_format(m, &text, &bytes));
  TRIAD_CHECK(triad_manifest_parse(&back, "m", text, bytes));
  TRIAD_CHECK(triad_manifest_format(back, &again, &more));
  TRIAD_EQUAL(bytes == more && memcmp(text, again, (size_t)bytes) == 0, 1, "text of what was read");
  TRIAD_EQUAL(memcmp(&m->t, &back->t, sizeof m->t), 0, "bits of t");
  TRIAD_EQUAL(memcmp(m->grid.length, back->grid.length, sizeof m->grid.length), 0, "bits of lengths");
  TRIAD_EQUAL(memcmp(m->fields[1].sums, back->fields[1].sums, (size_t)m->fields[1].n_blocks * sizeof(uint64_t)), 0, "checksums");
  free(text);
  free(again);
  triad_manifest_destroy(&m);
  triad_manifest_destroy(&back);
}

/* Put the checksum of the last line right, as a forger would. */
static void reseal(char *text, int64_t bytes)
{
  char end[24];
  if (bytes <= 21) return;
  (void)snprintf(end, sizeof end, "end %016llx\n", (unsigned long long)XXH3_64bits(text, (size_t)(bytes - 21)));
  memcpy(text + bytes - 21, end, 21);
}

TRIAD_TEST(no_bytes_at_all_make_a_manifest_crash)
{
  triad_manifest *m = some_manifest(), *back;
  char *text;
  int64_t bytes, accepted = 0;
  TRIAD_CHECK(triad_manifest_format(m, &text, &bytes));
  char *copy = malloc((size_t)bytes + 64);
  for (uint64_t i = 0; i < 4000; i++) {
    int64_t size = bytes;
    memcpy(copy, text, (size_t)bytes + 1);
    switch (triad_test_below(5, i, 4)) {
    case 0: /* change a byte */
      copy[triad_test_below(6, i, bytes)] = (char)triad_test_bits(7, i);
      break;
    case 1: /* end sooner */
      size = triad_test_below(6, i, bytes + 1);
      break;
    case 2: { /* leave a piece out */
      int64_t at = triad_test_below(6, i, bytes), n = triad_test_below(7, i, 200);
      if (n > bytes - at) n = bytes - at;
      memmove(copy + at, copy + at + n, (size_t)(bytes - at - n));
      size = bytes - n;
      break;
    }
    default: { /* a digit becomes many */
      int64_t at = triad_test_below(6, i, bytes / 4);
      memmove(copy + at + 20, copy + at, (size_t)(bytes - at));
      memset(copy + at, '9', 20);
      size = bytes + 20;
      break;
    }
    }
    copy[size] = '\0';
    if (i % 8) reseal(copy, size);
    int st = triad_manifest_parse(&back, "m", copy, size);
    TRIAD_HOLDS(st == TRIAD_OK || st == TRIAD_ERR_CASE, "mutation %llu: status %d", (unsigned long long)i, st);
    if (st == TRIAD_OK) {
      accepted++;
      TRIAD_HOLDS(back->columns * back->nkz > 0 && back->n_fields > 0 &&
                      back->fields[0].offset + triad_manifest_field_bytes(back, 0) <= back->file_bytes,
                  "mutation %llu is believed", (unsigned long long)i);
    }
    triad_message_clear();
    triad_manifest_destroy(&back);
  }
  TRIAD_HOLDS(accepted < 3000, "%lld of 4000 accepted", (long long)accepted); /* values that may be any pass */
  free(copy);
  free(text);
  triad_manifest_destroy(&m);
}

TRIAD_TEST(names_of_values_are_checked)
{
  triad_notes *notes;
  double value = 3;
  TRIAD_CHECK(triad_notes_create(&notes));
  TRIAD_FAILS(triad_notes_set_real(notes, "two words", 1), TRIAD_ERR_INTERNAL, "two words");
  TRIAD_FAILS(triad_notes_set_real(notes, "", 1), TRIAD_ERR_INTERNAL, "");
  TRIAD_FAILS(triad_notes_real(notes, "none", &value), TRIAD_ERR_CASE, "none");
  TRIAD_CHECK(triad_notes_set_real(notes, "a", 1));
  TRIAD_CHECK(triad_notes_set_text(notes, "a", "text"));
  TRIAD_FAILS(triad_notes_real(notes, "a", &value), TRIAD_ERR_CASE, "text");
  TRIAD_EQUAL(notes->count, 1, "a value set twice");
  TRIAD_NEAR(value, 3, 0, "a value that was not there");
  triad_notes_destroy(&notes);
}

/* ---- fields ---- */

static double point_value(int field, int64_t x, int64_t y, int64_t z)
{
  return triad_test_random((uint64_t)(30 + field), (uint64_t)((z * 1000 + y) * 1000 + x));
}

static triad_layout *some_layout(const int64_t n[3])
{
  const double length[3] = {2, 3, 5};
  triad_grid g;
  triad_layout *l;
  TRIAD_CHECK(triad_grid_init(&g, n, length, TRIAD_SPHERE));
  TRIAD_CHECK(triad_layout_create(&l, &g, triad_test_comm()->rank, triad_test_comm()->size, 8));
  return l;
}

static triad_real *some_planes(const triad_layout *l, int field)
{
  const int64_t *n = l->grid.n;
  triad_real *u = calloc((size_t)(l->n_planes * n[0] * n[1]) + 1, sizeof *u);
  for (int64_t z = 0; z < l->n_planes; z++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t x = 0; x < n[0]; x++)
        u[(z * n[1] + y) * n[0] + x] = (triad_real)point_value(field, x, y, z + l->plane_begin[l->rank]);
  return u;
}

static const triad_field_info velocities[] = {{"u", "velocity along x", "velocity", TRIAD_SCALAR},
                                          {"v", "along y", "velocity", TRIAD_SCALAR}};

static triad_space space_of(const triad_layout *l)
{
  triad_space space;
  triad_space_planes(&space, l);
  return space;
}

static double time_per_step = 0.5;

static int write_fields(const triad_layout *l, const char *dir, int64_t step, int single, int status)
{
  triad_fieldfile_info info = {
      .step = step, .t = time_per_step * (double)step, .single = single, .n_fields = 2, .fields = velocities};
  triad_real *u[2] = {some_planes(l, 0), some_planes(l, 1)};
  triad_fieldfile *file;
  const triad_space space = space_of(l);
  int st = triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info);
  if (st == TRIAD_OK) {
    int64_t plane = l->grid.n[0] * l->grid.n[1];
    for (int64_t z = l->n_planes; z-- > 0;) { /* plane by plane, backwards: as chunks come */
      (void)triad_fieldfile_put(file, 1, z, 1, u[1] + z * plane);
      (void)triad_fieldfile_put(file, 0, z, 1, u[0] + z * plane);
    }
    st = triad_fieldfile_finish(&file, status);
  }
  free(u[0]);
  free(u[1]);
  return st;
}

TRIAD_TEST(fields_come_back_from_any_planes)
{
  static const int64_t shapes[][3] = {{12, 10, 7}, {5, 1, 9}, {8, 6, 2}, {1, 1, 1}};
  for (int s = 0; s < 4; s++)
    for (int single = 0; single < 2; single++) {
      const int64_t *n = shapes[s];
      char dir[TRIAD_PATH], path[TRIAD_PATH];
      int64_t dims[3], wrong = 0;
      folder_make(dir);
      triad_layout *l = some_layout(n);
      TRIAD_CHECK(write_fields(l, dir, 3, single, TRIAD_OK));
      TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000003.h5", dir));
      TRIAD_CHECK(triad_fieldfile_dims(triad_test_comm(), path, "v", dims));
      TRIAD_EQUAL(dims[0] == n[2] && dims[1] == n[1] && dims[2] == n[0], 1, "dimensions z, y, x");
      int64_t z0 = n[2] / 3, z1 = n[2];
      triad_real *v = calloc((size_t)(n[0] * n[1] * n[2]), sizeof *v);
      TRIAD_CHECK(triad_fieldfile_read(path, "v", z0, z1, v));
      for (int64_t i = 0; i < (z1 - z0) * n[1] * n[0]; i++) {
        triad_real want = (triad_real)point_value(1, i % n[0], i / n[0] % n[1], z0 + i / (n[0] * n[1]));
        if (single) want = (triad_real)(float)want;
        wrong += memcmp(&want, &v[i], sizeof want) != 0;
      }
      TRIAD_EQUAL(wrong, 0, "values that changed");
      TRIAD_FAILS(triad_fieldfile_read(path, "v", 0, n[2] + 1, v), TRIAD_ERR_CASE, "dimension 0");
      free(v);
      triad_layout_destroy(&l);
      folder_delete(dir);
    }
}

/* By planes, as many calls on every rank as the one with most planes needs, and at one go. */
static int write_gathered(const triad_layout *l, const char *dir, int single, int by_plane)
{
  triad_fieldfile_info info = {.step = 3, .t = 1.5, .single = single, .n_fields = 2, .fields = velocities, .gather = 1};
  triad_real *u[2] = {some_planes(l, 0), some_planes(l, 1)};
  triad_fieldfile *file;
  const triad_space space = space_of(l);
  int st = triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info);
  if (st == TRIAD_OK && !by_plane) {
    for (int f = 0; f < 2; f++) (void)triad_fieldfile_put(file, f, 0, l->n_planes, u[f]);
    st = triad_fieldfile_finish(&file, TRIAD_OK);
  } else if (st == TRIAD_OK) {
    int64_t plane = l->grid.n[0] * l->grid.n[1], most = (l->grid.n[2] + l->size - 1) / l->size;
    for (int64_t z = 0; z < most; z++)
      for (int f = 0; f < 2; f++) (void)triad_fieldfile_put(file, f, z < l->n_planes ? z : 0, z < l->n_planes, u[f] + z * plane);
    st = triad_fieldfile_finish(&file, TRIAD_OK);
  }
  free(u[0]);
  free(u[1]);
  return st;
}

TRIAD_TEST(rank_0_writing_fields_for_all_makes_the_same_bytes)
{
  static const int64_t shapes[][3] = {{12, 10, 7}, {5, 1, 9}, {1, 1, 1}, {700, 600, 8}};
  for (int s = 0; s < 4; s++)
    for (int single = 0; single < 2; single++) {
      char dir[TRIAD_PATH], path[TRIAD_PATH], *text[3];
      int64_t bytes[3];
      folder_make(dir);
      triad_layout *l = some_layout(shapes[s]);
      TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000003.h5", dir));
      for (int way = 0; way < 3; way++) {
        TRIAD_CHECK(way == 0 ? write_fields(l, dir, 3, single, TRIAD_OK) : write_gathered(l, dir, single, way - 1));
        TRIAD_CHECK(triad_disk_load(path, INT64_MAX, &text[way], &bytes[way]));
        (void)MPI_Barrier(triad_test_comm()->mpi);
        TRIAD_HOLDS(bytes[way] == bytes[0] && memcmp(text[way], text[0], (size_t)bytes[0]) == 0,
                    "shape %d, way %d: other bytes", s, way);
      }
      for (int way = 0; way < 3; way++) free(text[way]);
      triad_layout_destroy(&l);
      folder_delete(dir);
    }
}

static int count_in_xmf(const char *dir, const char *word)
{
  char path[TRIAD_PATH], *text;
  int64_t bytes;
  int n = 0;
  (void)MPI_Barrier(triad_test_comm()->mpi);
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields.xmf", dir));
  TRIAD_CHECK(triad_disk_load(path, 1 << 20, &text, &bytes));
  for (const char *p = text; (p = strstr(p, word)); p++) n++;
  free(text);
  (void)MPI_Barrier(triad_test_comm()->mpi);
  return n;
}

TRIAD_TEST(the_series_names_what_stands_in_the_folder)
{
  const int64_t n[3] = {12, 10, 7};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  folder_make(dir);
  triad_layout *l = some_layout(n);
  int root = triad_test_comm()->rank == 0;
  TRIAD_CHECK(write_fields(l, dir, 10, 0, TRIAD_OK));
  TRIAD_CHECK(write_fields(l, dir, 2, 1, TRIAD_OK));
  time_per_step = 0.25;
  TRIAD_CHECK(write_fields(l, dir, 10, 0, TRIAD_OK)); /* once more: replaced, though as large as before */
  time_per_step = 0.5;
  TRIAD_EQUAL(count_in_xmf(dir, "<Time Value=\"2.5\"/>"), 1, "the later time of step 10");
  TRIAD_EQUAL(count_in_xmf(dir, "<Time "), 2, "times");
  TRIAD_EQUAL(count_in_xmf(dir, ">fields-00000010.h5:/u<"), 1, "relative path of u");
  TRIAD_EQUAL(count_in_xmf(dir, "Precision=\"4\" Format=\"HDF\""), 2, "fields in single precision");
  TRIAD_EQUAL(count_in_xmf(dir, "Dimensions=\"7 10 12\""), 2 + 4, "dimensions z y x");
  /* the index is lost, one file is no HDF5 file, one is gone */
  if (root) {
    TRIAD_CHECK(triad_disk_path(path, "%s/fields/index.txt", dir));
    assert_int_equal(unlink(path), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/fields", dir));
    char *folder = strdup(path);
    TRIAD_CHECK(triad_disk_replace(folder, "fields-00000005.h5", "rubbish", 7));
    free(folder);
  }
  TRIAD_CHECK(write_fields(l, dir, 11, 0, TRIAD_OK));
  TRIAD_EQUAL(count_in_xmf(dir, "<Time "), 3, "times after the index was lost");
  if (root) {
    TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000002.h5", dir));
    assert_int_equal(unlink(path), 0);
    TRIAD_CHECK(triad_disk_path(path, "%s/fields", dir));
    char *folder = strdup(path);
    static const char rubbish[] = "1 2 3\n\n4 nonsense\n9 9 9 9 9 9 9 9 9 9\n";
    TRIAD_CHECK(triad_disk_replace(folder, "index.txt", rubbish, sizeof rubbish - 1));
    free(folder);
  }
  TRIAD_CHECK(write_fields(l, dir, 12, 0, TRIAD_OK));
  TRIAD_EQUAL(count_in_xmf(dir, "<Time "), 3, "times after a file is gone and the index is rubbish");
  triad_layout_destroy(&l);
  folder_delete(dir);
}

TRIAD_TEST(a_field_file_that_fails_on_one_rank_leaves_the_old_one)
{
  const int64_t n[3] = {12, 10, 7};
  const triad_comm *comm = triad_test_comm();
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  int64_t dims[3];
  folder_make(dir);
  triad_layout *l = some_layout(n);
  TRIAD_CHECK(write_fields(l, dir, 1, 0, TRIAD_OK));
  hush();
  int mine = comm->rank == comm->size - 1 ? TRIAD_FAIL(TRIAD_ERR_IO, "as the test wants it") : TRIAD_OK;
  int st = write_fields(l, dir, 1, 1, mine), nowhere = write_fields(l, "/nowhere/at/all", 1, 0, TRIAD_OK);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_IO, "status on this rank");
  TRIAD_EQUAL(nowhere, TRIAD_ERR_IO, "a folder that is not there");
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/.tmp-fields-00000001.h5", dir));
  TRIAD_EQUAL(access(path, F_OK) == 0, 0, "the temporary file is left");
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000001.h5", dir));
  TRIAD_CHECK(triad_fieldfile_dims(comm, path, "u", dims));
  triad_layout_destroy(&l);
  folder_delete(dir);
}

/* y is stretched: its coordinates are in the file, and fields.xmf refers to them, also when it comes from the index. */
TRIAD_TEST(stretched_axes_are_a_rectilinear_grid)
{
  static const double at[3] = {0.1, 0.3, 0.8}, edge[4] = {0, 0.2, 0.5, 1.1};
  const int64_t n[3] = {4, 3, 9};
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  triad_fieldfile *file;
  folder_make(dir);
  triad_layout *l = some_layout(n);
  triad_space space = space_of(l);
  space.axis[1].at = at;
  space.axis[1].edge = edge;
  double volume = 0;
  for (int64_t i = 0; i < space.all; i++) volume += space.kind->volume(&space, i);
  TRIAD_NEAR(volume, space.axis[0].length * 1.1 * space.axis[2].length, 1e-14, "volumes of all cells");
  double *u = calloc((size_t)(l->n_planes * n[0] * n[1]) + 1, sizeof *u);
  for (int64_t step = 1; step <= 2; step++) { /* the second one finds the first in the index */
    triad_fieldfile_info info = {.step = step, .t = 1, .n_fields = 1, .fields = velocities};
    TRIAD_CHECK(triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info));
    (void)triad_fieldfile_put(file, 0, 0, l->n_planes, (const triad_real *)(const void *)u);
    TRIAD_CHECK(triad_fieldfile_finish(&file, TRIAD_OK));
  }
  free(u);
  TRIAD_EQUAL(count_in_xmf(dir, "GeometryType=\"VXVYVZ\""), 2, "rectilinear grids");
  TRIAD_EQUAL(count_in_xmf(dir, "ORIGIN_DXDYDZ"), 0, "uniform grids");
  TRIAD_EQUAL(count_in_xmf(dir, "TopologyType=\"3DRectMesh\" Dimensions=\"9 3 4\""), 2, "dimensions z y x");
  TRIAD_EQUAL(count_in_xmf(dir, "<DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
                                "Format=\"HDF\">fields-00000001.h5:/y<"), 1, "coordinates of step 1 along y");
  TRIAD_EQUAL(count_in_xmf(dir, ">fields-00000001.h5:/u<"), 1, "the field of step 1");
  TRIAD_CHECK(triad_disk_path(path, "%s/fields/fields-00000001.h5", dir));
  triad_h5 *h5;
  double y[3];
  int64_t first = 0, count = 3;
  TRIAD_CHECK(triad_h5_open(&h5, path));
  TRIAD_CHECK(triad_h5_read(h5, "y", &first, &count, 8, y));
  TRIAD_CHECK(triad_h5_close(&h5, TRIAD_OK));
  TRIAD_EQUAL(memcmp(y, at, sizeof at), 0, "coordinates along y");
  triad_layout_destroy(&l);
  folder_delete(dir);
}

/* Of rank 0 alone: a list of two lines and rubbish; none; one that is a folder. */
TRIAD_TEST(only_a_list_that_is_missing_is_empty)
{
  static const char lines[] = "# step t\n0 0\n5 0.25\n9 1.5\n";
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  triad_moment *list;
  int64_t n;
  folder_make(dir);
  if (triad_test_comm()->rank == 0) {
    TRIAD_CHECK(triad_moments_read(dir, "times.txt", 9, 2, &list, &n));
    TRIAD_EQUAL(n, 1, "times of no list");
    TRIAD_EQUAL(list[0].step, 9, "the one that is now");
    free(list);
    TRIAD_CHECK(triad_disk_replace(dir, "times.txt", lines, sizeof lines - 1));
    TRIAD_CHECK(triad_moments_read(dir, "times.txt", 9, 2, &list, &n));
    TRIAD_EQUAL(n, 3, "times before step 9, and it");
    TRIAD_NEAR(list[1].t, 0.25, 1e-15, "of step 5");
    TRIAD_NEAR(list[2].t, 2, 1e-15, "of step 9, anew");
    free(list);
    TRIAD_CHECK(triad_disk_path(path, "%s/folder", dir));
    TRIAD_CHECK(triad_disk_make_folder(path));
    hush();
    int st = triad_moments_read(dir, "folder", 9, 2, &list, &n);
    speak();
    TRIAD_EQUAL(st != TRIAD_OK, 1, "a folder is no list, nor is it missing");
  }
  folder_delete(dir);
}

TRIAD_TEST(planes_that_were_not_put_are_missed)
{
  const int64_t n[3] = {4, 4, 10};
  char dir[TRIAD_PATH];
  triad_fieldfile *file;
  triad_fieldfile_info info = {.step = 1, .t = 1, .n_fields = 2, .fields = velocities};
  folder_make(dir);
  triad_layout *l = some_layout(n);
  const triad_space space = space_of(l);
  TRIAD_CHECK(triad_fieldfile_create(&file, triad_test_context(), &space, dir, &info));
  hush();
  int st = triad_fieldfile_finish(&file, TRIAD_OK);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_INTERNAL, "finishing an empty file");
  triad_layout_destroy(&l);
  folder_delete(dir);
}

TRIAD_TEST(a_full_disk_fails_fields_and_spectra_on_all_ranks)
{
  const int64_t n[3] = {64, 64, 64};
  const triad_context *ctx = triad_test_context();
  char dir[TRIAD_PATH];
  int mounted = 0;
  folder_make(dir);
  if (ctx->comm.rank == 0) mounted = mount("none", dir, "tmpfs", 0, "size=64k,mode=700") == 0;
  (void)MPI_Bcast(&mounted, 1, MPI_INT, 0, ctx->comm.mpi);
  if (!mounted) {
    folder_delete(dir);
    TRIAD_SKIP("mounting a tmpfs is not allowed here");
  }
  triad_layout *l = some_layout(n);
  double *values = calloc(20000, sizeof *values);
  triad_spectrum large = {.name = "E", .units = "", .long_name = "", .n_dims = 1, .dims = {20000}, .values = values};
  hush();
  int fields = write_fields(l, dir, 1, 0, TRIAD_OK);
  int spectra = triad_spectrafile_write(ctx, dir, 1, 0.5, 1, &large, NULL);
  large.dims[0] = 100;
  int small = triad_spectrafile_write(ctx, dir, 1, 0.5, 1, &large, NULL);
  speak();
  TRIAD_EQUAL(fields, TRIAD_ERR_IO, "fields on a full disk");
  TRIAD_EQUAL(spectra, TRIAD_ERR_IO, "spectra on a full disk");
  TRIAD_EQUAL(small, TRIAD_OK, "what fits afterwards");
  free(values);
  triad_layout_destroy(&l);
  (void)MPI_Barrier(ctx->comm.mpi);
  if (ctx->comm.rank == 0) (void)umount2(dir, MNT_DETACH);
  folder_delete(dir);
}

/* ---- spectra ---- */

TRIAD_TEST(spectra_are_arrays_with_units_and_scales)
{
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  double k[5], e[5], flux[3][5];
  for (int i = 0; i < 5; i++) {
    k[i] = i;
    e[i] = 1.0 / (i + 1);
    for (int j = 0; j < 3; j++) flux[j][i] = i + 10 * j;
  }
  const triad_spectrum all[] = {
      {"k", "1/length", "wavenumber", 1, {5}, k, {"k"}, {0}},
      {"E", "velocity^2 length", "energy per shell", 1, {5}, e, {"k"}, {0}},
      {"flux", "velocity^3/length", "energy flux by component", 2, {3, 5}, &flux[0][0], {NULL, "k"}, {0}},
  };
  folder_make(dir);
  TRIAD_CHECK(triad_spectrafile_write(triad_test_context(), dir, 7, 0.25, 3, all, NULL));
  TRIAD_CHECK(triad_spectrafile_write(triad_test_context(), dir, 7, 0.25, 3, all, NULL)); /* replaces */
  TRIAD_CHECK(triad_disk_path(path, "%s/spectra/spectra-00000007.h5", dir));
  triad_h5 *file;
  double t = 0, back[15];
  int n_dims;
  int64_t dims[TRIAD_H5_DIMS];
  const int64_t first[2] = {0, 0}, count[2] = {3, 5};
  TRIAD_CHECK(triad_h5_open(&file, path));
  TRIAD_CHECK(triad_h5_root_reals(file, "t", 1, &t));
  TRIAD_NEAR(t, 0.25, 0, "time");
  TRIAD_CHECK(triad_h5_dims(file, "flux", &n_dims, dims, NULL));
  TRIAD_EQUAL(n_dims == 2 && dims[0] == 3 && dims[1] == 5, 1, "dimensions");
  TRIAD_CHECK(triad_h5_read(file, "flux", first, count, 8, back));
  TRIAD_EQUAL(memcmp(back, flux, sizeof back), 0, "values");
  TRIAD_CHECK(triad_h5_close(&file, TRIAD_OK));
  const triad_spectrum wrong = {"E", "", "", 1, {4}, e, {"k"}, {0}};
  hush();
  int st = triad_spectrafile_write(triad_test_context(), dir, 8, 0.25, 1, &wrong, NULL);
  speak();
  TRIAD_EQUAL(st, TRIAD_ERR_INTERNAL, "a scale that is not there");
  folder_delete(dir);
}

/* ---- what users bring ---- */

static void user_dataset(hid_t file, const char *name, hid_t type, int n_dims, int packed, const double *values)
{
  const hsize_t dims[3] = {6, 5, 4}, chunk[3] = {2, 3, 4};
  hid_t space = H5Screate_simple(n_dims, dims, NULL), property = H5Pcreate(H5P_DATASET_CREATE);
  if (packed) {
    (void)H5Pset_chunk(property, n_dims, chunk);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) (void)H5Pset_deflate(property, 6);
    (void)H5Pset_fletcher32(property);
  }
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, property, H5P_DEFAULT);
  if (values) assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  (void)H5Dclose(set);
  (void)H5Pclose(property);
  (void)H5Sclose(space);
}

static void user_file(const char *path, const double *values)
{
  double with_nan[120];
  memcpy(with_nan, values, sizeof with_nan);
  with_nan[2 * 20 + 3 * 4 + 1] = NAN;
  hid_t file = H5Fcreate(path, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hid_t text = H5Tcopy(H5T_C_S1);
  user_dataset(file, "plain", H5T_IEEE_F64LE, 3, 0, values);
  user_dataset(file, "packed", H5T_IEEE_F64LE, 3, 1, values);
  user_dataset(file, "turned", H5T_IEEE_F64BE, 3, 0, values);
  user_dataset(file, "short", H5T_IEEE_F32BE, 3, 1, values);
  user_dataset(file, "whole", H5T_STD_I16BE, 3, 0, values);
  user_dataset(file, "flat", H5T_IEEE_F64LE, 2, 0, NULL);
  user_dataset(file, "nan", H5T_IEEE_F64LE, 3, 0, with_nan);
  user_dataset(file, "text", text, 3, 0, NULL);
  (void)H5Tclose(text);
  (void)H5Fclose(file);
}

TRIAD_TEST(users_files_are_read_however_they_are_stored)
{
  static const char *const names[] = {"plain", "packed", "turned", "short", "whole"};
  const triad_comm *comm = triad_test_comm();
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  double values[120];
  triad_real got[60];
  int64_t dims[3];
  for (int i = 0; i < 120; i++) values[i] = 3 * i - 100;
  folder_make(dir);
  TRIAD_CHECK(triad_disk_path(path, "%s/ic.h5", dir));
  if (comm->rank == 0) user_file(path, values);
  (void)MPI_Barrier(comm->mpi);
  for (int f = 0; f < 5; f++) {
    int64_t wrong = 0;
    TRIAD_CHECK(triad_fieldfile_dims(comm, path, names[f], dims));
    TRIAD_EQUAL(dims[0] == 6 && dims[1] == 5 && dims[2] == 4, 1, names[f]);
    TRIAD_CHECK(triad_fieldfile_read(path, names[f], 2, 5, got));
    for (int i = 0; i < 60; i++) wrong += fabs((double)got[i] - values[40 + i]) > 0;
    TRIAD_EQUAL(wrong, 0, names[f]);
  }
  TRIAD_FAILS(triad_fieldfile_read(path, "nan", 1, 4, got), TRIAD_ERR_CASE, "(2, 3, 1)");
  TRIAD_FAILS(triad_fieldfile_read(path, "u", 0, 1, got), TRIAD_ERR_CASE, "there flat, nan, packed");
  TRIAD_FAILS(triad_fieldfile_read(path, "no/such/path", 0, 1, got), TRIAD_ERR_CASE, "no dataset");
  TRIAD_FAILS(triad_fieldfile_read(path, "text", 0, 1, got), TRIAD_ERR_CASE, "holds text");
  hush();
  int flat = triad_fieldfile_dims(comm, path, "flat", dims), missing = triad_fieldfile_dims(comm, path, "u", dims);
  int nowhere = triad_fieldfile_dims(comm, "/nowhere/at/all.h5", "u", dims);
  speak();
  TRIAD_EQUAL(flat, TRIAD_ERR_CASE, "a dataset of two dimensions");
  TRIAD_EQUAL(missing, TRIAD_ERR_CASE, "a dataset that is not there");
  TRIAD_EQUAL(nowhere, TRIAD_ERR_INPUT, "a file that is not there");
  folder_delete(dir);
}

TRIAD_TEST(damaged_hdf5_files_are_errors)
{
  const triad_comm *comm = triad_test_comm();
  char dir[TRIAD_PATH], path[TRIAD_PATH];
  double values[120] = {0};
  triad_real got[120];
  struct stat about;
  folder_make(dir);
  TRIAD_CHECK(triad_disk_path(path, "%s/rank-%d.h5", dir, comm->rank)); /* each rank its own */
  user_file(path, values);
  assert_int_equal(stat(path, &about), 0);
  assert_int_equal(truncate(path, about.st_size / 2), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_CASE, "damaged HDF5 file");
  assert_int_equal(truncate(path, 5), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_CASE, "not an HDF5 file");
  assert_int_equal(truncate(path, 0), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_CASE, "not an HDF5 file");
  assert_int_equal(unlink(path), 0);
  user_file(path, values);
  TRIAD_FAILS(triad_fieldfile_read(dir, "plain", 0, 6, got), TRIAD_ERR_IO, "not a regular file");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0600), 0);
  TRIAD_FAILS(triad_fieldfile_read(path, "plain", 0, 6, got), TRIAD_ERR_IO, "not a regular file");
  folder_delete(dir);
}

TRIAD_MAIN

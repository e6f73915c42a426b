/* What files and checkpoints are made of: files replaced whole, checksums of blocks, manifests, lists of times.
 *   ranks: 1 2 3 5   threads: 1   precision: both quick: 1 */
#include "folder.h"

#include "grid/layout.h"
#include "parallel/fibers.h"
#include "store/disk.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/manifest_parse.h"
#include "store/formats/moments.h"

#include <fcntl.h>
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
  TRIAD_FAILS(triad_disk_path(path, "/%s", endless), TRIAD_ERR_IO, "longer than 4095");
  free(endless);
  free(missing);
  free(mine);
  folder_delete(dir);
}

enum { WRITERS = 3, LONG = (2 << 20) + 5 /* bytes: written aside */ };

/* What parallel/fibers.h runs several of: each writes in several turns, and the last one then meets a file that it
 * may not write. */
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
    for (int64_t b = 0; b < m->fields[f].n_blocks; b++)
      m->fields[f].sums[b] = triad_test_bits(4, (uint64_t)(b * 2 + f));
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
  TRIAD_EQUAL(memcmp(m->fields[1].sums, back->fields[1].sums, (size_t)m->fields[1].n_blocks * sizeof(uint64_t)), 0,
              "checksums");
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
    case 0: /* change a byte */ copy[triad_test_below(6, i, bytes)] = (char)triad_test_bits(7, i); break;
    case 1: /* end sooner */ size = triad_test_below(6, i, bytes + 1); break;
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

TRIAD_MAIN

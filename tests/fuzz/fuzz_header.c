/* modes.h5 of any bytes beside a manifest that may be true of it: verified, or refused; never an access outside. The
 * first bytes choose the layout that the manifest claims. */
#include "fuzz.h"

#include "grid/layout.h"
#include "store/checkpoint/commit.h"
#include "store/checkpoint/inspect.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/modefile.h"

#include <fcntl.h>
#include <unistd.h>

static char folder[] = "/dev/shm/triad-fuzz-XXXXXX";

static void leave(void)
{
  char path[TRIAD_PATH];
  (void)snprintf(path, sizeof path, "%s/" TRIAD_MODES_FILE, folder);
  (void)unlink(path);
  (void)snprintf(path, sizeof path, "%s/" TRIAD_MANIFEST_FILE, folder);
  (void)unlink(path);
  (void)rmdir(folder);
}

static void put(const char *name, const void *data, size_t size)
{
  char path[TRIAD_PATH];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size && close(fd) == 0);
}

/* The checksums that the manifest should have: all, or all but what `wrong` spoils. */
static void fill_sums(triad_manifest *m, const uint8_t *data)
{
  char path[TRIAD_PATH];
  int fd = -1;
  (void)snprintf(path, sizeof path, "%s/" TRIAD_MODES_FILE, folder);
  MUST(triad_disk_open(path, 0, &fd) == TRIAD_OK);
  MUST(triad_modefile_header(fd, path, m, &m->header) == TRIAD_OK);
  MUST(triad_disk_close(&fd, path) == TRIAD_OK);
  for (int f = 0; f < m->n_fields; f++)
    triad_lines_sum(0, m->columns, triad_manifest_line_bytes(m, f), data + m->fields[f].offset, m->fields[f].block,
                    m->fields[f].sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static int made = 0;
  if (!made && (made = mkdtemp(folder) != NULL)) (void)atexit(leave);
  MUST(made);
  if (size < 8) return 0;
  const uint8_t *choice = data;
  data += 8;
  size -= 8;
  const int64_t n[3] = {1 + choice[0] % 16, 1 + choice[1] % 16, 1 + choice[2] % 16};
  const double length[3] = {1, 1, 1};
  triad_grid grid;
  triad_layout *l = NULL;
  triad_manifest *m = NULL, *about = NULL;
  MUST(triad_grid_init(&grid, n, length, TRIAD_SPHERE) == TRIAD_OK);
  MUST(triad_layout_create(&l, &grid, 0, 1, 4) == TRIAD_OK);
  MUST(triad_manifest_create(&m, &grid, l->all_columns, l->nkz, 1 + choice[3] % 3) == TRIAD_OK);
  triad_layout_destroy(&l);
  m->element = choice[4] & 1 ? 4 : 8;
  m->writer = strdup("fuzz");
  (void)strcpy(m->solver, "hd");
  m->file_bytes = (int64_t)size;
  int64_t field = triad_manifest_field_bytes(m, 0), at = 1 + choice[5];
  int fits = 1;
  for (int f = 0; f < m->n_fields; f++, at += field + choice[6] % 64) {
    (void)snprintf(m->fields[f].name, sizeof m->fields[f].name, "f%d", f);
    m->fields[f].offset = at;
    fits = fits && at + field <= (int64_t)size;
  }
  put(TRIAD_MODES_FILE, data, size);
  if (fits) fill_sums(m, data);
  int spoilt = choice[7] & 1;
  if (fits && spoilt) m->fields[0].sums[0] ^= 1;
  if (choice[7] & 2) m->file_bytes += choice[6]; /* a size that is not so */
  char *text = NULL;
  int64_t bytes = 0;
  MUST(triad_manifest_format(m, &text, &bytes) == TRIAD_OK);
  put(TRIAD_MANIFEST_FILE, text, (size_t)bytes);
  int st = triad_checkpoint_verify(folder, &about);
  MUST(st == TRIAD_OK || st == TRIAD_ERR_CASE);
  if (fits && !(choice[7] & 2)) MUST((st == TRIAD_OK) == !spoilt);
  free(text);
  triad_manifest_destroy(&m);
  triad_manifest_destroy(&about);
  triad_message_clear();
  return 0;
}

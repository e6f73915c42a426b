/* Store time averages in the extra file of a checkpoint, and read them back: numbers of samples and blocks, then the
 * sums. */
#include "run/means/means_state.h"
#include "run/means/means.h"

#include "store/disk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a checkpoint keeps, in this order; then sum[blocks + 1][values]. */
enum { KEPT = 9 };
static const char note_name[] = "means";

uint64_t triad_means_checksum(int64_t bytes, const void *data)
{
  uint64_t sum = 0;
  triad_lines_sum(0, 1, bytes, data, 1, &sum);
  return sum;
}

/* What the state that was kept says, behind its checksum. */
static int take_state(triad_means *m, const char *data, int64_t bytes, const char *path)
{
  int64_t head[KEPT];
  if (bytes < (int64_t)sizeof head) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: too short", path);
  memcpy(head, data, sizeof head);
  m->values = head[0];
  m->samples = head[2];
  m->length = head[3];
  m->blocks = head[4];
  m->partial = head[5];
  m->number = head[6];
  memcpy(&m->layout, &head[1], sizeof m->layout);
  memcpy(&m->begun, &head[7], sizeof m->begun);
  memcpy(&m->last, &head[8], sizeof m->last);
  const int64_t sums = bytes - (int64_t)sizeof head;
  if (m->values < 1 || m->blocks < 0 || m->blocks >= TRIAD_MEAN_BLOCKS || m->length < 1 ||
      m->values > sums / (int64_t)sizeof(double) || (m->blocks + 1) * m->values * (int64_t)sizeof(double) != sums)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: inconsistent sizes", path);
  m->sum = calloc((size_t)(m->values * (TRIAD_MEAN_BLOCKS + 1)), sizeof *m->sum);
  if (!m->sum) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means");
  memcpy(m->sum, data + sizeof head, (size_t)sums);
  return TRIAD_OK;
}

/* Read the means of a checkpoint on rank 0, and verify them with the checksum in its manifest. */
static int read_state(triad_means *m, const char *folder, const triad_manifest *about)
{
  const char *note = NULL;
  char path[TRIAD_PATH], found[64], *data = NULL;
  int64_t bytes = 0;
  if (!triad_notes_has(about->notes, note_name)) return TRIAD_OK;
  TRIAD_TRY(triad_notes_text(about->notes, note_name, &note));
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_BESIDE_FILE, folder));
  int st = triad_disk_load(path, (int64_t)1 << 40, &data, &bytes);
  if (st == TRIAD_OK) {
    (void)snprintf(found, sizeof found, "%" PRId64 " %016" PRIx64, bytes, triad_means_checksum(bytes, data));
    st = strcmp(found, note) == 0 ? take_state(m, data, bytes, path)
                                  : TRIAD_FAIL(TRIAD_ERR_CASE, "%s: damaged: its checksum does not match", path);
  }
  free(data);
  return st;
}

/* A checkpoint whose means are lost is still valid for everything else; explain this. */
static int explain(int st, const char *folder)
{
  char why[1024];
  if (st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT) return st;
  triad_message_reason(why, sizeof why);
  triad_message_clear();
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%.700s. Move %.200s away to resume from the checkpoint before it, or continue without means, "
                    "--set output.means=[]",
                    why, folder);
}

int triad_means_take(triad_means *m, const char *folder, const triad_manifest *about)
{
  return explain(read_state(m, folder, about), folder);
}

int triad_means_keep(const triad_means *m, triad_beside *beside, triad_notes *notes)
{
  char note[64];
  *beside = (triad_beside){0};
  if (!m || !m->sum || m->sim->context->comm.rank > 0) return TRIAD_OK;
  int64_t head[KEPT] = {m->values, 0, m->samples, m->length, m->blocks, m->partial, m->number};
  const int64_t sums = (m->blocks + 1) * m->values * (int64_t)sizeof(double);
  memcpy(&head[1], &m->layout, sizeof m->layout);
  memcpy(&head[7], &m->begun, sizeof m->begun);
  memcpy(&head[8], &m->last, sizeof m->last);
  char *data = malloc(sizeof head + (size_t)sums);
  if (!data) return TRIAD_FAIL(TRIAD_ERR_MEMORY, "running means of a checkpoint");
  memcpy(data, head, sizeof head);
  memcpy(data + sizeof head, m->sum, (size_t)sums);
  *beside = (triad_beside){data, (int64_t)sizeof head + sums};
  (void)snprintf(note, sizeof note, "%" PRId64 " %016" PRIx64, beside->bytes,
                 triad_means_checksum(beside->bytes, data));
  return triad_notes_set_text(notes, note_name, note);
}

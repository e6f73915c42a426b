/* Describe a checkpoint for `triad info`: its fields, notes and validity. */
#include "command/info/info_checkpoint.h"
#include "command/info/info.h"
#include "command/info/info_lines.h"

#include "store/checkpoint/commit.h"
#include "store/checkpoint/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* "a/step-00000010/" or a file in it -> "a/step-00000010" */
static int folder_of(const char *path, char folder[TRIAD_PATH])
{
  struct stat about;
  TRIAD_TRY(triad_disk_path(folder, "%s", path));
  size_t n = strlen(folder);
  while (n > 1 && folder[n - 1] == '/') folder[--n] = '\0';
  if (stat(folder, &about) != 0 || S_ISDIR(about.st_mode)) return TRIAD_OK;
  char *slash = strrchr(folder, '/');
  if (!slash) return triad_disk_path(folder, ".");
  slash[slash == folder] = '\0';
  return TRIAD_OK;
}

static void describe_fields(const triad_manifest *m)
{
  char names[1024] = "", size[32];
  size_t at = 0;
  for (int f = 0; f < m->n_fields && at < sizeof names; f++)
    at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", f ? ", " : "", m->fields[f].name);
  triad_info_line("  fields     %s: %s each, %" PRId64 " %s of %" PRId64 " %s", names,
                  triad_info_size(size, (double)triad_manifest_field_bytes(m, 0)), m->columns,
                  m->points ? "rows" : "columns", m->nkz, m->points ? "points" : "kz");
}

static void describe_notes(const triad_notes *notes)
{
  for (int i = 0; i < notes->count; i++) {
    const triad_note_item *item = &notes->items[i];
    if (item->kind == TRIAD_NOTE_REAL) triad_info_line("  note       %s = %.17g", item->name, item->real);
    if (item->kind == TRIAD_NOTE_INTEGER) triad_info_line("  note       %s = %" PRId64, item->name, item->integer);
    if (item->kind != TRIAD_NOTE_TEXT) continue;
    if (strlen(item->text) > 100 || strchr(item->text, '\n'))
      triad_info_line("  note       %s: a text of %zu bytes", item->name, strlen(item->text));
    else triad_info_line("  note       %s = \"%s\"", item->name, item->text);
  }
}

static void describe(const triad_manifest *m)
{
  const triad_grid *g = &m->grid;
  triad_info_line("  time       step %" PRId64 ", t = %.17g, dt = %.17g", m->step, m->t, m->dt);
  triad_info_line("  solver     %s, %s precision", m->solver, m->element == 4 ? "single" : "double");
  triad_info_line("  grid       %" PRId64 " x %" PRId64 " x %" PRId64 ", lengths %.17g %.17g %.17g%s%s", g->n[0],
                  g->n[1], g->n[2], g->length[0], g->length[1], g->length[2], m->points ? "" : ", truncation ",
                  m->points ? "" : triad_truncation_name[g->truncation]);
  describe_fields(m);
  triad_info_line("  writer     %s", m->writer);
  describe_notes(m->notes);
}

int triad_info_checkpoint(const char *path)
{
  char folder[TRIAD_PATH], why[1024], size[32];
  triad_manifest *about = NULL;
  TRIAD_TRY(folder_of(path, folder));
  int st = triad_checkpoint_verify(folder, &about);
  triad_info_line("%s: a checkpoint of a run", folder);
  if (about) describe(about);
  if (st == TRIAD_OK)
    triad_info_line("  valid      every byte verified: %s, %" PRId64 " checksums",
                    triad_info_size(size, (double)about->file_bytes),
                    triad_manifest_blocks(about, about->n_fields) + 2);
  triad_manifest_destroy(&about);
  if (st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT && st != TRIAD_ERR_IO) return st;
  triad_message_reason(why, sizeof why);
  (void)triad_info_wrong("%s", why);
  triad_info_line("  INVALID    no run will start from this checkpoint");
  return st == TRIAD_ERR_IO ? TRIAD_ERR_IO : TRIAD_ERR_CASE;
}

int triad_info_checkpoint_brief(const char *folder, int64_t *step, double *t, int *settled)
{
  const char *name = triad_path_name(folder);
  char why[1024], size[32];
  triad_manifest *m = NULL;
  int st = triad_checkpoint_verify(folder, &m);
  if (st == TRIAD_OK) {
    triad_info_line("    %s  valid    t = %.8g, %s", name, m->t, triad_info_size(size, (double)m->file_bytes));
    *step = m->step;
    *t = m->t;
    *settled = triad_notes_has(m->notes, "settled");
  }
  triad_manifest_destroy(&m);
  if (st != TRIAD_ERR_CASE && st != TRIAD_ERR_INPUT && st != TRIAD_ERR_IO) return st;
  triad_message_reason(why, sizeof why);
  triad_info_line("    %s  INVALID  %s", name, why);
  return st == TRIAD_ERR_IO ? TRIAD_ERR_IO : TRIAD_ERR_CASE;
}

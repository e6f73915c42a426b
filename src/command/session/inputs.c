/* Record the input files of a start by path and checksum, and copy small ones into the run directory. */
#include "command/session/inputs.h"

#include "base/json.h"
#include "store/checkpoint/commit.h"
#include "store/disk.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/manifest_parse.h"
#include "command/session/inputs_named.h"

#include <dirent.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { PIECE = 1 << 20 };

/* A larger file is not read a second time for a checksum; its modification time identifies it. */
static const int64_t MOST_SUMMED = (int64_t)16 << 30;

static const char key[] = "initial.file";

/* One file by two names? A case in its run's directory may name the copy that is kept there. */
static int is_same(const char *one, const char *other)
{
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Read every byte of a file: compute the checksum, and write a copy to `copy` unless NULL, which is complete or does
 * not exist. */
static int read_all(const char *path, const char *copy, int64_t bytes, uint64_t *sum)
{
  int in = -1, out = -1;
  char made[TRIAD_PATH] = "", *to = copy && !is_same(path, copy) ? made : NULL;
  if (to) TRIAD_TRY(triad_disk_path(made, "%s.new", copy));
  char *piece = malloc(PIECE);
  XXH3_state_t *state = XXH3_createState();
  int st = piece && state ? triad_disk_open(path, 0, &in) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "a copy of %s", path);
  if (st == TRIAD_OK) (void)XXH3_64bits_reset(state);
  if (st == TRIAD_OK && to) st = triad_disk_remove(to);
  if (st == TRIAD_OK && to) st = triad_disk_create(to, &out);
  for (int64_t at = 0; at < bytes && st == TRIAD_OK; at += PIECE) {
    int64_t n = bytes - at < PIECE ? bytes - at : PIECE;
    st = triad_disk_read(in, path, piece, n, at);
    if (st == TRIAD_OK) (void)XXH3_64bits_update(state, piece, (size_t)n);
    if (st == TRIAD_OK && to) st = triad_disk_write(out, to, piece, n, at);
  }
  if (st == TRIAD_OK && to) st = triad_disk_sync(out, to);
  int closed = triad_disk_close(&out, to ? to : path);
  if (st == TRIAD_OK) st = closed;
  (void)triad_disk_close(&in, path);
  if (st == TRIAD_OK && to) st = triad_disk_commit(to, copy);
  if (st == TRIAD_OK) *sum = XXH3_64bits_digest(state);
  (void)XXH3_freeState(state);
  free(piece);
  return st;
}

static void put_entry(triad_json *j, const char *path, int64_t bytes, const char *how, const char *sum,
                      const char *copy)
{
  triad_json_object(j, NULL, TRIAD_JSON_LINE);
  triad_json_text(j, "key", key);
  triad_json_text(j, "path", path);
  triad_json_integer(j, "bytes", bytes);
  triad_json_text(j, how, sum);
  triad_json_text(j, "copy", copy);
  triad_json_end(j);
}

static int keep_file(triad_json *j, const triad_inputs *in, const char *to, const struct stat *about)
{
  char sum[32];
  uint64_t hash = 0;
  int64_t bytes = (int64_t)about->st_size;
  if (!*in->copy && bytes > MOST_SUMMED) {
    (void)snprintf(sum, sizeof sum, "%lld", (long long)about->st_mtime);
    put_entry(j, in->path, bytes, "modified", sum, NULL);
    return TRIAD_OK;
  }
  TRIAD_TRY(read_all(in->path, *in->copy ? to : NULL, bytes, &hash));
  (void)snprintf(sum, sizeof sum, "%016llx", (unsigned long long)hash);
  put_entry(j, in->path, bytes, "xxh3", sum, *in->copy ? in->copy : NULL);
  return TRIAD_OK;
}

/* A checkpoint, whose manifest proves every other byte, so the checksum at the manifest's end is that of all. */
static int keep_checkpoint(triad_json *j, const triad_inputs *in, const char *to, const triad_manifest *about,
                           const char *text, int64_t bytes)
{
  char from[TRIAD_PATH], file[TRIAD_PATH], sum[17] = "";
  uint64_t hash;
  if (bytes > 17) (void)snprintf(sum, sizeof sum, "%.16s", text + bytes - 17);
  if (*in->copy) {
    TRIAD_TRY(triad_disk_make_folder(to));
    TRIAD_TRY(triad_disk_path(from, "%s/%s", in->path, triad_manifest_file(about)));
    TRIAD_TRY(triad_disk_path(file, "%s/%s", to, triad_manifest_file(about)));
    TRIAD_TRY(read_all(from, file, about->file_bytes, &hash));
    TRIAD_TRY(triad_disk_replace(to, TRIAD_MANIFEST_FILE, text, bytes));
  }
  put_entry(j, in->path, about->file_bytes, "manifest", sum, *in->copy ? in->copy : NULL);
  return TRIAD_OK;
}

static int load_manifest(const char *folder, triad_manifest **about, char **text, int64_t *bytes)
{
  char path[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_MANIFEST_FILE, folder));
  TRIAD_TRY(triad_disk_load(path, TRIAD_MANIFEST_BYTES, text, bytes));
  return triad_manifest_parse(about, path, *text, *bytes);
}

/* Copies that an earlier start of this directory has left: checkpoints, and what bears the name of what is read now. */
static void forget_others(const triad_inputs *in, const char *dir, int is_folder)
{
  char inputs[TRIAD_PATH], path[TRIAD_PATH];
  if (triad_disk_path(inputs, "%s/inputs", dir) != TRIAD_OK) return triad_message_clear();
  DIR *d = opendir(inputs);
  for (struct dirent *e; d && (e = readdir(d));) {
    int step = strncmp(e->d_name, "step-", 5) == 0, named = strcmp(e->d_name, strrchr(in->path, '/') + 1) == 0;
    if (*in->copy && strcmp(e->d_name, in->copy + strlen("inputs/")) == 0) continue;
    if (!(step && is_folder) && !named) continue;
    int st = triad_disk_path(path, "%s/%s", inputs, e->d_name);
    if (st == TRIAD_OK) st = is_folder ? triad_commit_delete_folder(path) : triad_disk_remove(path);
    if (st != TRIAD_OK) triad_message_clear(); /* it holds what is not ours */
  }
  if (d) (void)closedir(d);
}

static int copy_input(triad_inputs *in, triad_json *j, const char *dir, int64_t most, const struct stat *about)
{
  char to[TRIAD_PATH], inputs[TRIAD_PATH], *text = NULL;
  int is_folder = S_ISDIR(about->st_mode);
  int64_t text_bytes = 0, bytes = (int64_t)about->st_size;
  triad_manifest *manifest = NULL;
  int st = is_folder ? load_manifest(in->path, &manifest, &text, &text_bytes) : TRIAD_OK;
  if (st == TRIAD_OK && is_folder) bytes = manifest->file_bytes;
  if (st == TRIAD_OK) st = triad_inputs_place(dir, in->path, to);
  if (st == TRIAD_OK && (bytes <= most || in->was_copy)) {
    st = triad_disk_path(in->copy, "%s", to + strlen(dir) + 1);
    if (st == TRIAD_OK) st = triad_disk_path(inputs, "%s/inputs", dir);
    if (st == TRIAD_OK) st = triad_disk_make_folder(inputs);
  }
  if (st == TRIAD_OK) forget_others(in, dir, is_folder);
  if (st == TRIAD_OK)
    st = is_folder ? keep_checkpoint(j, in, to, manifest, text, text_bytes) : keep_file(j, in, to, about);
  triad_manifest_destroy(&manifest);
  free(text);
  return st;
}

int triad_inputs_keep(triad_inputs *in, const triad_session *s, const char *dir, char **json)
{
  size_t size = 0;
  struct stat about;
  triad_json j = {.out = open_memstream(json, &size)};
  int st = j.out ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  int64_t most = (int64_t)(1e6 * fmin(triad_case_real(s->given, "output.copy_inputs"), 1e12));
  if (j.out) triad_json_list(&j, NULL, TRIAD_JSON_LINE);
  /* the start has read it; what has gone since cannot be kept */
  if (st == TRIAD_OK && in->path && stat(in->path, &about) == 0) st = copy_input(in, &j, dir, most, &about);
  if (j.out) triad_json_end(&j);
  if (j.out && fclose(j.out) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  return st;
}

void triad_inputs_free(triad_inputs *in)
{
  free(in->path);
  memset(in, 0, sizeof *in);
}

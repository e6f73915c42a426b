#include "command/inputs.h"

#include "command/provenance.h"
#include "store/commit.h"
#include "store/disk.h"
#include "store/find.h"

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

/* A larger file than this is not read a second time, for a checksum: it is told by when it was changed. */
static const int64_t MOST_SUMMED = (int64_t)16 << 30;

static const char key[] = "initial.file";

/* The path that the start reads, malloc'd and absolute; NULL where it reads none. */
static char *input_of(const triad_session *s)
{
  const triad_case *c = s->given;
  if (!triad_case_applies(c, key) || !*triad_case_word(c, key)) return NULL;
  if (!triad_case_is(c, "initial.kind", "file") && !triad_case_is(c, "initial.kind", "checkpoint")) return NULL;
  char *path = triad_case_path(c, key), *whole = path ? realpath(path, NULL) : NULL;
  if (!whole) return path;
  free(path);
  return whole;
}

/* DIR/inputs/NAME of the last part of a path. */
static int copy_of(const char *dir, const char *path, char out[TRIAD_PATH])
{
  const char *slash = strrchr(path, '/');
  return triad_disk_path(out, "%s/inputs/%s", dir, slash ? slash + 1 : path);
}

/* One file by two names? A case in its run's directory may name the copy that is kept there. */
static int is_same(const char *one, const char *other)
{
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Every byte of a file: their checksum, and into `copy` unless NULL, which is whole or not there. */
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
  if (st == TRIAD_OK && to) st = triad_disk_rename(to, copy);
  if (st == TRIAD_OK) *sum = XXH3_64bits_digest(state);
  (void)XXH3_freeState(state);
  free(piece);
  return st;
}

static void put(FILE *f, const char *path, int64_t bytes, const char *how, const char *sum, const char *copy)
{
  (void)fprintf(f, "{\"key\": \"%s\", \"path\": ", key);
  triad_provenance_text(f, path);
  (void)fprintf(f, ", \"bytes\": %lld, \"%s\": \"%s\", \"copy\": ", (long long)bytes, how, sum);
  if (copy) triad_provenance_text(f, copy);
  else (void)fprintf(f, "null");
  (void)fputc('}', f);
}

static int make_inputs(const char *dir)
{
  char folder[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(folder, "%s/inputs", dir));
  return triad_disk_make_folder(folder);
}

static int keep_file(FILE *f, const char *dir, const char *path, const struct stat *about, int64_t most)
{
  char to[TRIAD_PATH], sum[32];
  uint64_t hash = 0;
  int64_t bytes = (int64_t)about->st_size;
  int copied = bytes <= most;
  TRIAD_TRY(copy_of(dir, path, to));
  if (!copied && bytes > MOST_SUMMED) {
    (void)snprintf(sum, sizeof sum, "%lld", (long long)about->st_mtime);
    put(f, path, bytes, "modified", sum, NULL);
    return TRIAD_OK;
  }
  if (copied) TRIAD_TRY(make_inputs(dir));
  TRIAD_TRY(read_all(path, copied ? to : NULL, bytes, &hash));
  (void)snprintf(sum, sizeof sum, "%016llx", (unsigned long long)hash);
  put(f, path, bytes, "xxh3", sum, copied ? to + strlen(dir) + 1 : NULL);
  return TRIAD_OK;
}

/* A checkpoint's manifest; that its bytes are good too is looked at where they are few. */
static int look_at(const char *folder, int64_t most, triad_manifest **about)
{
  char path[TRIAD_PATH], *text = NULL;
  int64_t bytes = 0;
  TRIAD_TRY(triad_disk_path(path, "%s/" TRIAD_MANIFEST_FILE, folder));
  TRIAD_TRY(triad_disk_load(path, TRIAD_MANIFEST_BYTES, &text, &bytes));
  int st = triad_manifest_parse(about, path, text, bytes);
  free(text);
  if (st != TRIAD_OK || (*about)->file_bytes > most) return st;
  triad_manifest_destroy(about);
  return triad_checkpoint_verify(folder, about);
}

/* Which checkpoint a folder means: itself, or of a run directory the newest valid one. *about: its manifest. */
static int find_checkpoint(const char *path, int64_t most, char folder[TRIAD_PATH], triad_manifest **about)
{
  char temporary[TRIAD_PATH];
  int64_t *steps = NULL;
  int count = 0, st = TRIAD_ERR_INPUT;
  *about = NULL;
  TRIAD_TRY(triad_commit_list(path, &steps, &count));
  if (count == 0) {
    TRIAD_TRY(triad_disk_path(folder, "%s", path));
    st = look_at(folder, most, about);
  }
  for (int i = 0; i < count && st != TRIAD_OK; i++) {
    triad_manifest_destroy(about);
    triad_message_clear();
    st = triad_commit_names(path, steps[i], temporary, folder);
    if (st == TRIAD_OK) st = look_at(folder, most, about);
  }
  free(steps);
  return st;
}

/* Its manifest proves every other byte, so the checksum at the manifest's end is that of all. */
static int keep_checkpoint(FILE *f, const char *dir, const char *path, int64_t most)
{
  char folder[TRIAD_PATH], from[TRIAD_PATH], to[TRIAD_PATH], file[TRIAD_PATH], *text = NULL, sum[17] = "";
  triad_manifest *about = NULL;
  int64_t bytes = 0;
  uint64_t hash;
  TRIAD_TRY(find_checkpoint(path, most, folder, &about));
  int copied = about->file_bytes <= most;
  int st = triad_disk_path(from, "%s/" TRIAD_MANIFEST_FILE, folder);
  if (st == TRIAD_OK) st = triad_disk_load(from, TRIAD_MANIFEST_BYTES, &text, &bytes);
  if (st == TRIAD_OK && bytes > 17) (void)snprintf(sum, sizeof sum, "%.16s", text + bytes - 17);
  if (st == TRIAD_OK) st = copy_of(dir, folder, to);
  if (st == TRIAD_OK && copied) st = make_inputs(dir);
  if (st == TRIAD_OK && copied) st = triad_disk_make_folder(to);
  if (st == TRIAD_OK && copied) st = triad_disk_path(from, "%s/%s", folder, triad_manifest_file(about));
  if (st == TRIAD_OK && copied) st = triad_disk_path(file, "%s/%s", to, triad_manifest_file(about));
  if (st == TRIAD_OK && copied) st = read_all(from, file, about->file_bytes, &hash);
  if (st == TRIAD_OK && copied) st = triad_disk_replace(to, TRIAD_MANIFEST_FILE, text, bytes);
  if (st == TRIAD_OK) put(f, folder, about->file_bytes, "manifest", sum, copied ? to + strlen(dir) + 1 : NULL);
  free(text);
  triad_manifest_destroy(&about);
  return st;
}

int triad_inputs_keep(const triad_session *s, const char *dir, char **json)
{
  size_t size = 0;
  struct stat about;
  char *path = input_of(s);
  FILE *f = open_memstream(json, &size);
  int st = f ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  int64_t most = (int64_t)(1e6 * fmin(triad_case_real(s->given, "output.copy_inputs"), 1e12));
  if (st == TRIAD_OK && path) {
    if (stat(path, &about) != 0) st = TRIAD_OK; /* the start has read it; what has gone since cannot be kept */
    else if (S_ISDIR(about.st_mode)) st = keep_checkpoint(f, dir, path, most);
    else st = keep_file(f, dir, path, &about, most);
  }
  free(path);
  if (f && fclose(f) != 0 && st == TRIAD_OK) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "what a start reads");
  return st;
}

/* The folder of a checkpoint in DIR/inputs, of which there is one at most. */
static int find_copy(const char *dir, char copy[TRIAD_PATH])
{
  char inputs[TRIAD_PATH];
  int found = 0;
  if (triad_disk_path(inputs, "%s/inputs", dir) != TRIAD_OK) return 0;
  DIR *d = opendir(inputs);
  for (struct dirent *e; d && !found && (e = readdir(d));)
    found = strncmp(e->d_name, "step-", 5) == 0 && triad_disk_path(copy, "%s/%s", inputs, e->d_name) == TRIAD_OK;
  if (d) (void)closedir(d);
  return found;
}

/* The path to write for what is at `path`: that of a copy, from the directory on, where there is one. */
static int path_to_write(const triad_session *s, const char *dir, const char *path, char out[TRIAD_PATH])
{
  char copy[TRIAD_PATH];
  TRIAD_TRY(triad_disk_path(out, "%s", path));
  TRIAD_TRY(copy_of(dir, path, copy));
  int there = triad_case_is(s->given, "initial.kind", "checkpoint") ? find_copy(dir, copy) : access(copy, F_OK) == 0;
  return there ? triad_disk_path(out, "%s", copy + strlen(dir) + 1) : TRIAD_OK;
}

int triad_inputs_resolved(const triad_session *s, const char *dir, char **text, size_t *size)
{
  static const char line[] = "\nfile = ", table[] = "\n[initial]\n";
  char to[TRIAD_PATH], *plain = NULL, *path = input_of(s);
  TRIAD_TRY(triad_case_resolved(s->given, &plain, size));
  char *begin = path ? strstr(plain, table) : NULL, *at = begin ? strstr(begin + sizeof table - 2, line) : NULL;
  if (!at || path_to_write(s, dir, path, to) != TRIAD_OK) {
    triad_message_clear();
    free(path);
    *text = plain;
    return TRIAD_OK;
  }
  FILE *f = open_memstream(text, size);
  if (f) {
    (void)fprintf(f, "%.*s", (int)(at - plain + (ptrdiff_t)sizeof line - 1), plain);
    triad_provenance_text(f, to);
    (void)fprintf(f, " # as read: %s", at + sizeof line - 1);
  }
  int st = f && fclose(f) == 0 ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "the resolved case");
  free(path);
  free(plain);
  return st;
}

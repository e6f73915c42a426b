/* Check and describe files of values at points: fields, slices, and pictures of slices. */
#include "command/info/info_fields.h"
#include "command/info/info.h"
#include "command/info/info_lines.h"
#include "command/info/info_values.h"

#include <inttypes.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int worse(int a, int b) { return a > b ? a : b; }

/* Every dataset of n dimensions is on the points that the axes, slowest first, are the coordinates of. */
static int check_points(const triad_inspection *k, int n, const char axes[][2])
{
  int st = TRIAD_OK;
  for (int i = 0; i < k->n_sets; i++) {
    const triad_dataset *d = &k->sets[i];
    for (int a = 0; a < n && d->n_dims == n; a++) {
      const triad_dataset *axis = triad_inspection_find(k, axes[a]);
      if (!axis || axis->n_dims != 1 || axis->dims[0] != d->dims[a])
        st = triad_info_wrong("%s: %s has %" PRId64 " points along %s, but its coordinates have %" PRId64, k->path,
                              d->name, d->dims[a], axes[a], axis ? axis->values : 0);
    }
  }
  return st;
}

int triad_inspect_fields(triad_inspection *k, double step, double t, const double *length)
{
  static const char *const velocity[3] = {"u", "v", "w"};
  const char axes[3][2] = {"z", "y", "x"};
  int st = TRIAD_OK;
  for (int i = 0; i < k->n_sets && k->how == TRIAD_INFO_WHOLE; i++)
    TRIAD_TRY(triad_inspection_values(k, &k->sets[i], NULL));
  double energy = 0;
  int components = 0;
  for (int i = 0; i < 3; i++) {
    const triad_dataset *d = triad_inspection_find(k, velocity[i]);
    if (!d || d->values == 0) continue;
    energy += 0.5 * d->squares / (double)d->values;
    components++;
  }
  if (k->how == TRIAD_INFO_BRIEF) triad_info_line("    step %.0f, t = %.8g", step, t);
  if (k->how == TRIAD_INFO_WHOLE) {
    triad_info_line("%s: physical fields of a run, (z, y, x)", k->path);
    triad_info_line("  time       step %.0f, t = %.17g", step, t);
    triad_info_line("  lengths    %.17g %.17g %.17g (x, y, z)", length[0], length[1], length[2]);
    for (int i = 0; i < k->n_sets; i++) triad_inspection_print(k, &k->sets[i]);
    if (components == 3) triad_info_line("  energy     %.17g, mean of |u|^2/2", energy);
    triad_inspection_print_notes(k);
  }
  st = triad_inspection_check_finite(k);
  for (int i = 0; i < 3; i++)
    if (!(length[i] > 0) || !isfinite(length[i])) st = triad_info_wrong("%s: invalid box lengths", k->path);
  return worse(worse(st, check_points(k, 3, axes)), triad_inspection_check_step(k, "fields-", step));
}

/* Each quantity has so many places without a value, where the plane leaves a mesh, and no others. */
static int check_outside(const triad_inspection *k, int64_t outside)
{
  int st = TRIAD_OK;
  for (int i = 0; i < k->n_sets; i++) {
    const triad_dataset *d = &k->sets[i];
    if (d->bad != (d->n_dims == 2 ? outside : 0))
      st = triad_info_wrong("%s: %s has %" PRId64 " values that are not finite, and %" PRId64 " empty points", k->path,
                            d->name, d->bad, d->n_dims == 2 ? outside : 0);
  }
  if (k->how == TRIAD_INFO_WHOLE) triad_info_line("  outside    %" PRId64 " points outside the flow", outside);
  return st;
}

int triad_inspect_slice(triad_inspection *k, double step, double t, const char *axis)
{
  const char axes[2][2] = {{*axis == 'z' ? 'y' : 'z', '\0'}, {*axis == 'x' ? 'y' : 'x', '\0'}};
  const int layer = *axis < 'x'; /* of cells of blocks */
  char prefix[TRIAD_DATASET_NAME];
  const char *name = triad_path_name(k->path), *dash = strrchr(name, '-');
  double at = 0;
  TRIAD_TRY(triad_h5_root_reals(k->file, "at", 1, &at));
  for (int i = 0; i < k->n_sets; i++) TRIAD_TRY(triad_inspection_values(k, &k->sets[i], NULL));
  if (k->how == TRIAD_INFO_BRIEF) triad_info_line("    %s: step %.0f, t = %.8g, %s = %.8g", name, step, t, axis, at);
  if (k->how == TRIAD_INFO_WHOLE) {
    if (layer) triad_info_line("%s: a slice of a run, the layer of cells %s = %.0f", k->path, axis, at);
    else triad_info_line("%s: a slice of a run, (%s, %s) on the plane %s = %.17g", k->path, axes[0], axes[1], axis, at);
    triad_info_line("  time       step %.0f, t = %.17g", step, t);
    for (int i = 0; i < k->n_sets; i++) triad_inspection_print(k, &k->sets[i]);
    triad_inspection_print_notes(k);
  }
  (void)snprintf(prefix, sizeof prefix, "%.*s", dash ? (int)(dash + 1 - name) : 0, name);
  int named = dash && strncmp(name, "slice", 5) == 0;
  int st = named ? triad_inspection_check_step(k, prefix, step) : TRIAD_OK;
  double outside = 0;
  if (triad_h5_root_reals(k->file, "outside", 1, &outside) != TRIAD_OK) triad_message_clear();
  st = worse(st, outside > 0 ? check_outside(k, (int64_t)outside) : triad_inspection_check_finite(k));
  return layer ? st : worse(st, check_points(k, 2, axes));
}

/* ---- pictures ---- */

static void be_silent(png_structp png, png_const_charp why) { (void)png, (void)why; }
static void give_up(png_structp png, png_const_charp why)
{
  (void)why;
  png_longjmp(png, 1);
}

/* Every row is decoded, and so every checksum proved. libpng leaves by longjmp: nothing is made in here. */
static int decode(png_structp png, png_infop info, FILE *f)
{
  png_bytep row = NULL;
  if (setjmp(png_jmpbuf(png))) return 0;
  png_init_io(png, f);
  png_read_info(png, info);
  for (png_uint_32 y = png_get_image_height(png, info); y > 0; y--) png_read_row(png, row, NULL);
  png_read_end(png, NULL);
  return 1;
}

static const char *text_of(const png_text *texts, int n, const char *key)
{
  for (int i = 0; i < n; i++)
    if (strcmp(texts[i].key, key) == 0) return texts[i].text;
  return NULL;
}

static int print_picture(const char *path, png_structp png, png_infop info)
{
  png_textp texts = NULL;
  int n = 0;
  (void)png_get_text(png, info, &texts, &n);
  const char *software = text_of(texts, n, "Software");
  if (!software || strcmp(software, "Triad") != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a picture, but not one written by Triad", path);
  triad_info_line("%s: a picture of a slice, %u x %u pixels", path, png_get_image_width(png, info),
                  png_get_image_height(png, info));
  for (int i = 0; i < n; i++)
    if (texts[i].text != software) triad_info_line("  %-10s %s", texts[i].key, texts[i].text);
  return TRIAD_OK;
}

static int open_and_print(void *self, triad_guard *guard)
{
  const char *path = self;
  FILE *f = fopen(path, "rb");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, be_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  int st = f && info ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_IO, "%s: opening it", path);
  triad_guard_alive(guard);
  if (st == TRIAD_OK && !decode(png, info, f)) st = TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a damaged PNG file", path);
  if (st == TRIAD_OK) st = print_picture(path, png, info);
  if (png) png_destroy_read_struct(&png, info ? &info : NULL, NULL);
  if (f) (void)fclose(f);
  return st;
}

int triad_info_png(const char *path) { return triad_guard_run(path, open_and_print, (void *)(uintptr_t)path, NULL, 0); }

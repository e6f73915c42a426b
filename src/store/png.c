#include "store/png.h"

#include "store/disk.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK = 3 /* of zlib's levels: most of the size for a third of the time */, MOST_TEXTS = 16 };

/* The file as it grows in memory. */
typedef struct growing {
  char *bytes;
  size_t used, room;
} growing;

static void put(png_structp png, png_bytep data, size_t size)
{
  growing *g = png_get_io_ptr(png);
  if (g->used + size > g->room) {
    size_t room = 2 * (g->used + size) + 4096;
    char *more = realloc(g->bytes, room);
    if (!more) png_error(png, "no memory"); /* does not return */
    g->bytes = more;
    g->room = room;
  }
  memcpy(g->bytes + g->used, data, size);
  g->used += size;
}

static void flush(png_structp png) { (void)png; }
static void be_silent(png_structp png, png_const_charp why) { (void)png, (void)why; }
static void give_up(png_structp png, png_const_charp why)
{
  (void)why;
  png_longjmp(png, 1);
}

/* libpng leaves by longjmp, so nothing that must be let go is made in here. */
static int encode(png_structp png, png_infop info, const triad_png *p)
{
  png_text texts[MOST_TEXTS];
  if (setjmp(png_jmpbuf(png))) return 0;
  memset(texts, 0, sizeof texts);
  png_set_compression_level(png, QUICK);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_color palette[256];
  for (int i = 0; i < 256; i++) palette[i] = (png_color){p->colours[i][0], p->colours[i][1], p->colours[i][2]};
  png_set_PLTE(png, info, palette, 256);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  for (int i = 0; i < p->n_texts && i < MOST_TEXTS; i++) {
    texts[i].compression = PNG_TEXT_COMPRESSION_NONE;
    texts[i].key = (png_charp)(uintptr_t)p->texts[i].keyword;
    texts[i].text = (png_charp)(uintptr_t)p->texts[i].text;
    texts[i].text_length = strlen(p->texts[i].text);
  }
  png_set_text(png, info, texts, p->n_texts < MOST_TEXTS ? p->n_texts : MOST_TEXTS);
  png_write_info(png, info);
  for (int64_t y = 0; y < p->height; y++) png_write_row(png, p->pixels + y * p->width);
  png_write_end(png, info);
  return 1;
}

/* Under another name first, so that no half of a picture is seen; it may be lost with the machine's power. */
static int store(const char *folder, const char *name, const growing *file)
{
  char temporary[TRIAD_PATH], final[TRIAD_PATH];
  int fd = -1;
  TRIAD_TRY(triad_disk_path(temporary, "%s/.tmp-%s", folder, name));
  TRIAD_TRY(triad_disk_path(final, "%s/%s", folder, name));
  TRIAD_TRY(triad_disk_remove(temporary)); /* left by a run that was killed */
  TRIAD_TRY(triad_disk_create(temporary, &fd));
  int st = triad_disk_write(fd, temporary, file->bytes, (int64_t)file->used, 0);
  int closed = triad_disk_close(&fd, temporary);
  if (st == TRIAD_OK) st = closed;
  if (st == TRIAD_OK) st = triad_disk_rename(temporary, final);
  if (st != TRIAD_OK) (void)remove(temporary);
  return st;
}

int triad_png_write(const char *folder, const char *name, const triad_png *p)
{
  growing file = {NULL, 0, 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, be_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  int st = info ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s/%s: a picture", folder, name);
  if (st == TRIAD_OK) {
    png_set_write_fn(png, &file, put, flush);
    if (!encode(png, info, p)) st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s/%s: a picture of %lld x %lld", folder, name,
                                               (long long)p->width, (long long)p->height);
  }
  if (png) png_destroy_write_struct(&png, &info);
  if (st == TRIAD_OK) st = store(folder, name, &file);
  free(file.bytes);
  return st;
}

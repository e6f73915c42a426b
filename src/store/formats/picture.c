/* Encode PNG images by libpng, and compute colour tables that are even in L*a*b*. */
#include "store/formats/picture.h"

#include "store/disk.h"

#include <math.h>
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

static void put_bytes(png_structp png, png_bytep data, size_t size)
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

int triad_png_write(const char *folder, const char *name, const triad_png *p)
{
  growing file = {NULL, 0, 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, be_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  int st = info ? TRIAD_OK : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s/%s: a picture", folder, name);
  if (st == TRIAD_OK) {
    png_set_write_fn(png, &file, put_bytes, flush);
    if (!encode(png, info, p))
      st = TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s/%s: a picture of %lld x %lld", folder, name, (long long)p->width,
                      (long long)p->height);
  }
  if (png) png_destroy_write_struct(&png, &info);
  if (st == TRIAD_OK) st = triad_disk_replace(folder, name, file.bytes, (int64_t)file.used);
  free(file.bytes);
  return st;
}

enum { STOPS = 5, SHADES = TRIAD_COLOUR_NONE };

/* L*, a*, b* at 0, 1/4, 1/2, 3/4, 1. */
static const double stops[][STOPS][3] = {
  [TRIAD_COLOURS_RISING] = {{10, 8, -24}, {32, 8, -34}, {54, 0, -4}, {75, -2, 36}, {95, -6, 62}},
  [TRIAD_COLOURS_SIGNED] = {{24, 10, -40}, {58, -6, -34}, {96, 0, 0}, {58, 26, 48}, {24, 26, 32}},
  [TRIAD_COLOURS_CYCLIC] = {{94, 0, 0}, {52, 0, -42}, {10, 0, 0}, {52, 36, 50}, {94, 0, 0}},
};

static double from_lab(double f) { return f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29); }

static unsigned char to_byte(double linear)
{
  double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
  return (unsigned char)lround(255 * fmin(fmax(v, 0), 1));
}

/* CIE 15:2004 for L*a*b*, IEC 61966-2-1 for sRGB. */
static void to_srgb(const double lab[3], unsigned char out[3])
{
  double fy = (lab[0] + 16) / 116, x = 0.95047 * from_lab(fy + lab[1] / 500), y = from_lab(fy);
  double z = 1.08883 * from_lab(fy - lab[2] / 200);
  out[0] = to_byte(3.2406 * x - 1.5372 * y - 0.4986 * z);
  out[1] = to_byte(-0.9689 * x + 1.8758 * y + 0.0415 * z);
  out[2] = to_byte(0.0557 * x - 0.2040 * y + 1.0570 * z);
}

void triad_colours_table(triad_colours which, unsigned char table[TRIAD_COLOUR_COUNT][3])
{
  for (int i = 0; i < SHADES; i++) {
    double place = (STOPS - 1) * (double)i / (SHADES - 1), lab[3];
    int s = place >= STOPS - 1 ? STOPS - 2 : (int)place;
    for (int c = 0; c < 3; c++) {
      const double *a = stops[which][s], *b = stops[which][s + 1];
      lab[c] = a[c] + (place - s) * (b[c] - a[c]);
    }
    to_srgb(lab, table[i]);
  }
  for (int c = 0; c < 3; c++) table[TRIAD_COLOUR_NONE][c] = 128;
}

unsigned char triad_colours_entry(double value, double low, double high)
{
  double place = high > low ? (value - low) / (high - low) : 0.5;
  if (!isfinite(value)) return TRIAD_COLOUR_NONE;
  return (unsigned char)lround((SHADES - 1) * fmin(fmax(place, 0), 1));
}

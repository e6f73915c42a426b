/* Pictures of 256 colours as PNG files, and colours for them. Not collective. */
#ifndef TRIAD_STORE_FORMATS_PICTURE_H
#define TRIAD_STORE_FORMATS_PICTURE_H

#include "base/status.h"

#include <stdint.h>

/* A keyword of up to 79 letters and what it says, both Latin-1. */
typedef struct triad_png_text {
  const char *keyword, *text;
} triad_png_text;

typedef struct triad_png {
  int64_t width, height;
  const unsigned char *pixels;       /* [height][width], the top row first */
  const unsigned char (*colours)[3]; /* [256] sRGB                         */
  int n_texts;
  const triad_png_text *texts;
} triad_png;

/* Replace folder/name in one piece. TRIAD_ERR_IO, TRIAD_ERR_MEMORY. */
int triad_png_write(const char *folder, const char *name, const triad_png *picture);

/* Colour maps for readers with any colour vision: lightness alone shows the order.
 *   rising   dark blue to yellow, for values without sign
 *   signed   blue, white, brown: equal lightness at equal distance from 0
 *   cyclic   white, blue, black, orange, white, for angles
 * Common colour blindness preserves the contrast of blue to yellow or orange. Each map is piecewise linear between a
 * few colours of CIE L*a*b* (D65), so that equal steps look equal. */
typedef enum triad_colours { TRIAD_COLOURS_RISING, TRIAD_COLOURS_SIGNED, TRIAD_COLOURS_CYCLIC } triad_colours;

enum { TRIAD_COLOUR_COUNT = 256, TRIAD_COLOUR_NONE = 255 /* grey: not a number */ };

/* sRGB, entries 0 .. TRIAD_COLOUR_NONE - 1 from the lowest value to the highest. */
void triad_colours_table(triad_colours which, unsigned char table[TRIAD_COLOUR_COUNT][3]);

/* The entry of a value between low and high; what lies outside has the end's colour. */
unsigned char triad_colours_entry(double value, double low, double high);

#endif

/* Pictures of 256 colours as PNG files. Not collective. */
#ifndef TRIAD_STORE_PNG_H
#define TRIAD_STORE_PNG_H

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

#endif

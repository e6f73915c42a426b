#include "store/colours.h"

#include <math.h>

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

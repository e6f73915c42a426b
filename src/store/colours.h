/* Colours of pictures that people of any colour vision can read: lightness alone tells the order.
 *   rising   dark blue to yellow, for what has no sign
 *   signed   blue, white, brown: equal lightness at equal distance from 0
 *   cyclic   white, blue, black, orange, white, for angles
 * Blue against yellow or orange is what the common kinds of colour blindness keep apart. Each is straight lines between a
 * few colours of CIE L*a*b* (D65), so that equal steps look equal. */
#ifndef TRIAD_STORE_COLOURS_H
#define TRIAD_STORE_COLOURS_H

typedef enum triad_colours { TRIAD_COLOURS_RISING, TRIAD_COLOURS_SIGNED, TRIAD_COLOURS_CYCLIC } triad_colours;

enum { TRIAD_COLOUR_COUNT = 256, TRIAD_COLOUR_NONE = 255 /* grey: not a number */ };

/* sRGB, entries 0 .. TRIAD_COLOUR_NONE - 1 from the lowest value to the highest. */
void triad_colours_table(triad_colours which, unsigned char table[TRIAD_COLOUR_COUNT][3]);

/* The entry of a value between low and high; what lies outside has the end's colour. */
unsigned char triad_colours_entry(double value, double low, double high);

#endif

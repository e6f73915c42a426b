/* Multipliers of modes: what a linear operator with constant coefficients does to a mode exp(i k.x), as nodes of a
 * graph: i k_x, sums, products, inverses, roots, and entries of the inverse of a small matrix of nodes.
 *
 * Multipliers are equal if their polynomials are (polynomials.h), so that lap(q) and dx(dx(q)) + dy(dy(q)) + dz(dz(q))
 * are one node. Those with inverses, roots or entries of matrices, which may be equal though their polynomials differ,
 * are equal if their values are at sample wavenumbers of many lengths. A multiple of an older node is that node times a
 * number. */
#ifndef TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_OPERATORS_H
#define TRIAD_SOLVERS_SPECTRAL_TEXT_COMPILE_OPERATORS_H

#include <complex.h>

enum {
  TRIAD_TEXT_NEAR = 4,        /* samples that are as long as the shortest wavenumbers of the box */
  TRIAD_TEXT_SAMPLES = 9,     /* longer ones follow; the last one is the mean, where inverses may be 0 */
  TRIAD_TEXT_MATRIX = 8,      /* the largest matrix of a mode */
  TRIAD_TEXT_OPERATORS = 512, /* nodes */
  TRIAD_TEXT_SYSTEMS = 8,
  TRIAD_TEXT_ATOMS = 6,   /* factors of a term that are inverses, roots or elements of matrices */
  TRIAD_TEXT_POOL = 20000 /* terms of all polynomials */
};

/* A coefficient is 0 if it is at most this share of the sum of the absolute values of its parts: some hundreds of
 * roundings of 1.1e-16. Only the numbers of a case and their sums and products are in it. */
static const double TRIAD_TEXT_ROUNDING = 1e-13;

/* The same for values at a wavenumber, which have more roundings: lap(q, 16) has 32 factors. */
static const double TRIAD_TEXT_EQUAL = 1e-12;

typedef enum triad_text_kind {
  TRIAD_TEXT_ZERO,
  TRIAD_TEXT_ONE,
  TRIAD_TEXT_WAVE,    /* i k_a */
  TRIAD_TEXT_SUM,     /* of two scaled nodes */
  TRIAD_TEXT_PRODUCT, /* of nodes a and b */
  TRIAD_TEXT_INVERSE, /* of node a; 0 for the mean if that is 0 */
  TRIAD_TEXT_ROOT,    /* of node a, which is real and not negative */
  TRIAD_TEXT_ENTRY    /* of the inverse of matrix a: row, column */
} triad_text_kind;

/* A number times a node: c = 0 for nothing. */
typedef struct triad_text_scaled {
  double c, size; /* size: the sum of the absolute values of the parts of c */
  int node;
} triad_text_scaled;

/* A number that has no parts times a node. */
static inline triad_text_scaled triad_text_of(double c, int node)
{
  return (triad_text_scaled){c, c < 0 ? -c : c, node};
}

/* The size of a product, from numbers and their sizes: relative rounding errors add. */
static inline double triad_text_product_size(double a, double size_a, double b, double size_b)
{
  const double x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  return x * size_b + size_a * y - x * y;
}

/* Is a node real, or imaginary, for all k? Otherwise complex. */
typedef enum triad_text_parity { TRIAD_TEXT_REAL, TRIAD_TEXT_IMAGINARY, TRIAD_TEXT_COMPLEX } triad_text_parity;

/* (i k_x)^power[0] (i k_y)^power[1] (i k_z)^power[2] times atoms, which are nodes (polynomials.h). */
typedef struct triad_text_key {
  short atom[TRIAD_TEXT_ATOMS]; /* in rising order, 0: none */
  unsigned char power[4];       /* the last one is 0 */
} triad_text_key;

typedef struct triad_text_monomial {
  double c, size; /* size: the sum of the absolute values of the parts of c, never set back while these cancel */
  triad_text_key key;
} triad_text_monomial;

/* The sums of the absolute values of what the real and the imaginary part of a value are made of (rounding.h). */
typedef struct triad_text_bound {
  double re, im;
} triad_text_bound;

typedef struct triad_text_node {
  triad_text_kind kind;
  int a, b, row, column;
  double ca, cb;      /* factors of a sum */
  double sa, sb;      /* the sums of the absolute values of their parts */
  int first, n_terms; /* its polynomial, in the pool */
  triad_text_parity parity;
  int vanishes; /* 1: it is 0 for the mean, whatever the coefficients are */
  int sized;    /* 1: an inverse or a root needs the sum of the absolute values of its terms */
  double complex sample[TRIAD_TEXT_SAMPLES];
  double
    size[TRIAD_TEXT_SAMPLES]; /* the sums of the absolute values of its terms, without those of an inverse or root */
  triad_text_bound bound[TRIAD_TEXT_SAMPLES];
} triad_text_node;

typedef struct triad_text_system {
  int n;
  triad_text_scaled element[TRIAD_TEXT_MATRIX][TRIAD_TEXT_MATRIX];
} triad_text_system;

typedef struct triad_text_operators {
  int n, n_systems, full; /* full: 1 if nodes were refused */
  double sample[TRIAD_TEXT_SAMPLES][3];
  triad_text_node node[TRIAD_TEXT_OPERATORS];
  triad_text_system system[TRIAD_TEXT_SYSTEMS];
  int n_pool;
  triad_text_monomial pool[TRIAD_TEXT_POOL];
} triad_text_operators;

/* An empty graph for a box; flat[axis] = 1: one point, so that derivatives along it are 0. unit: 2 pi/L. */
void triad_text_operators_start(triad_text_operators *o, const int flat[3], const double unit[3]);

triad_text_scaled triad_text_number(double c);
triad_text_scaled triad_text_wave(triad_text_operators *o, int axis);
triad_text_scaled triad_text_add(triad_text_operators *o, triad_text_scaled a, triad_text_scaled b);
triad_text_scaled triad_text_times(triad_text_operators *o, triad_text_scaled a, triad_text_scaled b);
triad_text_scaled triad_text_power(triad_text_operators *o, triad_text_scaled a, int n);
triad_text_scaled triad_text_inverse(triad_text_operators *o, triad_text_scaled a);
/* c = 0 if a is not real and at least 0 at the shortest wavenumbers */
triad_text_scaled triad_text_root(triad_text_operators *o, triad_text_scaled a);
triad_text_scaled triad_text_laplacian(triad_text_operators *o);

/* Entry (row, column) of the inverse of matrix number s. */
triad_text_scaled triad_text_entry(triad_text_operators *o, int s, int row, int column);

/* The node without one factor i k_axis, if it is a product that has it; c = 0: it does not have it. */
triad_text_scaled triad_text_without(triad_text_operators *o, int node, int axis);

triad_text_parity triad_text_parity_of(const triad_text_operators *o, int node);

/* Mark a node and those that it is made of: needed[TRIAD_TEXT_OPERATORS]. */
void triad_text_need(const triad_text_operators *o, int node, char *needed);

/* What a multiplier may lack at a wavenumber. */
typedef enum triad_text_lack {
  TRIAD_TEXT_NO_INVERSE = 1, /* an inverse of what is 0, at a wavenumber other than 0 */
  TRIAD_TEXT_NO_ROOT = 2     /* a root of what is negative                            */
} triad_text_lack;

/* The values of nodes at a wavenumber: value[o->n]; of those that are needed, or (NULL) of all. An inverse that does
 * not exist, and a root, are 0. lacks, if not NULL: triad_text_lack that were met are set in it. */
void triad_text_evaluate(const triad_text_operators *o, const double k[3], const char *needed, double complex *value,
                         int *lacks);

/* Of the nodes that are needed, those that lack something at some wavenumber, and what they are made of, to
 * risky[TRIAD_TEXT_OPERATORS]. Returns 0 if there are none. */
int triad_text_risky(const triad_text_operators *o, const char *needed, char *risky);

#endif

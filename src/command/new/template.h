/* Templates of cases for `triad new`: one file each in templates/, included in the program by the build.
 *
 * A template is a case file with formulas in braces, after directives:
 *
 *   #: flow box                      the group of the template: box, walls, body, gas or mesh
 *   #: solver NAME                   the solver, for lists
 *   #: computes decaying turbulence  one line for lists
 *   #: asks re-lambda 15 40 400 Taylor-scale Reynolds number at t = 0
 *                                    option, least, usual and largest value, words; "asks mesh" asks for a file
 *   #: let nu = 2*u/(k0*re_lambda)   a number, from the numbers before it
 *   #: points = 4.5/eta              the number of points along an edge that the value requires; after it, `required`
 *                                    is that number rounded up, and n the number of points that was chosen
 *   #: cells = n^3                   points of the grid
 *   #: steps = end/dt                time steps of the run
 *   #: multiple 2                    n is a multiple of it (default 2)
 *   #: least 8                       smallest n (default 8)
 *   #: measure 48                    n at which the speed of this machine is measured
 *
 * In the case {FORMULA} is a number, of three digits in comments; {points FORMULA} a number of points with small prime
 * factors; {memory}, {time}, {grown} (memory and time of twice the points), {command} and {mesh} are texts. Not
 * collective. */
#ifndef TRIAD_COMMAND_NEW_TEMPLATE_H
#define TRIAD_COMMAND_NEW_TEMPLATE_H

#include <stdint.h>

/* A file of templates/ by its name without .toml; the build makes the table, which ends with a name that is NULL. */
typedef struct triad_template_file {
  const char *name, *text;
} triad_template_file;
extern const triad_template_file triad_template_files[];

enum { TRIAD_TEMPLATE_FORMULAS = 32, TRIAD_TEMPLATES = 64, TRIAD_TEMPLATE_POINTS = 1 << 14 /* at most */ };

typedef struct triad_template {
  const char *name;
  char flow[16], solver[24], computes[128];
  char asks[24];             /* name of the option without dashes, such as "re-lambda" */
  char symbol[24];           /* the same as a variable of formulas: re_lambda */
  char words[96];            /* what the option means */
  double least, usual, most; /* of its value */
  int multiple, least_n, measure_n;
  int n_formulas;
  struct {
    char name[24];
    const char *text; /* not terminated */
    int length;
  } formula[TRIAD_TEMPLATE_FORMULAS];
  const char *body; /* the case */
} triad_template;

/* The numbers of a case. Their names and values are a scope of formulas. */
enum { TRIAD_TEMPLATE_NUMBERS = TRIAD_TEMPLATE_FORMULAS + 3 };
typedef struct triad_template_numbers {
  int count;
  const char *name[TRIAD_TEMPLATE_NUMBERS];
  double value[TRIAD_TEMPLATE_NUMBERS];
  double required, cells, steps; /* points along an edge; points in all; time steps */
  int64_t n;
} triad_template_numbers;

/* Texts of a case, and the mesh file; NULL: "". */
typedef struct triad_template_texts {
  const char *memory, *time, *grown, *command, *mesh;
} triad_template_texts;

/* Read the directives of all templates to all[TRIAD_TEMPLATES], in the order of their flows. TRIAD_ERR_INTERNAL for a
 * template that is wrong. */
int triad_templates_read(triad_template *all, int *count);

/* Does it ask for a mesh file in place of a number? */
int triad_template_asks_mesh(const triad_template *t);

/* The smallest n that is at least `points`: a multiple of t->multiple without prime factors above 7. The largest one
 * that is at most `points`; 0 if that is below the smallest of the template. */
int64_t triad_template_round_up(const triad_template *t, double points);
int64_t triad_template_round_down(const triad_template *t, double points);

/* The numbers for this value on n points along an edge; n = 0: as many as the value requires. TRIAD_ERR_INTERNAL. */
int triad_template_compute(const triad_template *t, double value, int64_t n, triad_template_numbers *out);

/* The largest value, to three digits, that requires at most n points; the least value of the template if that requires
 * more. TRIAD_ERR_INTERNAL. */
int triad_template_largest(const triad_template *t, int64_t n, double *value);

/* Write the case: malloc'd. TRIAD_ERR_INTERNAL, TRIAD_ERR_MEMORY. */
int triad_template_write(const triad_template *t, const triad_template_numbers *numbers,
                         const triad_template_texts *texts, char **out);

#endif

/* Print a case for a mesh file, to be completed (example.h). */
#include "solvers/unstructured/plain/example.h"

#include "base/status.h"
#include "mesh/quality.h"
#include "mesh/read/source.h"
#include "mesh/sizes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Words of names, and the condition that they suggest; the first that fits counts. Pressure 1 and density 1.4 give a
 * speed of sound of 1. */
static const struct {
  const char *word, *condition;
} hints[] = {{"inlet", "inflow, pressure=1, density=1.4, u=0.5"},
             {"inflow", "inflow, pressure=1, density=1.4, u=0.5"},
             {"outlet", "pressure, pressure=1"},
             {"outflow", "pressure, pressure=1"},
             {"exit", "pressure, pressure=1"},
             {"far", "farfield, pressure=1, density=1.4, u=0.5"},
             {"farfield", "farfield, pressure=1, density=1.4, u=0.5"},
             {"freestream", "farfield, pressure=1, density=1.4, u=0.5"},
             {"ambient", "farfield, pressure=1, density=1.4, u=0.5"},
             {"outside", "farfield, pressure=1, density=1.4, u=0.5"}};

static int is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c > 127; }
static int is_small(char c) { return c >= 'a' && c <= 'z'; }

/* Is it one of the words of a name? Words end at other characters, and before a capital that follows a small letter:
 * `far` is a word of far-field, FarTop and far_2, but not of farm. */
static int has_word(const char *name, const char *word)
{
  const size_t n = strlen(word);
  for (const char *at = name; *at; at++) {
    if (at > name && is_letter(at[-1]) && !(is_small(at[-1]) && !is_small(*at))) continue;
    if (strncasecmp(at, word, n) == 0 && (!is_letter(at[n]) || (is_small(at[n - 1]) && !is_small(at[n])))) return 1;
  }
  return 0;
}

static const char *condition_of(const char *name)
{
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (has_word(name, hints[i].word)) return hints[i].condition;
  return "slip";
}

static void print_string(FILE *out, const char *text)
{
  (void)fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') (void)fputc('\\', out);
    (void)fputc(*text, out);
  }
  (void)fputc('"', out);
}

static void print_case(FILE *out, const triad_mesh *m, const triad_mesh_quality *q, const char *path)
{
  const double *low = q->low, *high = q->high;
  const double length = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
  (void)fprintf(out,
                "# A case for a mesh, to be completed: conditions of patches, initial state, end and output.\n"
                "# The mesh has %" PRId64 " cells and the extent %.6g x %.6g x %.6g, from (%.6g, %.6g, %.6g).\n"
                "# Pressure 1 and density 1.4 give a speed of sound of 1. `triad case --keys fct` explains all keys.\n"
                "[equations]\nsolver = \"fct\"\n\n[grid]\nfile = ",
                m->n_cells, high[0] - low[0], high[1] - low[1], high[2] - low[2], low[0], low[1], low[2]);
  print_string(out, path);
  (void)fprintf(out,
                "\n\n[initial]\nkind = \"uniform\"\ndensity = 1.4\nvelocity = [0.5, 0.0, 0.0]\npressure = 1.0\n\n"
                "[boundaries]\n# kinds: slip, symmetry, noslip, inflow, outflow, pressure, farfield, total, periodic\n"
                "patches = [\n");
  for (int p = 0; p < m->n_patches; p++) {
    (void)fputs("  ", out);
    char text[2 * TRIAD_MESH_NAME + 64];
    (void)snprintf(text, sizeof text, "%s: %s", m->patch_name[p], condition_of(m->patch_name[p]));
    print_string(out, text);
    (void)fprintf(out, ", # %" PRId64 " faces, area %.6g\n", q->faces[p], q->area[p]);
  }
  (void)fprintf(out,
                "]\n\n# [reference]\n# area = 1.0 # columns cl, cd, cm of walls; density and velocity are those of the "
                "first inflow\n\n[time]\nend = %.6g # the longest side of the mesh at the speed of sound\n\n[output]\n"
                "fields_interval = %.6g\n",
                length, length / 10);
}

int triad_unstructured_example(FILE *out, const char *path)
{
  triad_mesh_source source = {.find_pairs = NULL};
  triad_memory *memory = NULL;
  triad_mesh *mesh = NULL;
  TRIAD_TRY(triad_disk_path(source.file, "%s", path));
  TRIAD_TRY(triad_memory_create(&memory));
  int st = triad_mesh_source_mesh(&mesh, memory, &source);
  if (st == TRIAD_OK) st = triad_mesh_measure(mesh);
  if (st == TRIAD_OK) {
    triad_mesh_quality quality;
    triad_mesh_quality_of(mesh, &quality);
    print_case(out, mesh, &quality, path);
  }
  triad_mesh_destroy(&mesh);
  triad_memory_destroy(&memory);
  return st;
}

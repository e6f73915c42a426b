/* Read numbers, lines and section marks of a Gmsh file. */
#include "mesh/read/gmsh_numbers.h"
#include "mesh/read/gmsh_reader.h"
#include "mesh/read/gmsh_faults.h"

#include "base/status.h"
#include "store/formats/foreign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

int triad_gmsh_bad(const triad_gmsh_reader *r, const char *what)
{
  char place[TRIAD_GMSH_PLACE];
  triad_gmsh_place(r, r->at, place);
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s: %s", r->path, place, what);
}

static int take_bytes(triad_gmsh_reader *r, void *out, int64_t n)
{
  if (n > r->size - r->at) return triad_gmsh_bad(r, "the file ends here");
  memcpy(out, r->text + r->at, (size_t)n);
  r->at += n;
  return TRIAD_OK;
}

static void skip_blanks(triad_gmsh_reader *r)
{
  while (r->at < r->size && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at]) r->at++;
}

/* Error: the file has no number where one is required. */
static int not_a(triad_gmsh_reader *r, const char *wanted)
{
  skip_blanks(r);
  if (r->at >= r->size) return triad_gmsh_bad(r, "the file ends here");
  return triad_gmsh_bad(r, r->text[r->at] == '$' ? "the section ends before all declared data" : wanted);
}

/* The next word of an ASCII part is a whole number. */
int triad_gmsh_take_text_integer(triad_gmsh_reader *r, int64_t *out)
{
  char *end;
  long long value = strtoll(r->text + r->at, &end, 10);
  if (end == r->text + r->at) return not_a(r, "expected a whole number");
  r->at = end - r->text;
  *out = value;
  return TRIAD_OK;
}

static int take_integer(triad_gmsh_reader *r, int bytes, int64_t *out)
{
  int32_t narrow;
  if (!r->binary) return triad_gmsh_take_text_integer(r, out);
  if (bytes == 8) return take_bytes(r, out, 8);
  TRIAD_TRY(take_bytes(r, &narrow, 4));
  *out = narrow;
  return TRIAD_OK;
}

int triad_gmsh_take_int(triad_gmsh_reader *r, int64_t *out) { return take_integer(r, 4, out); }
int triad_gmsh_take_size(triad_gmsh_reader *r, int64_t *out) { return take_integer(r, r->version == 4 ? 8 : 4, out); }

int triad_gmsh_take_real(triad_gmsh_reader *r, double *out)
{
  char *end;
  if (r->binary) return take_bytes(r, out, 8);
  *out = strtod(r->text + r->at, &end);
  if (end == r->text + r->at) return not_a(r, "expected a number");
  r->at = end - r->text;
  return TRIAD_OK;
}

int triad_gmsh_take_count(triad_gmsh_reader *r, int64_t least, int64_t *out)
{
  TRIAD_TRY(triad_gmsh_take_size(r, out));
  if (*out < 0 || *out > (r->size - r->at) / least)
    return triad_gmsh_bad(r, "the file contains less data than it declares");
  return TRIAD_OK;
}

/* ---- sections ---- */

void triad_gmsh_skip_line(triad_gmsh_reader *r)
{
  while (r->at < r->size && r->text[r->at] != '\n') r->at++;
  if (r->at < r->size) r->at++;
}

int triad_gmsh_find_section(triad_gmsh_reader *r, const char *name)
{
  char line[40];
  int n = snprintf(line, sizeof line, "$%s", name);
  const char *from = r->text;
  for (int64_t left = r->size; left >= n;) {
    const char *found = memmem(from, (size_t)left, line, (size_t)n);
    if (!found) return 0;
    const char *after = found + n;
    while (after < r->text + r->size && (*after == ' ' || *after == '\t' || *after == '\r')) after++;
    if ((found == r->text || found[-1] == '\n') && (after == r->text + r->size || *after == '\n')) {
      r->at = found - r->text;
      triad_gmsh_skip_line(r);
      return 1;
    }
    left = r->text + r->size - (found + 1);
    from = found + 1;
  }
  return 0;
}

int triad_gmsh_end_section(triad_gmsh_reader *r)
{
  static const char line[] = "$End";
  const int64_t n = sizeof line - 1;
  skip_blanks(r);
  if (r->size - r->at >= n && memcmp(r->text + r->at, line, (size_t)n) == 0) return TRIAD_OK;
  return triad_gmsh_bad(r, r->at >= r->size ? "the file ends here" : "the section contains more data than it declares");
}

int triad_gmsh_take_format(triad_gmsh_reader *r)
{
  double version = 0;
  int64_t kind = 0, bytes = 0, one = 1;
  if (!triad_gmsh_find_section(r, "MeshFormat")) {
    const char *foreign = triad_foreign_format(r->path, r->text, r->size);
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: %s%s: only Gmsh (MSH 4.1 and 2.2) and CGNS meshes can be read", r->path,
                      foreign ? "this is " : "$MeshFormat is missing: not a Gmsh mesh", foreign ? foreign : "");
  }
  TRIAD_TRY(triad_gmsh_take_real(r, &version));
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &kind));
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &bytes));
  r->version = version > 4.05 && version < 4.15 ? 4 : version > 2.15 && version < 2.25 ? 2 : 0;
  if (!r->version) return triad_gmsh_bad(r, "only versions 4.1 and 2.2 can be read: use gmsh -format msh41");
  if (bytes != 8 || kind < 0 || kind > 1)
    return triad_gmsh_bad(r, "only numbers of 8 bytes, ASCII or binary, can be read");
  triad_gmsh_skip_line(r);
  r->binary = (int)kind;
  if (r->binary) TRIAD_TRY(triad_gmsh_take_int(r, &one));
  return one == 1 ? TRIAD_OK : triad_gmsh_bad(r, "binary numbers in another byte order");
}

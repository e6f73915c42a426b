/* Read numbers, lines and section marks of a Gmsh file. */
#include "mesh/read/gmsh/gmsh_numbers.h"
#include "mesh/read/gmsh/gmsh_reader.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- numbers ---- */

int triad_gmsh_bad(const triad_gmsh_reader *r, const char *what) { return triad_mesh_scan_bad(&r->s, "%s", what); }

/* Is a section's end next, where a number is required? */
static int is_over(triad_gmsh_reader *r)
{
  triad_mesh_scan_skip(&r->s);
  return r->s.at < r->s.size && r->s.text[r->s.at] == '$';
}

static int over(const triad_gmsh_reader *r) { return triad_gmsh_bad(r, "the section ends before all declared data"); }

/* The next word of an ASCII part is a whole number. */
int triad_gmsh_take_text_integer(triad_gmsh_reader *r, int64_t *out)
{
  return is_over(r) ? over(r) : triad_mesh_scan_integer(&r->s, out);
}

static int take_integer(triad_gmsh_reader *r, int bytes, int64_t *out)
{
  return r->s.binary ? triad_mesh_scan_binary_integer(&r->s, bytes, out) : triad_gmsh_take_text_integer(r, out);
}

int triad_gmsh_take_int(triad_gmsh_reader *r, int64_t *out)
{
  const int64_t at = r->s.at;
  TRIAD_TRY(take_integer(r, 4, out));
  if (*out > INT32_MIN && *out <= INT32_MAX) return TRIAD_OK;
  r->s.at = at;
  return triad_gmsh_bad(r, "expected a whole number of 32 bits");
}

int triad_gmsh_take_size(triad_gmsh_reader *r, int64_t *out) { return take_integer(r, r->version >= 40 ? 8 : 4, out); }

int triad_gmsh_take_real(triad_gmsh_reader *r, double *out)
{
  if (r->s.binary) return triad_mesh_scan_binary_real(&r->s, 8, out);
  return is_over(r) ? over(r) : triad_mesh_scan_any_real(&r->s, out);
}

int triad_gmsh_take_count(triad_gmsh_reader *r, int64_t least, int64_t *out)
{
  TRIAD_TRY(triad_gmsh_take_size(r, out));
  if (*out < 0 || *out > (r->s.size - r->s.at) / least)
    return triad_gmsh_bad(r, "the file contains less data than it declares");
  return TRIAD_OK;
}

/* ---- sections ---- */

int triad_gmsh_find_section(triad_gmsh_reader *r, const char *name)
{
  char line[40];
  int n = snprintf(line, sizeof line, "$%s", name);
  const char *from = r->s.text;
  for (int64_t left = r->s.size; left >= n;) {
    const char *found = memmem(from, (size_t)left, line, (size_t)n);
    if (!found) return 0;
    const char *after = found + n;
    while (after < r->s.text + r->s.size && (*after == ' ' || *after == '\t' || *after == '\r')) after++;
    if ((found == r->s.text || found[-1] == '\n') && (after == r->s.text + r->s.size || *after == '\n')) {
      r->s.at = found - r->s.text;
      triad_mesh_scan_skip_line(&r->s);
      return 1;
    }
    left = r->s.text + r->s.size - (found + 1);
    from = found + 1;
  }
  return 0;
}

int triad_gmsh_check_missing(triad_gmsh_reader *r, const char *name)
{
  char end[80];
  (void)snprintf(end, sizeof end, "End%s", name);
  if (!triad_gmsh_find_section(r, end)) return TRIAD_OK;
  (void)snprintf(end, sizeof end, "$End%s without $%s: damaged", name, name);
  return triad_gmsh_bad(r, end);
}

int triad_gmsh_end_section(triad_gmsh_reader *r)
{
  static const char line[] = "$End";
  const int64_t n = sizeof line - 1;
  triad_mesh_scan_skip(&r->s);
  if (r->s.size - r->s.at >= n && strncasecmp(r->s.text + r->s.at, line, (size_t)n) == 0)
    return TRIAD_OK; /* MSH 1: $END */
  return triad_gmsh_bad(r, r->s.at >= r->s.size ? "the file ends here"
                                                : "the section contains more data than it declares");
}

/* MSH 1 has no header. */
static int is_first_version(triad_gmsh_reader *r)
{
  r->version = 10;
  return triad_gmsh_find_section(r, "NOD");
}

int triad_gmsh_take_format(triad_gmsh_reader *r)
{
  double version = 0;
  int64_t kind = 0, bytes = 0, one = 1;
  if (!triad_gmsh_find_section(r, "MeshFormat"))
    return is_first_version(r) ? TRIAD_OK
                               : TRIAD_FAIL(TRIAD_ERR_CASE, "%s: $MeshFormat is missing: not a Gmsh mesh", r->s.path);
  TRIAD_TRY(triad_gmsh_take_real(r, &version));
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &kind));
  TRIAD_TRY(triad_gmsh_take_text_integer(r, &bytes));
  r->version = version >= 1 && version < 5 ? (int)lround(10 * version) : 0;
  if (r->version != 41 && r->version != 40 && (r->version < 20 || r->version > 22))
    return triad_gmsh_bad(r,
                          "only versions 1, 2.0 to 2.2, 4.0 and 4.1 can be read: use gmsh FILE -save -format msh41 -o "
                          "NEW.msh");
  if (bytes != 8 || kind < 0 || kind > 1)
    return triad_gmsh_bad(r, "only numbers of 8 bytes, ASCII or binary, can be read");
  if (kind == 1 && r->version == 40)
    return triad_gmsh_bad(
      r, "binary files of version 4.0 cannot be read: use gmsh FILE -save -format msh41 -bin -o NEW.msh");
  triad_mesh_scan_skip_line(&r->s);
  r->s.binary = (int)kind;
  if (r->s.binary) TRIAD_TRY(triad_gmsh_take_int(r, &one));
  r->s.swapped = one == 0x01000000;
  return one == 1 || r->s.swapped ? TRIAD_OK : triad_gmsh_bad(r, "the first binary number must be 1: damaged");
}

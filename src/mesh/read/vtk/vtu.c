/* Read an XML file of VTK (vtu.h) with expat (libexpat.github.io). Appended data may be raw bytes, which are no XML, so
 * the file is cut there, and the part before it is parsed. */
#include "mesh/read/vtk/vtu.h"
#include "mesh/read/vtk/vtu_data.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triad_mesh_vtu_is(const triad_mesh_look *look)
{
  return triad_mesh_look_begins(look, 0, "<VTKFile") ||
         (triad_mesh_look_begins(look, 0, "<?xml") && memmem(look->head, (size_t)look->length, "<VTKFile", 8) != NULL);
}

#ifdef TRIAD_EXPAT
#include <expat.h>

enum { TYPE = 24 };

typedef struct reading {
  triad_mesh_scan *s;
  triad_mesh_draft *d;
  triad_vtu_form form;
  triad_vtk_grid grid;
  XML_Parser parser;
  int st;                /* of what the calls of expat do */
  int64_t points, cells; /* that the piece declares, -1: it does not */
  int section;           /* the array that the section is for: points, connectivity (of cells), cells (their data) */
  triad_vtk_array *into; /* the array that is read; NULL: it is skipped */
  char type[TYPE];
  int appended; /* 1: the data of this array are appended, -1: inline as base64, 0: as text */
  int64_t offset;
  char *text; /* inline data */
  int64_t n_text, room_text, n_grids;
  const char *data; /* appended data */
  int64_t n_data;
  int raw;
} reading;

static const char *attribute(const char **attributes, const char *name)
{
  for (int i = 0; attributes[i]; i += 2)
    if (strcmp(attributes[i], name) == 0) return attributes[i + 1];
  return "";
}

static void fail(reading *r, int st)
{
  if (st == TRIAD_OK || r->st != TRIAD_OK) return;
  r->st = st;
  (void)XML_StopParser(r->parser, XML_FALSE);
}

static int take_file(reading *r, const char **a)
{
  const char *compressor = attribute(a, "compressor"), *type = attribute(a, "type");
  static const int32_t one = 1;
  const int little = *(const char *)&one == 1;
  if (strcmp(type, "UnstructuredGrid") != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a VTK file of %.40s: only UnstructuredGrid (.vtu) can be read", r->s->path,
                      type);
  r->form.swapped = strcmp(attribute(a, "byte_order"), "BigEndian") == 0 ? little : !little;
  r->form.wide = strcmp(attribute(a, "header_type"), "UInt64") == 0;
  r->form.packed = compressor[0] != '\0';
  if (r->form.packed && strcmp(compressor, "vtkZLibDataCompressor") != 0)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: packed by %.60s: only vtkZLibDataCompressor can be read: write it with that",
                      r->s->path, compressor);
  return TRIAD_OK;
}

/* A count of a piece; -1: the attribute is missing. */
static int64_t count_of(reading *r, const char **a, const char *name)
{
  char *end;
  const char *text = attribute(a, name);
  const long long n = strtoll(text, &end, 10);
  if (!text[0]) return -1;
  if (*end || n < 0) fail(r, TRIAD_FAIL(TRIAD_ERR_CASE, "%s: a Piece with %s=\"%.40s\"", r->s->path, name, text));
  return n;
}

static int check_piece(const reading *r)
{
  const int64_t points = r->grid.array[TRIAD_VTK_POINTS].n, cells = r->grid.array[TRIAD_VTK_TYPES].n;
  if ((r->points < 0 || points == 3 * r->points) && (r->cells < 0 || cells == r->cells)) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE,
                    "%s: a Piece declares %" PRId64 " points and %" PRId64 " cells, but has %" PRId64
                    " coordinates and %" PRId64 " types of cells: damaged",
                    r->s->path, r->points, r->cells, points, cells);
}

static int take_form(reading *r, const char *format)
{
  r->appended = strcmp(format, "appended") == 0 ? 1 : strcmp(format, "binary") == 0 ? -1 : 0;
  if (r->appended != 0 || strcmp(format, "ascii") == 0 || !format[0]) return TRIAD_OK;
  return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: an array of format %.40s: must be ascii, binary or appended", r->s->path,
                    format);
}

static void begin_array(reading *r, const char **a)
{
  static const char *const names[] = {
    [TRIAD_VTK_CONNECTIVITY] = "connectivity", [TRIAD_VTK_OFFSETS] = "offsets", [TRIAD_VTK_TYPES] = "types"};
  const char *name = attribute(a, "Name"), *format = attribute(a, "format"),
             *components = attribute(a, "NumberOfComponents");
  r->into = r->section == TRIAD_VTK_POINTS ? &r->grid.array[TRIAD_VTK_POINTS] : NULL;
  for (int i = TRIAD_VTK_CONNECTIVITY; i <= TRIAD_VTK_TYPES; i++)
    if (r->section == TRIAD_VTK_CONNECTIVITY && strcmp(name, names[i]) == 0) r->into = &r->grid.array[i];
  const int single = components[0] == '\0' || strcmp(components, "1") == 0;
  const int rank = r->section == TRIAD_VTK_CELLS && single ? triad_vtk_rank(name) : 0;
  if (rank > r->grid.rank) {
    r->grid.rank = rank;
    r->into = &r->grid.array[TRIAD_VTK_CELLS];
    (void)snprintf(r->into->name, TRIAD_MESH_NAME, "%.63s", name);
  }
  if (r->section == TRIAD_VTK_CELLS && triad_vtk_is_ghosts(name)) r->into = &r->grid.ghosts;
  if (!r->into) return;
  r->into->n = 0;
  fail(r, take_form(r, format));
  r->form.before = (int64_t)XML_GetCurrentLineNumber(r->parser) - 1;
  r->offset = strtoll(attribute(a, "offset"), NULL, 10);
  r->n_text = 0;
  (void)snprintf(r->type, TYPE, "%.20s", attribute(a, "type"));
}

static void begin_element(void *self, const char *name, const char **a)
{
  reading *r = self;
  if (strcmp(name, "VTKFile") == 0) fail(r, take_file(r, a));
  else if (strcmp(name, "Piece") == 0) {
    r->points = count_of(r, a, "NumberOfPoints");
    r->cells = count_of(r, a, "NumberOfCells");
  } else if (strcmp(name, "Points") == 0) r->section = TRIAD_VTK_POINTS;
  else if (strcmp(name, "Cells") == 0) r->section = TRIAD_VTK_CONNECTIVITY;
  else if (strcmp(name, "CellData") == 0) r->section = TRIAD_VTK_CELLS;
  else if (strcmp(name, "DataArray") == 0) begin_array(r, a);
}

static void add_text(void *self, const char *text, int n)
{
  reading *r = self;
  if (!r->into || r->appended == 1 || r->st != TRIAD_OK) return;
  if (r->n_text + n + 1 > r->room_text) {
    const int64_t room = 2 * r->room_text + n + 1024;
    char *more = realloc(r->text, (size_t)room);
    if (!more) {
      fail(r, TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: %" PRId64 " bytes of an array", r->s->path, room));
      return;
    }
    r->text = more;
    r->room_text = room;
  }
  memcpy(r->text + r->n_text, text, (size_t)n);
  r->n_text += n;
  r->text[r->n_text] = '\0';
  triad_guard_alive(r->s->guard);
}

static int end_array(reading *r)
{
  if (r->appended == 1) {
    if (r->offset < 0 || r->offset >= r->n_data)
      return TRIAD_FAIL(TRIAD_ERR_CASE,
                        "%s: an array begins at byte %" PRId64 " of %" PRId64 " appended bytes: cut off", r->s->path,
                        r->offset, r->n_data);
    return triad_vtu_binary(&r->form, r->type, r->raw, r->data + r->offset, r->n_data - r->offset, r->into);
  }
  if (r->n_text == 0) return TRIAD_OK;
  return r->appended < 0 ? triad_vtu_binary(&r->form, r->type, 0, r->text, r->n_text, r->into)
                         : triad_vtu_text(&r->form, r->text, r->n_text, r->into);
}

static void end_element(void *self, const char *name)
{
  reading *r = self;
  if (r->st != TRIAD_OK) return;
  if (strcmp(name, "DataArray") == 0 && r->into) {
    fail(r, end_array(r));
    r->into = NULL;
  } else if (strcmp(name, "Points") == 0 || strcmp(name, "Cells") == 0 || strcmp(name, "CellData") == 0) {
    r->section = -1;
  } else if (strcmp(name, "Piece") == 0) {
    const int st = check_piece(r);
    fail(r, st == TRIAD_OK ? triad_vtk_grid_give(&r->grid, r->d) : st);
    triad_vtk_grid_free(&r->grid);
    r->n_grids++;
  }
}

/* Entities are no part of these files. */
static void refuse_entity(void *self, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                          const XML_Char *base, const XML_Char *system, const XML_Char *public,
                          const XML_Char *notation)
{
  reading *r = self;
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  fail(r,
       TRIAD_FAIL(TRIAD_ERR_CASE, "%s: it declares the entity %.40s, which VTK files do not have", r->s->path, name));
}

/* Where the appended data are; returns how many bytes of XML come before them. */
static int64_t find_appended(reading *r)
{
  const char *tag = memmem(r->s->text, (size_t)r->s->size, "<AppendedData", 13), *end = r->s->text + r->s->size;
  const char *head = tag ? memchr(tag, '>', (size_t)(end - tag)) : NULL;
  const char *mark = head ? memchr(head, '_', (size_t)(end - head)) : NULL;
  if (!mark) return r->s->size;
  r->raw = memmem(tag, (size_t)(head - tag), "raw", 3) != NULL;
  r->data = mark + 1;
  r->n_data = end - r->data;
  return tag - r->s->text;
}

enum { PIECE = 1 << 26 };

static int parse(reading *r)
{
  const int64_t n = find_appended(r);
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, begin_element, end_element);
  XML_SetCharacterDataHandler(r->parser, add_text);
  XML_SetEntityDeclHandler(r->parser, refuse_entity);
  for (int64_t at = 0; at < n && r->st == TRIAD_OK; at += PIECE) {
    const int piece = n - at < PIECE ? (int)(n - at) : PIECE;
    if (XML_Parse(r->parser, r->s->text + at, piece, at + piece == r->s->size) == XML_STATUS_ERROR && r->st == TRIAD_OK)
      r->st =
        TRIAD_FAIL(TRIAD_ERR_CASE, "%s: line %lu: %s: damaged, or no XML", r->s->path,
                   (unsigned long)XML_GetCurrentLineNumber(r->parser), XML_ErrorString(XML_GetErrorCode(r->parser)));
  }
  if (r->st != TRIAD_OK) return r->st;
  if (r->n_grids == 0) return TRIAD_FAIL(TRIAD_ERR_CASE, "%s: it contains no whole Piece: cut off", r->s->path);
  return triad_mesh_draft_give(r->d);
}

int triad_mesh_vtu_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  triad_mesh_scan s = {.text = NULL};
  triad_mesh_draft d = {.scan = &s, .out = out, .faults = faults, .either_prism = 1};
  reading r = {.s = &s, .d = &d, .form = {.path = path, .guard = guard}, .section = -1};
  int st = triad_mesh_scan_load(&s, path, guard);
  if (st == TRIAD_OK) {
    r.parser = XML_ParserCreate(NULL);
    st = r.parser ? parse(&r) : TRIAD_FAIL(TRIAD_ERR_MEMORY, "%s: expat", path);
  }
  if (r.parser) XML_ParserFree(r.parser);
  triad_vtk_grid_free(&r.grid);
  triad_mesh_draft_free(&d);
  free(r.text);
  triad_mesh_scan_free(&s);
  return st;
}
#else
int triad_mesh_vtu_parse(const char *path, triad_guard *guard, triad_mesh_contents *out, triad_faults *faults)
{
  (void)guard;
  (void)out;
  (void)faults;
  return TRIAD_FAIL(TRIAD_ERR_FEATURE,
                    "%s: an XML file, and this build has no expat: install libexpat1-dev and build again", path);
}
#endif

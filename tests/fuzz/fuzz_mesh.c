/* A mesh file of any format and any bytes: refused, or cells whose corners are points and sides of patches, which are
 * joined and measured or refused. Counts without arrays are the same, as are the faults. */
#include "fuzz.h"
#include "mesh/read/file_sides.h"
#include "mesh/sizes.h"

#include "mesh/read/formats.h"
#include "mesh/polyhedra.h"

#include <strings.h>

/* The files of a mesh of OpenFOAM, one behind the other in the input, each of which begins so. */
static const char foam[] = "FoamFile";
static const char *const parts[] = {"points", "faces", "owner", "neighbour", "boundary"};
enum { PARTS = sizeof parts / sizeof *parts };
static char folder[] = "/dev/shm/fuzz-foam-XXXXXX";

static void remove_folder(void)
{
  char path[128];
  for (int i = 0; i < PARTS; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
    (void)unlink(path);
  }
  (void)rmdir(folder);
}

static const char *write_folder(const uint8_t *data, size_t size)
{
  static int made = 0;
  if (!made) {
    MUST(mkdtemp(folder) && atexit(remove_folder) == 0);
    made = 1;
  }
  const uint8_t *at = data, *end = data + size;
  for (int i = 0; i < PARTS; i++) {
    char path[128];
    const uint8_t *next = at < end ? memmem(at + 1, (size_t)(end - at - 1), foam, sizeof foam - 1) : NULL;
    if (!next || i == PARTS - 1) next = end;
    (void)snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
    FILE *to = fopen(path, "wb");
    MUST(to && fwrite(at, 1, (size_t)(next - at), to) == (size_t)(next - at) && fclose(to) == 0);
    at = next;
  }
  return folder;
}

/* Contents with polyhedra; their numbers are checked when the mesh is made. */
static void check_faces(const triad_mesh_contents *c)
{
  MUST(c->first_point[0] == 0 && c->first_point[c->n.faces] == c->n.face_points);
  MUST(c->first_face[0] == 0 && c->first_face[c->n.cells] == c->n.cell_faces);
  for (int64_t i = 0; i < c->n.faces; i++) MUST(c->face_patch[i] >= -1 && c->face_patch[i] < c->n.patches);
}

static void check_contents(const triad_mesh_contents *c)
{
  int64_t corners = 0;
  MUST(c->n.patches <= TRIAD_MESH_PATCHES);
  for (int64_t i = 0; i < c->n.cells && c->n.faces == 0; i++) {
    MUST(c->shape[i] < TRIAD_MESH_POLYHEDRON);
    corners += triad_mesh_shapes[c->shape[i]].corners;
  }
  MUST(corners == c->n.corners);
  if (c->n.faces > 0) check_faces(c);
  for (int64_t i = 0; i < corners; i++) MUST(c->corner[i] >= 0 && c->corner[i] < c->n.points);
  for (int64_t i = 0; i < c->n.sides; i++) {
    MUST(c->side[i].patch >= 0 && c->side[i].patch < c->n.patches && c->side[i].n >= 3 &&
         c->side[i].n <= TRIAD_MESH_SIDE_POINTS);
    for (int k = 0; k < c->side[i].n; k++) MUST(c->side[i].point[k] >= 0 && c->side[i].point[k] < c->n.points);
  }
  for (int i = 0; i < c->n.patches; i++) MUST(c->name[i][0] && memchr(c->name[i], '\0', TRIAD_MESH_NAME));
}

static void make_mesh(triad_memory *memory, triad_mesh_contents *c, const char *path, triad_faults *faults)
{
  triad_mesh *mesh = NULL;
  triad_mesh_sides_of_file(c, faults);
  int st = triad_faults_end(faults, triad_mesh_file_mesh(&mesh, memory, c, path, faults));
  if (st == TRIAD_OK) st = triad_mesh_measure(mesh);
  MUST(st == TRIAD_OK || (st == TRIAD_ERR_CASE && triad_message()[0]));
  for (int64_t i = 0; st == TRIAD_OK && i < mesh->n_cells; i++) MUST(mesh->volume[i] > 0);
  triad_mesh_destroy(&mesh);
}

/* Two formats are known by their names alone: binary medit, which begins with a 1 in either byte order, and UGRID. */
static const triad_mesh_format *find_by_name(const uint8_t *data, size_t size)
{
  const int medit = size > 3 && data[0] + data[3] == 1 && data[1] == 0 && data[2] == 0;
  int i = 0;
  while (triad_mesh_format_at(i) && strcmp(triad_mesh_format_at(i)->name, medit ? "medit" : "UGRID") != 0) i++;
  MUST(triad_mesh_format_at(i));
  return triad_mesh_format_at(i);
}

/* TRIAD_FUZZ_FORMAT names the only format whose reader is called, so that all time is spent on it. */
static const triad_mesh_format *only;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  const char *name = getenv("TRIAD_FUZZ_FORMAT");
  for (int i = 0; name && !only; i++) {
    const triad_mesh_format *format = triad_mesh_format_at(i);
    if (!format) {
      (void)fprintf(stderr, "TRIAD_FUZZ_FORMAT=%s: no format of meshes\n", name);
      exit(64);
    }
    if (strcasecmp(format->name, name) == 0) only = format;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const int many = size >= sizeof foam && memcmp(data, foam, sizeof foam - 1) == 0;
  const char *path = many ? write_folder(data, size) : file_of(data, size);
  triad_memory *memory = NULL;
  triad_mesh_contents c = {.n = {0}};
  MUST(triad_memory_create(&memory) == TRIAD_OK);
  triad_faults faults = {0}, again = {0};
  const triad_mesh_format *format = NULL;
  int st = triad_mesh_format_find(&format, path);
  if (st != TRIAD_OK) {
    triad_message_clear();
    format = find_by_name(data, size);
    st = TRIAD_OK;
  }
  if (only && format != only) {
    triad_memory_destroy(&memory);
    return 0;
  }
  const int skipped = strcmp(format->name, "CGNS") == 0; /* its library is not fuzzed here */
  if (st == TRIAD_OK && !skipped) st = format->parse(path, NULL, &c, &faults);
  if (st != TRIAD_OK) st = triad_faults_end(&faults, st);
  MUST(st == TRIAD_OK || (st == TRIAD_ERR_CASE && triad_message()[0]));
  if (st == TRIAD_OK && !skipped) {
    triad_mesh_contents counts = {.counted = 1};
    MUST(format->parse(path, NULL, &counts, &again) == TRIAD_OK && memcmp(&c.n, &counts.n, sizeof c.n) == 0);
    MUST(again.n == faults.n && strcmp(again.text, faults.text) == 0);
    check_contents(&c);
    make_mesh(memory, &c, path, &faults);
  }
  free(c.block);
  triad_memory_destroy(&memory);
  triad_message_clear();
  return 0;
}

/* Check a case of the unstructured solver, list its columns, and count its memory, files and the cost of a step. */
#include "solvers/unstructured/case/check.h"
#include "solvers/unstructured/files/output.h"
#include "solvers/gas/force.h"
#include "solvers/gas/keys.h"
#include "solvers/unstructured/measure/budget.h"
#include "solvers/device_choice.h"
#include "solvers/slice_list.h"
#include "solvers/unstructured/host/host_bricks.h"
#include "solvers/unstructured/host/host_brick_rings.h"

#include <math.h>

static int are_tets(const triad_mesh_size *m) { return m->corners == 4 * m->cells && m->polygons == 0; }

/* Bytes of centres and volumes, which tetrahedra free once they have been measured and partitioned. */
static int64_t measured_bytes(const triad_mesh_size *m) { return are_tets(m) ? 0 : 32 * m->cells; }

/* Bytes of the whole mesh, or of a part, whose cells and points also have global numbers and owners; polyhedra have
 * lists of their sides. */
static int64_t mesh_bytes(const triad_mesh_size *m, int is_part)
{
  return m->points * (24 + 4 * is_part) + m->cells * (9 + 8 * is_part) + measured_bytes(m) + m->corners * 4 +
         (m->polygons > 0 ? 8 * (m->cells + m->polygons) + 4 * m->polygon_points : 0);
}

/* The size of a rank's part of a partitioned mesh: its share, and the neighbouring cells with which it has points in
 * common. */
static triad_mesh_size part_of(const triad_mesh_size *all, int size, int64_t around)
{
  const double share = (double)(all->cells / size + 1 + around) / (double)all->cells;
  const int64_t cells = (int64_t)(share * (double)all->cells);
  const triad_mesh_size part = {.points = (int64_t)(share * (double)all->points),
                                .cells = cells,
                                .corners = are_tets(all) ? 4 * cells : (int64_t)(share * (double)all->corners),
                                .polygons = (int64_t)(share * (double)all->polygons),
                                .polygon_points = (int64_t)(share * (double)all->polygon_points),
                                .faces = (int64_t)(share * (double)all->faces)};
  return part;
}

/* Bytes of a rank's domain. Lists store each side of a cell, zones none. measured: number of faces with stored
 * geometry; with: number of cells with a volume. */
static int64_t domain_bytes(const triad_mesh_size *own, int64_t measured, int64_t with, int64_t real)
{
  const int64_t inside = 6 * own->zoned, listed = own->sides > inside ? own->sides - inside : 0;
  const int64_t faces = own->faces > 3 * own->zoned ? own->faces - 3 * own->zoned : 0;
  return measured * TRIAD_UNSTRUCTURED_GEOMETRY * real + faces * 8 + listed * 8 + with * (real + 1);
}

/* Slices of a file that is passed on as it is read, and the sides of its patches. Of another one rank 0 holds the
 * contents until the other ranks have theirs; with polyhedra also the cells made of it. */
static int64_t file_bytes(const triad_mesh_size *m, int size)
{
  if (m->streamed && size > 1) return (m->points * 24 + m->cells * 9 + m->corners * 4) / size + 56 * m->outer;
  const int64_t listed = m->points * 24 + m->cells + m->corners * 4;
  return m->polygons > 0 ? listed + mesh_bytes(m, 0) + 6 * m->polygons + 2 * m->polygon_points : listed;
}

/* The larger memory of two phases: while sides of cells are joined, before cells have centres; and while lists are
 * made, when parts of the mesh that are freed later and the offsets of the cells' sides still exist. */
static int64_t start_bytes(const triad_mesh_size *m, const triad_mesh_size *own)
{
  const int64_t faces = m->faces * (8 + 16 + 3) - measured_bytes(m),
                sides = (int64_t)((double)own->sides * (double)m->cells / (double)own->cells);
  const int64_t joined = faces + 12 * sides + 8 * m->points,
                listed = faces + m->cells * (4 + 32) + own->cells * 8 + own->sides * 4;
  return joined > listed ? joined : listed;
}

/* Bytes of METIS on rank 0; 0: it is not asked. It gives way to another method if they are not free. */
static int64_t metis_bytes(const triad_unstructured_setup *s, const triad_mesh_size *all, int size)
{
  return size > 1 && s->source.partitioner == &triad_graph_metis ? triad_graph_metis_bytes(all->cells, all->sides) : 0;
}

/* While a library assigns cells to ranks: the slice and its sides, as they are sent and received; then the graph, on
 * which PT-Scotch works in 44 bytes a neighbour of its own cells (measured with a million cubes), as it does in place
 * of METIS. */
static int64_t dealt_bytes(const triad_unstructured_setup *s, const triad_mesh_size *all, int size)
{
  if (size == 1 || !s->source.partitioner) return 0;
  const int64_t neighbours = 2 * (all->faces - all->outer), slice = (9 * all->cells + 4 * all->corners) / size;
  const int64_t sides = 40 * (all->sides / size), graph = (12 * all->cells + 4 * neighbours) / size;
  const int64_t whole = (12 * all->cells + 48 * neighbours) / size;
  return slice + (sides > graph + whole ? sides : graph + whole);
}

static int has_gradients(const triad_unstructured_setup *s)
{
  return (s->transport != TRIAD_UNSTRUCTURED_LOW && s->linear) || s->viscosity > 0;
}

/* Stages and fluxes. Gradients before the mean over neighbours is taken count as if there were cells of few faces. */
static int64_t loops_bytes(const triad_unstructured_setup *s, int64_t faces, int64_t with, int64_t real)
{
  const int high = s->transport != TRIAD_UNSTRUCTURED_LOW;
  const int64_t td = TRIAD_UNSTRUCTURED_FIELDS * with > faces ? TRIAD_UNSTRUCTURED_FIELDS * with : faces;
  const int64_t stages = td + TRIAD_UNSTRUCTURED_FIELDS * high * faces,
                slopes = s->wide && has_gradients(s) ? TRIAD_UNSTRUCTURED_GRADIENT * with : 0;
  return real * (faces * TRIAD_UNSTRUCTURED_FIELDS + (stages > slopes ? stages : slopes));
}

/* Bricks of a rank, as far as is known before there is a mesh, of which nothing is kept of faces, and seams; the box
 * that they fill. */
typedef struct bricks {
  int64_t cells, seams, n[3];
} bricks;

/* Are their zones between outer faces alone? */
static int are_whole(const triad_unstructured_setup *s, const triad_mesh_size *all, int size)
{
  int whole = size == 1 && all->zoned == all->cells;
  for (int i = 0; i < s->n_patches; i++) whole = whole && s->patch[i].kind != TRIAD_UNSTRUCTURED_PERIODIC;
  return whole;
}

/* Else a cube has lost its surface, on several ranks twice as many cells. */
static bricks bricks_of(const triad_unstructured_setup *s, const triad_mesh_size *all, int size)
{
  const triad_mesh_generator *g = &s->source.made;
  const int64_t zoned = all->zoned / size, surface = (int64_t)((size > 1 ? 12 : 6) * pow((double)zoned, 2. / 3));
  bricks b = {0};
  if (s->source.file[0] || g->form != TRIAD_MESH_BOX || g->shake > 0 || g->cut[1] > g->cut[0] ||
      !triad_unstructured_bricks_serve(s))
    return b;
  b.seams = are_whole(s, all, size) ? 0 : surface < zoned ? surface : zoned;
  b.cells = zoned - b.seams;
  for (int a = 0; a < 3; a++) b.n[a] = b.seams > 0 ? (int64_t)ceil(cbrt((double)b.cells)) : g->n[a];
  return b;
}

static int64_t window_of(const triad_unstructured_setup *s, const bricks *b)
{
  const int64_t plane = b->n[0] * b->n[1];
  return b->cells > 0 ? plane * triad_unstructured_window_layers(plane, b->n[2], s->layers) : 0;
}

/* Gradients, later bounds and parts; what is kept of some layers of bricks; limits of `seen` cells. */
static int64_t work_bytes(const triad_unstructured_setup *s, const bricks *b, int64_t faces, int64_t with, int64_t seen,
                          int on_gpu, int64_t real)
{
  const int64_t window = on_gpu ? window_of(s, b) : 0;
  const int components = triad_unstructured_by_components(s),
            gradients = has_gradients(s) && with > 0 && (b->cells == 0 || b->seams > 0);
  const int64_t kept = on_gpu         ? 4 * TRIAD_UNSTRUCTURED_FIELDS * window
                       : b->cells > 0 ? triad_unstructured_bricks_numbers(b->n[0], b->n[1])
                                      : 0;
  return real * (triad_unstructured_work_size(window + with, faces + 3 * window, gradients, components) + kept +
                 TRIAD_UNSTRUCTURED_LIMITS * seen);
}

/* The larger of a field that goes to a checkpoint: where each cell goes to (grid/fields/slab.h), messages, values; and
 * a chunk of a file of fields: its cells, points and n values as they are sent and received, the mesh made of them, the
 * piece that is written. */
static int64_t output_bytes(const triad_mesh_size *part, int64_t own, int64_t n, int64_t real)
{
  const int64_t cells = own < TRIAD_UNSTRUCTURED_FILE_CELLS ? own : TRIAD_UNSTRUCTURED_FILE_CELLS;
  const int64_t corners = part->corners / part->cells + 1, sides = part->polygon_points / part->cells;
  const int64_t cell = 2 * (8 + 4 * corners + 5 * sides) + 9 + 4 * corners, points = sides > 0 ? 64 * corners : 0;
  const int64_t fields = 4 * part->cells + cells * (cell + points + 8 * (2 + 3 * n)) + 88 * cells + (512 << 10);
  const int64_t checkpoint = own * (2 * (24 + 16 + real) + real);
  return fields > checkpoint ? fields : checkpoint;
}

/* As if the mesh filled a cube, and slices were as fine as its cells. */
static int check_slices(const triad_case *given, int64_t cells, triad_needs *needs)
{
  triad_slice list[TRIAD_SLICES];
  triad_axis axis[3];
  int n = 0;
  for (int a = 0; a < 3; a++) axis[a] = (triad_axis){.n = (int64_t)fmin(cbrt((double)cells) + 1, 1024), .length = 1};
  TRIAD_TRY(triad_slice_list_read(given, list, &n));
  needs->slices_bytes = triad_slice_list_bytes(list, n, axis);
  return TRIAD_OK;
}

static int read(triad_unstructured_setup *s, const triad_case *given)
{
  TRIAD_TRY(triad_unstructured_setup_read(s, given));
  TRIAD_TRY(triad_device_check(&triad_unstructured_devices, given));
  return s->source.partitioner ? triad_graph_need(s->source.partitioner, "grid.partition") : TRIAD_OK;
}

/* Rank 0 counts the contents of the file and broadcasts the sizes. `st`: status of this rank so far; *counted: 0 if
 * another rank has failed, which then prints the reason. */
static int count_for_all(const triad_comm *ranks, const triad_unstructured_setup *s, triad_mesh_size *all, int st,
                         int *counted)
{
  int good = st == TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, ranks->mpi)));
  if (good && ranks->rank == 0) st = triad_unstructured_setup_size(s, all, 0);
  good = good && st == TRIAD_OK;
  TRIAD_TRY(TRIAD_MPI(MPI_Bcast(&good, 1, MPI_INT, 0, ranks->mpi)));
  if (good) TRIAD_TRY(TRIAD_MPI(MPI_Bcast(all, (int)sizeof *all, MPI_BYTE, 0, ranks->mpi)));
  *counted = good;
  return st;
}

/* Steps of a Courant number with which the low-order flux need not keep density and pressure positive. */
static void warn_of_length(const triad_case *c, const triad_unstructured_setup *s, triad_case_warnings *d)
{
  const double cfl = triad_case_real(c, "time.cfl"), bound = triad_gas_positive_courant(s->riemann);
  const char *word = triad_case_word(c, "equations.low_order");
  if (s->transport == TRIAD_UNSTRUCTURED_HIGH) return;
  if (!(bound > 0))
    triad_case_warn(d,
                    "equations.low_order = \"%s\" does not keep density and pressure positive at strong jumps: use "
                    "\"rusanov\" or \"hllc\" if the run fails there",
                    word);
  else if (!(triad_case_real(c, "time.dt") > 0) && cfl > bound)
    triad_case_warn(d,
                    "time.cfl = %g exceeds %g, the maximum at which equations.low_order = \"%s\" keeps density and "
                    "pressure positive: use %g or less%s",
                    cfl, bound, word, bound, bound < 1 ? ", or \"rusanov\" up to 1" : "");
}

/* Patches that are not there are found when the mesh is made. */
int triad_unstructured_check(const triad_case *given, int size, int threads, triad_needs *needs)
{
  triad_unstructured_setup s;
  triad_mesh_size all;
  const int64_t real = (int64_t)sizeof(triad_real);
  int counted = 1, st = read(&s, given);
  (void)threads;
  if (needs->ranks && triad_case_word(given, "grid.file")[0]) st = count_for_all(needs->ranks, &s, &all, st, &counted);
  else if (st == TRIAD_OK) st = triad_unstructured_setup_size(&s, &all, needs->brief);
  TRIAD_TRY(st);
  if (!counted) return TRIAD_OK;
  const int64_t cells = all.cells;
  if (cells < size)
    return TRIAD_FAIL(TRIAD_ERR_CASE, "%lld cells on %d ranks: use fewer ranks", (long long)cells, size);
  const int64_t own = cells / size + 1;
  const int on_gpu = triad_device_expected(&triad_unstructured_devices, given);
  const bricks inside = bricks_of(&s, &all, size);
  const triad_mesh_size part = {
    .cells = own, .sides = all.sides / size + 1, .faces = all.faces / size + 1, .zoned = all.zoned / size};
  /* Memory of listed faces and of zones without bricks; of bricks only their outer faces and interface faces, and on
   * the host the faces on their surface. */
  const int64_t outer = all.outer / size,
                brick_faces = 3 * inside.cells - (inside.seams > 0 ? inside.seams / 2 : all.outer / 2);
  const triad_mesh_size listed = {.sides = part.sides - 6 * inside.cells +
                                           6 * (inside.seams > 0   ? inside.seams
                                                : inside.cells > 0 ? outer
                                                                   : 0),
                                  .faces = part.faces - brick_faces,
                                  .zoned = inside.cells > 0 ? 0 : part.zoned};
  /* a rank's share of the ghosts: the surface of a cube of its cells, twice; places beyond outer faces */
  const int64_t ghosts = size > 1 ? (int64_t)(12 * pow((double)own, 2. / 3)) : 0,
                with = own + ghosts + inside.seams + outer;
  const int64_t state = real * (own * TRIAD_UNSTRUCTURED_FIELDS + with * TRIAD_UNSTRUCTURED_VALUES);
  const int64_t before =
    on_gpu && inside.cells > 0 ? real * with * TRIAD_UNSTRUCTURED_VALUES : 0; /* values of a stage before */
  /* on a GPU faces between tetrahedra have corners (tets.h); of meshes with other cells as well it is not known
   * how many */
  const int by_corners = on_gpu && s.keeps != TRIAD_UNSTRUCTURED_KEEP_FACES && are_tets(&all);
  const int64_t domain = domain_bytes(&listed, by_corners ? outer : listed.faces, with, real);
  const int64_t kept = own > inside.cells + 1 || on_gpu ? with - inside.cells : 0;
  /* of zones that are no bricks all have a place */
  const int64_t seen = size == 1 ? 0 : part.zoned > 0 && inside.cells == 0 ? own + ghosts : 2 * ghosts;
  const int64_t loops =
    loops_bytes(&s, listed.faces, kept, real) + work_bytes(&s, &inside, listed.faces, kept, seen, on_gpu, real);
  const int is_part = size > 1, means = s.means ? TRIAD_UNSTRUCTURED_MEANS : 0;
  const triad_mesh_size mesh = is_part ? part_of(&all, size, ghosts) : all;
  const int64_t start = start_bytes(&mesh, &part), file = s.source.file[0] ? file_bytes(&all, size) : 0,
                dealt = dealt_bytes(&s, &all, size);
  const int64_t most = start > file ? start : file,
                beyond = (most > dealt ? most : dealt) - state - (on_gpu ? 0 : loops);
  triad_needs_add(&needs->rank, "mesh", is_part ? "a rank's part" : "the whole",
                  mesh_bytes(&mesh, is_part) + (beyond > 0 ? beyond : 0));
  triad_needs_add(&needs->rank, "domain", "faces and cells of a rank", domain + 4 * (1 + is_part) * with);
  triad_needs_add(&needs->rank, "state and values", "with ghosts", state);
  if (on_gpu)
    triad_needs_add(&needs->gpu, "state, stages, mesh",
                    by_corners && s.keeps == TRIAD_UNSTRUCTURED_KEEP_WHAT_FITS
                      ? "with ghosts; geometry of all faces if it fits in memory"
                      : "with ghosts",
                    state + before + loops + domain + by_corners * (16 * with + 32 * mesh.points));
  else triad_needs_add(&needs->rank, "stages and fluxes", "", loops);
  triad_needs_add_files(&needs->rank, "output", "while files are written",
                        output_bytes(&mesh, own, TRIAD_UNSTRUCTURED_OUTPUTS + means, real));
  if (s.reference.area > 0) {
    triad_needs_add(&needs->rank, "coefficients", "positions of outer faces", outer * 3 * (int64_t)sizeof(double));
    if (on_gpu) triad_needs_add(&needs->gpu, "mesh", "positions of outer faces", outer * 3 * (int64_t)sizeof(double));
  }
  if (triad_case_is(given, "forcing.kind", "formula"))
    triad_needs_add(&needs->rank, "forcing", "sources of cells",
                    own * TRIAD_GAS_FORMULA_SOURCES * (int64_t)sizeof(double));
  if (means) triad_needs_add(&needs->rank, "means", "", own * real * means);
  if (means && on_gpu) triad_needs_add(&needs->gpu, "means", "", own * real * means);
  needs->checkpoint_bytes = (5 + means) * cells * real;
  needs->fields_bytes = all.points * 24 + cells * (8 * 5 + 8 + 1 + (9 + means) * real);
  TRIAD_TRY(check_slices(given, cells, needs));
  needs->columns = triad_unstructured_columns(NULL, NULL, NULL);
  if (s.reference.area > 0) needs->columns += TRIAD_UNSTRUCTURED_MAX_COEFFICIENTS;
  warn_of_length(given, &s, &needs->warnings);
  if (metis_bytes(&s, &all, size) > needs->rank.total)
    triad_case_warn(
      &needs->warnings,
      "grid.partition = \"metis\": METIS needs %.3g GB on rank 0, more than all else: if they are not free "
      "there, %s assigns cells to ranks instead",
      1e-9 * (double)metis_bytes(&s, &all, size), triad_graph_scotch.deal ? "PT-Scotch" : "planes");
  if (triad_case_flag(given, "parallel.reproducible"))
    triad_case_warn(&needs->warnings,
                    "parallel.reproducible: the order of sums depends on the partition: results are bitwise identical "
                    "only on the same number of ranks, and equal to rounding on other numbers");
  return TRIAD_OK;
}

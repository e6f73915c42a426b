/* The source of a mesh: a file or a generator; its periodic pairs of patches; the assignment of its cells to ranks.
 *
 *   triad_mesh_source_mesh          the whole mesh, on one rank
 *   triad_mesh_partition_create     a part of it for each rank (partition.h)
 *
 * Not collective, as all here. */
#ifndef TRIAD_MESH_READ_SOURCE_H
#define TRIAD_MESH_READ_SOURCE_H

#include "parallel/graph.h"
#include "mesh/make/generate.h"
#include "store/disk.h"

/* Pairs of patches to be joined, by their numbers in a mesh. */
typedef struct triad_mesh_pairs {
  int n, patch[TRIAD_MESH_PATCHES][2];
} triad_mesh_pairs;

/* Called once the patches of a mesh are named: which of them are periodic pairs. Names that do not fit are added to
 * the faults. */
typedef void triad_mesh_find_pairs(void *who, const triad_mesh *mesh, triad_mesh_pairs *pairs, triad_faults *faults);

typedef struct triad_mesh_source {
  /* path of the file; "": the mesh is generated                                    */
  char file[TRIAD_PATH];
  /* parameters of the generator, if there is no file */
  triad_mesh_generator made;
  /* assigns cells to ranks; NULL: by position                                      */
  const triad_graph_library *partitioner;
  /* bytes that METIS may use on rank 0; 0: the free memory of its node */
  int64_t most;
  /* by position: along Hilbert's curve (order.h), else by planes (bisect.h)        */
  int curve;
  /* boxes of hexahedra will be used as zones (zones.h): for counts                 */
  int structured;
  /* NULL: no patch is periodic                                                     */
  triad_mesh_find_pairs *find_pairs;
  /* first argument of find_pairs                                                   */
  void *who;
} triad_mesh_source;

/* The whole mesh, not measured, with its periodic patches joined. All faults of the file, its cells, sides and
 * patches are reported together: TRIAD_ERR_CASE. Also TRIAD_ERR_INPUT, TRIAD_ERR_FEATURE, TRIAD_ERR_MEMORY. */
int triad_mesh_source_mesh(triad_mesh **mesh, triad_memory *memory, const triad_mesh_source *source);

/* Report all faults of the whole mesh, for a caller that found faults in a part of it or while counting. If the
 * whole mesh does not fit in memory, or has no fault, report `found`. Returns TRIAD_ERR_CASE. */
int triad_mesh_source_report(const triad_mesh_source *source, triad_memory *memory, const triad_faults *found);

/* Sizes of the mesh, without making it. sides: of all cells; polygons, polygon_points: sides of polyhedra and their
 * points; zoned: cells of structured zones; streamed: 1 if a file is
 * passed on as it is read (file_stream.h). Sizes of files, and the number of faces, are estimates to a few percent.
 * If the file has faults, all faults of the mesh are reported; with `brief` those found while counting alone,
 * without making the mesh. */
typedef struct triad_mesh_size {
  int64_t points, cells, corners, sides, polygons, polygon_points, faces, outer, zoned, streamed;
} triad_mesh_size;
int triad_mesh_source_size(const triad_mesh_source *source, triad_mesh_size *size, int brief);

#endif

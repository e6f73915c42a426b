/* The keys of every solver. A row here gives a key its type, range, unit, default and help, from which come checking,
 * `triad case --keys`, the manual page, completion and docs/case.md. Keys of a table stand together, those of the top
 * level first. Where the words of a key are each family's to say, the row here has none. */
#include "case/part.h"
#include "case/rows.h"

const triad_key triad_common_keys[] = {
  {"precision", WORD, WORDS(W("double"), W("single")), .preset = "double",
   .help = "Precision of all fields. Single halves memory and time; sums are kept in double either way."},

  {"equations.solver", WORD, .word_at = triad_solver_word, .help = "The set of equations."},

  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .example = "64 64 64",
   .help = "Points along x, y and z. Products of powers of 2, 3, 5 and 7 are fast."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "2pi 2pi 2pi", .unit = "length",
   .help = "Lengths of the box along x, y and z."},

  {"initial.kind", WORD, .help = "The initial field; each family of solvers says which there are."},
  {"initial.file", TEXT, .preset = "", .used = "initial.kind=file|checkpoint|coarser",
   .help = "The HDF5 file of physical-space fields, datasets (z, y, x) by the names that files of fields/ have, for "
           "kind file; or the checkpoint's folder for kind checkpoint. A relative path starts at the folder of the "
           "case file."},
  {"initial.keep_time", FLAG, .preset = "false", .used = "initial.kind=checkpoint",
   .help =
     "With kind checkpoint, go on counting from the checkpoint's step and time, so that the series of a branch joins "
     "that of the run it left. Otherwise a start is step 0 at t = 0."},

  {"time.end", REAL, AT_LEAST(0), .example = "10", .unit = "time", .help = "The run ends at this time."},
  {"time.scheme", WORD, .help = "The scheme in time; each family of solvers says which there are."},
  {"time.cfl", REAL, ABOVE(0), .preset = "0.5", .used = "!time.dt",
   .help = "Courant number: each step is the longest that it allows. Give this or time.dt, not both."},
  {"time.dt", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Fixed time step. With 0 the step follows from time.cfl."},
  {"time.dt_max", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "!time.dt",
   .help = "No step is longer than this. With 0 there is no such limit."},
  {"time.drift_limit", REAL, AT_LEAST(0), .preset = "0.1",
   .help = "A quantity that the equations of the case conserve, such as the energy without viscosity and forces, may "
           "drift by this "
           "part of its size; then the run ends with exit code 80. A warning comes before. With 0 the warning is all."},
  {"time.max_steps", INTEGER, AT_LEAST(0), .preset = "0",
   .help = "The run stops after this many steps even if time.end is not reached. With 0 there is no such limit."},

  {"output.series_interval", REAL, AT_LEAST(0), .preset = "0.1", .unit = "time",
   .help = "Time between lines of series.csv. With 0 every step writes one."},
  {"output.spectra_interval", REAL, AT_LEAST(0), .preset = "1", .unit = "time",
   .help = "Time between spectra. With 0 none are written."},
  {"output.fields_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between snapshots of the physical fields. With 0 none are written."},
  {"output.slices_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between slices. With 0 there are those of the end alone."},
  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "auto",
   .help = "Planes that are written as HDF5 and PNG, each with what to show on it: \"z=0\", \"x=pi: speed, "
           "vorticity\". Without names it is what the solver is looked at by, such as the vorticity. \"auto\" is the "
           "plane at 0, between walls the middle one, across the axis of the fewest points, which is z where all have "
           "as many. With [] none are written."},
  {"output.checkpoint_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between checkpoints. With 0 only the one at the end is written."},
  {"output.keep", INTEGER, BETWEEN(2, 1000000), .preset = "3",
   .help = "Checkpoints kept; older ones are deleted. Two at least, so that one is good while the next is written."},
  {"output.writer", WORD, WORDS(W("auto"), W("direct"), W("gather")), .preset = "auto",
   .help = "Who writes fields and checkpoints: every rank its own part of the file (direct, which is auto too), or "
           "rank 0 for all (gather), slower, for file systems that only one host can write. The bytes are the same."},
  {"output.report", FLAG, .preset = "true",
   .help = "Write report.html at the end of the run, where there is a Python that can. A report that fails changes "
           "nothing for the run."},
  {"output.copy_inputs", REAL, AT_LEAST(0), .preset = "64", .unit = "MB",
   .help = "What a start reads (initial.file) is copied into the run directory, inputs/, up to this size, so that the "
           "directory alone repeats the run; provenance.json has the path and a checksum of larger ones."},
  {"output.retry_interval", REAL, AT_LEAST(0), .preset = "60", .unit = "s",
   .help = "Where the disk does not take a file, because it is full or away, the run goes on and tries again at "
           "this interval of wall-clock time."},
  {"output.retry_limit", REAL, AT_LEAST(0), .preset = "1800", .unit = "s",
   .help = "It gives up after this time, with exit code 74 and the last good checkpoint in place. With 0 it does at "
           "once."},
  {"output.watchdog", REAL, AT_LEAST(0), .preset = "600", .unit = "s",
   .help = "A step, or the writing of files, that makes no progress for this time and for 20 times what it usually "
           "takes ends the run with exit code 74, each rank saying where it stands. With 0 it waits for ever."},
  {"output.disk_check", WORD, WORDS(W("refuse"), W("warn")), .preset = "refuse",
   .help = "What to do before work where the planned output is more than the disk has free."},

  {"parallel.device", WORD, WORDS(W("auto"), W("cpu"), W("gpu"), W("offload")), .preset = "auto",
   .help =
     "Where the arithmetic is done. With gpu the fields live on the GPU; with auto it is the GPU where there "
     "is one. With offload, of spectral solvers, the fields are on the host and pass through the GPU in pieces, for "
     "grids that do not fit there."},
  {"parallel.nstreams", INTEGER, BETWEEN(0, 64), WORDS(W("auto")), .preset = "0",
   .help = "Chunks of planes in flight at once, so that the exchange of one overlaps the transforms of another. "
           "With 0 or \"auto\" it is what triad tune has found, or four, between GPUs eight."},
  {"parallel.transport", WORD, WORDS(W("auto"), W("mpi"), W("nccl"), W("ipc"), W("put"), W("cuda-mpi"), W("staged")),
   .preset = "auto",
   .help = "What carries the exchange between ranks: host buffers by MPI, NCCL, copies (ipc) or stores of a kernel "
           "(put) into memory of the other GPUs of a node, MPI that takes device memory, or pinned host buffers. "
           "auto times those that are there between GPUs, and takes the fastest."},
  {"parallel.reproducible", FLAG, .preset = "false",
   .help =
     "Give the same answer bit for bit on any number of ranks and threads, at some cost in speed. On blocks and "
     "meshes sums follow the ranks that have the cells: the same on any threads, and on other ranks to rounding."},
  {"parallel.threads", INTEGER, BETWEEN(0, 65536), .preset = "0",
   .help = "Threads of each rank. With 0 it is what OMP_NUM_THREADS says, or else the cores there are."},
  {0}};

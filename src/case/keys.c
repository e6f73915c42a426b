/* The keys of every solver. A row gives a key its type, range, unit, default and help; checks, `triad case --keys`, the
 * manual page, completion and docs/case.md use them. Keys of a table are consecutive, those of the top level first. If
 * each family defines the words of a key, the row here has none. */
#include "case/part.h"
#include "case/rows.h"

const triad_key triad_common_keys[] = {
  {"precision", WORD, WORDS(W("double"), W("single")), .preset = "double",
   .help = "Precision of all fields. single halves memory and time; sums use double in both cases."},

  {"equations.solver", WORD, .word_at = triad_solver_word, .help = "Equations to solve."},

  {"grid.n", INTEGERS(3), BETWEEN(1, 1048576), .example = "64 64 64",
   .help = "Number of grid points along x, y and z. Products of powers of 2, 3, 5 and 7 are fast."},
  {"grid.length", REALS(3), ABOVE(0), .preset = "2pi 2pi 2pi", .unit = "length",
   .help = "Lengths of the box along x, y and z."},

  {"initial.kind", WORD, .help = "Initial condition. Each family of solvers has its own list."},
  {"initial.file", TEXT, .preset = "", .used = "initial.kind=file|checkpoint|coarser|nearest",
   .help =
     "With kind file, an HDF5 file of fields in physical space, with datasets (z, y, x) named as in fields/. "
     "With kind checkpoint, the folder of a checkpoint. With kind nearest or coarser, a file of fields/ of another "
     "run. A relative path starts at the folder of the case file."},
  {"initial.keep_time", FLAG, .preset = "false", .used = "initial.kind=checkpoint",
   .help = "With kind checkpoint, continue from the step and time of the checkpoint, so that the series extends that "
           "of the original run. Otherwise the run starts with step 0 at t = 0."},

  {"time.end", REAL, AT_LEAST(0), .example = "10", .unit = "time",
   .help = "Final time: the run ends when t reaches it."},
  {"time.scheme", WORD, .help = "Time integration scheme. Each family of solvers has its own list."},
  {"time.cfl", REAL, ABOVE(0), .preset = "0.5", .used = "!time.dt",
   .help = "Courant number, which sets the length of each step. Set either time.cfl or time.dt, not both."},
  {"time.dt", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Fixed time step. With 0, the step is computed from time.cfl."},
  {"time.dt_max", REAL, AT_LEAST(0), .preset = "0", .unit = "time", .used = "!time.dt",
   .help = "Maximum time step. With 0, there is no maximum."},
  {"time.drift_limit", REAL, AT_LEAST(0), .preset = "0.1",
   .help =
     "Maximum relative drift of a quantity that the equations conserve, such as the energy without viscosity and "
     "forces. Beyond it the run ends with exit code 80, after an earlier warning. With 0, there is only the warning."},
  {"time.max_steps", INTEGER, AT_LEAST(0), .preset = "0",
   .help =
     "Maximum number of steps. The run stops after them even if time.end is not reached. With 0, there is no maximum."},

  {"output.series_interval", REAL, AT_LEAST(0), .preset = "0.1", .unit = "time",
   .help = "Time between rows of series.csv. With 0, every step writes a row."},
  {"output.spectra_interval", REAL, AT_LEAST(0), .preset = "1", .unit = "time",
   .help = "Time between spectra. With 0, none are written."},
  {"output.fields_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between snapshots of the fields in physical space. With 0, none are written."},
  {"output.slices_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between slices. With 0, slices are written only at the end."},
  {"output.slices", TEXT_LIST(TRIAD_SLICES), .preset = "auto",
   .help = "Planes written as HDF5 and PNG, each with the quantities to show: \"z=0\", \"x=pi: speed, vorticity\". "
           "Without names, the default quantities of the solver, such as vorticity, are shown. \"auto\" is the plane "
           "at 0, or the middle one between walls, across the axis with the fewest points (z if all are equal). With "
           "[] none are written."},
  {"output.checkpoint_interval", REAL, AT_LEAST(0), .preset = "0", .unit = "time",
   .help = "Time between checkpoints. With 0, the default, checkpoints are written every "
           "output.checkpoint_wall_interval, at the end, and when the run is stopped."},
  {"output.checkpoint_wall_interval", REAL, AT_LEAST(0), .preset = "1800", .unit = "s",
   .help = "Wall-clock time between checkpoints: a run that is killed without warning loses at most what it computed "
           "in that time. It counts from the last checkpoint, and is at least 50 times as long as that one took. With "
           "0, checkpoints are written only every output.checkpoint_interval, at the end, and when the run is "
           "stopped."},
  {"output.keep", INTEGER, BETWEEN(2, 1000000), .preset = "3",
   .help = "Number of checkpoints to retain; older ones are deleted. At least two, so that one remains valid while the "
           "next is written."},
  {"output.writer", WORD, WORDS(W("auto"), W("direct"), W("gather")), .preset = "auto",
   .help = "Ranks that write fields and checkpoints. direct: every rank writes its part of the file. gather: rank 0 "
           "writes all data, which is slower, for file systems that only one host can write. auto is direct. The files "
           "are identical."},
  {"output.report", FLAG, .preset = "true",
   .help = "Write report.html at the end of the run, if a suitable Python is available. A failed report does not "
           "affect the run."},
  {"output.authors", TEXT_LIST(64), .preset = "",
   .help = "Authors of the data for triad archive: \"Family, Given; ORCID; affiliation\", of which only the name is "
           "required. The ORCID is 16 digits, as in \"Lovelace, Ada; 0000-0002-1825-0097\"."},
  {"output.license", TEXT, .preset = "CC-BY-4.0",
   .help = "Licence of the data for triad archive, by its SPDX identifier."},
  {"output.copy_inputs", REAL, AT_LEAST(0), .preset = "64", .unit = "MB",
   .help =
     "Maximum size of input files (initial.file) that are copied into the run directory, inputs/, so that the run can "
     "be repeated from the directory alone. For larger files provenance.json records the path and a checksum."},
  {"output.retry_interval", REAL, AT_LEAST(0), .preset = "60", .unit = "s",
   .help = "Wall-clock time between attempts to write a file that could not be written, for example because the disk "
           "is full. The run continues meanwhile."},
  {"output.retry_limit", REAL, AT_LEAST(0), .preset = "1800", .unit = "s",
   .help = "Wall-clock time after which the run stops trying to write a file. It then ends with exit code 74; the last "
           "valid checkpoint remains. With 0, it ends at the first failure."},
  {"output.watchdog", REAL, AT_LEAST(0), .preset = "600", .unit = "s",
   .help = "Time without progress after which the run ends with exit code 74. It applies if a step or the writing of "
           "files also exceeds 20 times its usual duration; each rank then reports its position in the code. With 0, "
           "the run waits indefinitely."},
  {"output.disk_check", WORD, WORDS(W("refuse"), W("warn")), .preset = "refuse",
   .help = "Action before the run if the planned output exceeds the free space on the disk: refuse to start, or warn."},

  {"parallel.device", WORD, WORDS(W("auto"), W("cpu"), W("gpu"), W("offload")), .preset = "auto",
   .help = "Processor for the computation. gpu: fields are stored on the GPU. auto: the GPU if there is one, otherwise "
           "the CPU. offload (spectral solvers): fields are stored on the host and processed by the GPU in pieces, for "
           "grids larger than its memory."},
  {"parallel.nstreams", INTEGER, BETWEEN(0, 64), WORDS(W("auto")), .preset = "0",
   .help = "Number of chunks of planes in flight, so that the exchange of one overlaps the transforms of another. With "
           "0 or \"auto\" it is the result of triad tune, otherwise four, or eight between GPUs."},
  {"parallel.transport", WORD, WORDS(W("auto"), W("mpi"), W("nccl"), W("ipc"), W("put"), W("cuda-mpi"), W("staged")),
   .preset = "auto",
   .help = "Method of data exchange between ranks. mpi: host buffers. nccl: NCCL. ipc, put: copies or direct stores "
           "into the memory of other GPUs of a node. cuda-mpi: MPI with device memory. staged: pinned host buffers. "
           "auto: between GPUs, the fastest available method by measurement."},
  {"parallel.reproducible", FLAG, .preset = "false",
   .help = "Produce bitwise identical results on any number of ranks and threads, at some cost in speed. On blocks and "
           "meshes the order of sums depends on the partition: results are identical on any number of threads, and "
           "equal to rounding on other ranks."},
  {"parallel.threads", INTEGER, BETWEEN(0, 65536), .preset = "0",
   .help = "Number of threads per rank. With 0, it is OMP_NUM_THREADS, or the number of available cores."},
  {0}};

/* The command `triad import`: a case and a start from the files of another code. Its work is done in Python
 * (tools/triad_plot/moving). */
#include "command/command.h"
#include "command/python_code.h"

static int run_import(int argc, char **argv) { return triad_python_become("import", argc, argv); }

const triad_command triad_command_import = {
  .name = "import",
  .summary = "continue a run of GHOST, fluidsim or Dedalus: its fields and a case",
  .help =
    "Usage: triad import ghost PARAMETERS FILE.. -o DIR [options]\n"
    "       triad import fluidsim FILE -o DIR [options]\n"
    "       triad import dedalus FILE -o DIR [options]\n"
    "\n"
    "Writes DIR/case.toml and DIR/start.h5, from which `triad run DIR/case.toml` continues the run of another\n"
    "code, and prints which of its parts could not be taken over; comments in case.toml repeat that.\n"
    "\n"
    "  ghost      the parameter file (parameter.inp or parameter.txt) and the binaries of one time: vx.0010.out, ..\n"
    "  fluidsim   a file of the state of ns3d, ns3d.strat, ns2d or ns2d.strat: state_phys_t0010.000.h5\n"
    "  dedalus    an HDF5 file of a handler, with the velocity of a periodic box at grid points\n"
    "\n"
    "  -o DIR             folder to write, which must not exist\n"
    "  --n NX,NY,NZ       ghost: number of points, if the box is not a cube\n"
    "  --solver NAME      ghost: solver that wrote the files, such as ROTH (default: by fields and namelists)\n"
    "  --map NAME=TASK,.. dedalus: tasks of fields: u, b (vectors), theta, buoyancy, scalar1, .. (default: u=u)\n"
    "  --write-number I   dedalus: which write of the file (default: the last)\n"
    "  --viscosity V      dedalus: parameters of the equations, which its files do not contain\n"
    "  --diffusivity V\n"
    "  --resistivity V\n"
    "  --buoyancy-frequency V\n"
    "\n"
    "Requires Python 3.9 with numpy, h5py and matplotlib, like triad report.\n"
    "Exit codes: 0 written; 64 usage; 65 unsuitable data; 66 missing; 69 not available in Triad, or no suitable\n"
    "Python; 74 I/O.\n",
  .alone = 1,
  .run = run_import};

/* The command `triad export`: fields of runs in layouts that other tools read. Its work is done in Python
 * (tools/triad_plot/export). */
#include "command/command.h"
#include "command/python_code.h"

static int run_export(int argc, char **argv) { return triad_python_become("export", argc, argv); }

const triad_command triad_command_export = {
  .name = "export",
  .summary = "write the fields of runs as The Well, Zarr, NetCDF or VTKHDF",
  .help =
    "Usage: triad export --well DIR RUN.. [options]\n"
    "       triad export --zarr DIR | --netcdf FILE | --vtkhdf FILE RUN [options]\n"
    "\n"
    "Writes the fields of runs, which output.fields_interval has stored, in the layout of another tool. RUN is a run\n"
    "directory, or for --well also the directory of a sweep. The fields must be on points of a box. The runs are not\n"
    "changed.\n"
    "\n"
    "  --well DIR         a data set for learning in the layout of The Well: HDF5 files in data/train, valid and "
    "test,\n"
    "                     stats.yaml and a README; runs are trajectories, float32, at a constant interval\n"
    "  --zarr DIR         a Zarr v3 store, an array (t, z, y, x) per field, for zarr-python and xarray\n"
    "  --netcdf FILE      one NetCDF-4 file with CF conventions\n"
    "  --vtkhdf FILE      one small VTKHDF file that shows all times to ParaView; it refers to the files of the run\n"
    "  --grid N           filter periodic fields to N points along the longest axis, exactly: modes that the coarser\n"
    "                     grid cannot represent are dropped\n"
    "  --fields NAMES     fields to write, separated by commas: velocity, pressure, .. (default: all in the files)\n"
    "  --from T           first time to write, to leave out a transient\n"
    "  --to T             last time to write\n"
    "  --name NAME        --well: name of the data set (default: the name of DIR)\n"
    "  --split A,B,C      --well: shares of train, valid and test, by whole runs (default: 80,10,10)\n"
    "  --cube N           --zarr: points along the side of a cube (default: 64)\n"
    "  --shard N          --zarr: points along the side of a file, which has whole cubes (default: 512)\n"
    "  --medium KIND      --zarr, --netcdf: air or water, for standard names; the case is then in SI units\n"
    "  --double           --zarr, --netcdf: write 64-bit numbers (default: 32)\n"
    "\n"
    "Requires Python 3.9 with numpy, h5py and matplotlib, like triad report.\n"
    "Exit codes: 0 written; 64 usage; 65 unsuitable data; 66 missing; 69 no suitable Python; 74 I/O.\n",
  .alone = 1,
  .run = run_export};

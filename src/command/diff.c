/* The command `triad diff`: how two runs differ. Its work is done in Python (tools/triad_plot/archive/diff.py). */
#include "command/command.h"
#include "command/python_code.h"

static int diff(int argc, char **argv) { return triad_python_become("diff", argc, argv); }

const triad_command triad_command_diff = {
  .name = "diff",
  .summary = "print how two runs differ: case, version, bits, numbers",
  .help =
    "Usage: triad diff RUN RUN [--json]\n"
    "\n"
    "Compares two run directories, or the folder run/ of archives:\n"
    "\n"
    "  case       keys whose values differ, and input files\n"
    "  program    version, commit, compiler, libraries, machine, ranks and threads of the last session\n"
    "  bits       for each kind of file: whether all numbers are the same bits, else the largest difference over\n"
    "             the largest value, at the times that both have; files that only one run has\n"
    "  numbers    columns of the series: their means with standard errors, from means.h5 if both runs have it,\n"
    "             else from the second half of the times that both cover; differences in units of their error\n"
    "  means      spectra, profiles and moments in means.h5, in the same units\n"
    "\n"
    "  --json     print one JSON object\n"
    "\n"
    "Requires Python 3.9 with numpy, h5py and matplotlib, like triad report.\n"
    "Exit codes: 0 the same case, files and bits (of an archive, in all files that it has); 1 they differ;\n"
    "64 usage; 65 damaged, or not a run; 66 missing; 69 no suitable Python.\n",
  .alone = 1,
  .run = diff};

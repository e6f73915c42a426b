/* The command `triad archive`: one folder or file with a run's data, figures and metadata. Its work is done in Python
 * (tools/triad_plot/archive). */
#include "command/command.h"
#include "command/python_code.h"

static int archive(int argc, char **argv) { return triad_python_become("archive", argc, argv); }

const triad_command triad_command_archive = {
  .name = "archive",
  .summary = "make an archive of a run for a paper, or verify one",
  .help =
    "Usage: triad archive RUN [-o OUT] [--author \"Family, Given; ORCID\"].. [options]\n"
    "       triad archive --verify ARCHIVE\n"
    "\n"
    "Writes the archive of a run for a data repository: a folder, or one file if OUT ends in .tar, .tar.gz or .zip.\n"
    "It contains the case, its inputs, series, means, probes, profiles, walls and spectra, the newest fields, figures\n"
    "with their numbers as CSV, BibTeX, CITATION.cff, the licence, the machine and program, and a README.md. The "
    "README\n"
    "gives the commands that repeat the run and each figure. manifest-sha256.txt has the checksum of each file (also\n"
    "for sha256sum -c), ro-crate-metadata.json describes all files (RO-Crate 1.1). The run is not changed.\n"
    "\n"
    "  -o OUT             folder or file to write, which must not exist (default: RUN-archive)\n"
    "  --author TEXT      \"Family, Given; ORCID; affiliation\", once per author (default: output.authors)\n"
    "  --license ID       licence of the data, an SPDX identifier (default: output.license, CC-BY-4.0)\n"
    "  --title TEXT       title of the data (default: the case in a line)\n"
    "  --description TEXT   sentences for README.md and the metadata\n"
    "  --fields WHICH     last, all, none, or times such as 1,2.5 (default: last)\n"
    "  --error E          round fields so that each value changes by at most E times the rms of its field; the\n"
    "                     README gives the errors made (default: 0, lossless)\n"
    "  --with KINDS       also slices, particles, checkpoint, separated by commas\n"
    "  --no-figures       leave out the figures\n"
    "  --verify ARCHIVE   check that no file is missing, changed or added, and that the metadata describe all\n"
    "\n"
    "Requires Python 3.9 with numpy, h5py and matplotlib, like triad report.\n"
    "Exit codes: 0 written or verified; 64 usage; 65 damaged, or not a run; 66 missing; 69 no suitable Python; 74 "
    "I/O.\n",
  .alone = 1,
  .run = archive};

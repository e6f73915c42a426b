/* The command `triad far-field`: sound far from a surface of probes. Its work is done in Python
 * (tools/triad_plot/sound). */
#include "command/command.h"
#include "command/python_code.h"

static int run_far_field(int argc, char **argv) { return triad_python_become("far-field", argc, argv); }

const triad_command triad_command_far_field = {
  .name = "far-field",
  .summary = "compute sound in the far field from probes on a surface",
  .help =
    "Usage: triad far-field RUN --arc RADIUS,FROM,TO,N | --observer X,Y,Z | --observers FILE [options]\n"
    "\n"
    "Computes the sound pressure at observers by the equation of Ffowcs Williams and Hawkings, in Farassat's\n"
    "formulation 1A for a permeable surface. The surface is a probe on a cylinder around all sources, and disks that\n"
    "close its ends. RUN/far-field gets levels.csv, pressure.csv, spectra.csv and far-field.h5.\n"
    "\n"
    "  --arc R,FROM,TO,N  N observers at distance R, at angles FROM to TO in degrees from the x axis, downstream\n"
    "  --around N         --arc: each at N angles around the x axis (default: 1, in the plane z = 0)\n"
    "  --observer X,Y,Z   one observer; may be repeated, like the other two\n"
    "  --observers FILE   observers of a file with a line x,y,z each\n"
    "  --centre X,Y,Z     point from which distances and angles are counted (default: 0,0,0)\n"
    "  --surface NAMES    the cylinder and its disks, separated by commas (default: all cylinders and disks)\n"
    "  --pressure P       pressure of the medium (default: of the far-field patch)\n"
    "  --density RHO      density of the medium (default: of the far-field patch)\n"
    "  --stream U,V,W     velocity of the medium past surface and observers (default: of the far-field patch)\n"
    "  --isentropic       use rho0 + (p - p0)/c^2 on the surface, if hot or cold gas crosses it\n"
    "  --from T, --to T   use rows of the surface in these times only, to leave out a transient\n"
    "  --segments N       half-overlapping segments of the spectra (default: 16, of 256 rows at least)\n"
    "  --band LOW,HIGH    compute levels of these frequencies only (default: all)\n"
    "  --reference P      pressure of 0 dB (default: 20 uPa if the medium has 101325 Pa)\n"
    "  -o DIR             folder of the files (default: RUN/far-field)\n"
    "\n"
    "Requires Python 3.9 with numpy, h5py and matplotlib, like triad report.\n"
    "Exit codes: 0 written; 64 usage; 65 unsuitable data; 66 missing; 69 no suitable Python; 71 no memory; 74 I/O.\n",
  .alone = 1,
  .run = run_far_field};

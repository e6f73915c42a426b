/* The Python code of figures and reports (tools/triad_plot): where it is, which Python can run it, and commands that
 * are written in it. */
#ifndef TRIAD_COMMAND_PYTHON_CODE_H
#define TRIAD_COMMAND_PYTHON_CODE_H

#include "store/disk.h"

#define TRIAD_PYTHON_PACKAGES \
  "numpy, h5py and matplotlib (Debian, Ubuntu: apt install python3-numpy python3-h5py python3-matplotlib; " \
  "else: python3 -m pip install numpy h5py matplotlib)"
#define TRIAD_PYTHON_MISSING \
  "it requires Python 3.9 or newer with " TRIAD_PYTHON_PACKAGES "; set PYTHON=/path/to/python3 to select one"

enum { TRIAD_PYTHONS = 4 };

/* The Pythons to try, in order: $PYTHON, python3 in the PATH, those of the system. */
void triad_pythons(const char *pythons[TRIAD_PYTHONS]);

/* The path of this program, and that of the code: ../tools/triad_plot in the source tree, ../share/triad/triad_plot
 * when installed. TRIAD_ERR_FEATURE if it is missing, with the reason in text[size] (NULL: as a message). */
int triad_python_code(char self[TRIAD_PATH], char code[TRIAD_PATH], char *text, size_t size);

/* Run `verb` of the code with these arguments instead of this program, in the first Python that has what it needs:
 * returns only after a failure, which it has printed. */
int triad_python_become(const char *verb, int argc, char **argv);

#endif

"""python3 -m triad: the program `triad` itself, out of this package's library."""
import sys

from triad.library import program

sys.exit(program(sys.argv[1:]))

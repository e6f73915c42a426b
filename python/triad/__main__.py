"""python3 -m triad: the program `triad` itself, out of this package's library. A wheel makes `triad` and `triad-plot` of it."""
import runpy
import sys

from triad.library import program


def main():
    sys.exit(program(sys.argv[1:]))


def plot():
    runpy.run_module("triad_plot", run_name="__main__")


if __name__ == "__main__":
    main()

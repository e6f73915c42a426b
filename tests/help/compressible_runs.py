"""Runs of a gas whose case is a text with places to fill in, and the fields that they end with: for test_compressible_force.py,
test_compressible_sponge.py and test_compressible_walls.py."""

import h5py


def runs(run_case, place, text):
    """run(name, ..): the folder `name` of a run, or what the program said where it is expected to end otherwise."""
    def start(name, *arguments, ranks=1, expect=0, **values):
        return run_case(text.format(**values), *arguments, ranks=ranks, expect=expect, folder=place / name)
    return start


def last(folder):
    """Fields of the newest file, [z][y][x] by name."""
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return {name: f[name][:] for name in ("rho", "u", "v", "w", "p")}

"""A small run of every solver, with every kind of file that it can write: for test_python_every_solver.py and test_archive.py."""

import json

import pytest

BOX = {"grid": {"n": [12, 12, 12]}, "time": {"end": 0.5}}
EVERY = {"series_interval": 0.1, "fields_interval": 0.25, "slices_interval": 0.25, "report": False}
SPECTRA = {"spectra_interval": 0.1, "slices": ["z=0"]}
PROBES = {"probes": ["[1.0, 2.0, 3.0]", "[2.0, 0.5, 1.0]"], "probes_interval": 0.1}
MEANS = {"means": ["spectra", "moments", "profiles z"], "means_interval": 0.1}
TRACERS = {"particles": [{"name": "tracers", "count": 8}]}
ALL = {**EVERY, **SPECTRA, **PROBES, **MEANS}


def _spectral(solver, initial, **keys):
    return {"equations": {"solver": solver, **keys}, "initial": initial, **BOX, "output": {**ALL, "particles_interval": 0.1}, **TRACERS}


RANDOM, VORTICES = {"kind": "random", "wavenumber": 2}, {"kind": "taylor-green"}

CASES = {
    "hd": _spectral("hd", RANDOM, viscosity=0.05, scalars=[0.05]),
    "boussinesq": _spectral("boussinesq", RANDOM, viscosity=0.05, diffusivity=0.05, buoyancy_frequency=1.0),
    "mhd": _spectral("mhd", {"kind": "orszag-tang"}, viscosity=0.05, resistivity=0.05),
    "gpe": _spectral("gpe", VORTICES, sound_speed=0.5, healing_length=0.15),
    "compressible": {"equations": {"solver": "compressible", "viscosity": 0.05}, "initial": VORTICES, **BOX,
                     "output": {**EVERY, **SPECTRA, **PROBES, "particles_interval": 0.1}, **TRACERS},
    "staggered": {"equations": {"solver": "staggered", "viscosity": 0.05}, "initial": VORTICES, **BOX, "output": ALL},
    "multiblock": {"equations": {"solver": "multiblock"}, "grid": {"kind": "aerofoil", "section": "0012", "n": [32, 12, 1], "far": 20},
                   "boundaries": {"patches": ["aerofoil: slip", "far: farfield, mach=0.4, pressure=1e5, temperature=300, alpha=2"]},
                   "initial": {"kind": "stream"}, "time": {"steady": True, "max_steps": 40, "cfl": 0.8, "residual": 1e-9},
                   "output": {**EVERY, "series_interval": 4, "fields_interval": 20, "slices_interval": 20, "slices": ["k=1"]}},
    "fct": {"equations": {"solver": "fct"}, "grid": {"kind": "hybrid", "n": [6, 4, 4], "length": [1.5, 1, 1]},
            "boundaries": {"patches": ["xmin: inflow, pressure=1, density=1.4, u=0.5", "xmax: outflow"]},
            "initial": {"kind": "uniform", "density": 1.4, "velocity": [0.5, 0, 0], "pressure": 1}, "time": {"end": 0.5},
            "output": {**EVERY, "slices": ["z=0.4"], "probes": ["axis: line, x=0.25, y=0.5, z=0.4, to_x=1.2, n=4"],
                       "probes_interval": 0.1, "means": True}},
}
SPECTRAL = ("hd", "boussinesq", "mhd", "gpe")


def toml_of(solver):
    """The case as the text of a file."""
    lines = []
    for table, value in CASES[solver].items():
        for one in value if isinstance(value, list) else [value]:
            lines.append(f"[[{table}]]" if isinstance(value, list) else f"[{table}]")
            lines += [f"{key} = {json.dumps(word)}" for key, word in one.items()]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def runs(launcher, triad, tmp_path_factory):
    """of(solver): the folder of its run."""
    made = {}

    def of(solver):
        if solver not in made:
            folder = tmp_path_factory.mktemp(solver)
            (folder / "case.toml").write_text(toml_of(solver))
            launcher(1, triad, "run", "-q", folder / "case.toml", "--dir", folder / "my-run", expect=(0, 75))
            made[solver] = folder / "my-run"
        return made[solver]
    return of

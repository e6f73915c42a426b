"""OpenFOAM's rhoCentralFoam beside Triad on the same mesh: cells as VTK numbers their corners become its polyMesh, a case
round it, a run, fields of cells. Where it is installed (apt: openfoam); Euler's equations of a gas with R = 1 and gamma = 1.4."""

import os
import re
import resource
import shutil
import subprocess

import h5py
import numpy as np

PROGRAM = shutil.which("rhoCentralFoam")
ENV = {**os.environ, "WM_PROJECT_DIR": os.environ.get("WM_PROJECT_DIR", "/usr/share/openfoam")}
SIDES = {4: ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),  # of cells with so many corners, seen from outside
         8: ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))}
GAS_CONSTANT = 8314.46261815324  # what OpenFOAM divides by the molar mass

SCHEMES = """fluxScheme Kurganov;
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(tauMC) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; reconstruct(rho) vanLeer; reconstruct(U) vanLeerV; reconstruct(T) vanLeer; }
snGradSchemes { default corrected; }
"""
SOLUTION = """solvers
{
  "(rho|rhoU|rhoE)" { solver diagonal; }
  U { solver smoothSolver; smoother GaussSeidel; tolerance 1e-9; relTol 0.01; }
  e { $U; }
}
"""
GAS = """thermoType
{
  type hePsiThermo; mixture pureMixture; transport const; thermo eConst; equationOfState perfectGas; specie specie;
  energy sensibleInternalEnergy;
}
mixture { specie { molWeight %.14g; } thermodynamics { Cv 2.5; Hf 0; } transport { mu 0; Pr 1; } }
"""
CONTROL = """application rhoCentralFoam;
startFrom startTime; startTime 0; stopAt endTime; endTime %.14g;
deltaT %.14g; adjustTimeStep yes; maxCo %.14g; maxDeltaT 1;
writeControl adjustableRunTime; writeInterval %.14g; writeFormat ascii; writePrecision 16; timePrecision 12;
"""
DIMENSIONS = {"p": "[1 -1 -2 0 0 0 0]", "T": "[0 0 0 1 0 0 0]", "U": "[0 1 -1 0 0 0 0]"}


def write(folder, name, kind, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"FoamFile {{ version 2.0; format ascii; class {kind}; object {path.name}; }}\n{text}")


def numbers(values):
    """A list of scalars, vectors or faces."""
    values = np.asarray(values)
    if values.ndim == 1:
        return f"{len(values)}\n(\n" + "\n".join(map(repr, values.tolist())) + "\n)\n"
    size = str(values.shape[1]) if values.dtype.kind == "i" else ""
    return f"{len(values)}\n(\n" + "\n".join(f"{size}(" + " ".join(map(repr, row)) + ")" for row in values.tolist()) + "\n)\n"


def faces_of(cells):
    """[cell][corner] -> faces (corners as their owner sees them from outside), owners, neighbours (-1: none), in the order that
    OpenFOAM asks for: inner faces by owner, then neighbour, owner the lower; then the rest."""
    sides = np.array(SIDES[cells.shape[1]])
    face = cells[:, sides].reshape(-1, sides.shape[1])
    cell = np.repeat(np.arange(len(cells)), len(sides))
    key = np.sort(face, axis=1)
    order = np.lexsort((cell, *key.T[::-1]))
    same = np.append((key[order[1:]] == key[order[:-1]]).all(axis=1), False)
    second = np.append(False, same[:-1])
    inner, beyond = order[same], order[np.flatnonzero(same) + 1]
    outer = order[~same & ~second]
    by_cell = np.lexsort((cell[beyond], cell[inner]))
    inner, beyond = inner[by_cell], beyond[by_cell]
    kept = np.concatenate([inner, outer])
    return face[kept], cell[kept], np.concatenate([cell[beyond], np.full(len(outer), -1)])


def write_mesh(folder, points, cells, patch_of, kinds):
    """patch_of(centre of a face) -> its name; kinds: {name: kind of patch}."""
    face, owner, beyond = faces_of(cells)
    outer = np.flatnonzero(beyond < 0)
    names = np.array([patch_of(c) for c in points[face[outer]].mean(axis=1)])
    at = len(face) - len(outer)
    order, patches = [], ""
    for name, kind in kinds.items():
        mine = outer[names == name]
        patches += f"{name} {{ type {kind}; nFaces {len(mine)}; startFace {at + len(order)}; }}\n"
        order += mine.tolist()
    assert len(order) == len(outer)
    whole = np.concatenate([np.arange(at), np.array(order, dtype=int)])
    mesh = folder / "constant/polyMesh"
    write(mesh, "points", "vectorField", numbers(points))
    write(mesh, "faces", "faceList", numbers(face[whole]))
    write(mesh, "owner", "labelList", numbers(owner[whole]))
    write(mesh, "neighbour", "labelList", numbers(beyond[:at]))
    write(mesh, "boundary", "polyBoundaryMesh", f"{len(kinds)}\n(\n{patches})\n")


def write_field(folder, name, values, sides):
    """values: a number or vector of each cell; sides: {patch: its entry}."""
    kind = "vector" if values.ndim > 1 else "scalar"
    patches = "".join(f"{patch} {{ {entry} }}\n" for patch, entry in sides.items())
    write(folder, f"0/{name}", f"vol{kind.capitalize()}Field",
          f"dimensions {DIMENSIONS[name]};\ninternalField nonuniform List<{kind}> {numbers(values)};\nboundaryField\n{{\n{patches}}}\n")


def write_case(folder, end, courant, first_step):
    write(folder, "system/controlDict", "dictionary", CONTROL % (end, first_step, courant, end))
    write(folder, "system/fvSchemes", "dictionary", SCHEMES)
    write(folder, "system/fvSolution", "dictionary", SOLUTION)
    write(folder, "constant/thermophysicalProperties", "dictionary", GAS % GAS_CONSTANT)
    write(folder, "constant/turbulenceProperties", "dictionary", "simulationType laminar;\n")


def cpu_seconds(command, **more):
    """Processor time of a command, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def run(folder):
    """Steps, and processor time of all but the first [s], of which its log says how much had gone after each."""
    _, said = cpu_seconds([PROGRAM, "-case", str(folder)], env=ENV)
    gone = [float(t) for t in re.findall(r"^ExecutionTime = (\S+) s", said, re.M)]
    return len(gone), gone[-1] - gone[0]


def read(folder, name):
    """A field of cells of the last time that was written."""
    last = max((p for p in folder.iterdir() if re.fullmatch(r"[\d.e-]+", p.name)), key=lambda p: float(p.name))
    text = (last / name).read_text()
    count, body = re.search(r"internalField\s+nonuniform List<\w+>\s*(\d+)\s*\((.*?)\n\)\s*;", text, re.S).groups()
    values = np.fromstring(body.replace("(", " ").replace(")", " "), sep=" ")
    return values.reshape(int(count), -1).squeeze()


def cells_of(path):
    """Points and cells, of one shape, of a file of fields of a mesh."""
    with h5py.File(path) as f:
        points, corner, first = (f[f"VTKHDF/{name}"][:] for name in ("Points", "Connectivity", "Offsets"))
    return points, corner.reshape(len(first) - 1, -1)


def tube(folder, points, cells, end, courant=0.2):
    """Sod's tube along x from 0 to 1: (rho, u, p) = (1, 0, 1) below 1/2, (0.125, 0, 0.1) above. 0.2: the Courant number of
    OpenFOAM's own tutorials of this program."""
    ends = {"ends": "type zeroGradient;", "sides": "type symmetry;"}
    write_mesh(folder, points, cells, lambda c: "ends" if abs(c[0] - 0.5) > 0.5 - 1e-9 else "sides", {"ends": "patch", "sides": "symmetry"})
    left = points[cells].mean(axis=1)[:, 0] < 0.5
    write_field(folder, "p", np.where(left, 1.0, 0.1), ends)
    write_field(folder, "T", np.where(left, 1.0, 0.8), ends)
    write_field(folder, "U", np.zeros((len(cells), 3)), ends)
    write_case(folder, end, courant, 1e-6)


def ramp(folder, points, cells, mach, corner, angle, end, flat="symmetry", courant=0.2):
    """A stream of density 1.4, pressure 1 (so that sound has the speed 1) over a floor that rises by `angle` [degrees] behind
    `corner`; flat: the kind of patch of both planes across z, "empty" for cells that are one layer of hexahedra."""
    low, high = points.min(axis=0), points.max(axis=0)

    def patch_of(c):
        if min(abs(c[2] - low[2]), abs(c[2] - high[2])) < 1e-9 * (high[2] - low[2]):
            return "across"
        if abs(c[0] - low[0]) < 1e-9:
            return "inflow"
        floor = max(0, c[0] - corner) * np.tan(np.radians(angle))
        return "floor" if abs(c[1] - floor) < 1e-6 else "out"

    write_mesh(folder, points, cells, patch_of, {"inflow": "patch", "floor": "wall", "out": "patch", "across": flat})
    for name, value in (("p", 1.0), ("T", 1 / 1.4), ("U", (float(mach), 0.0, 0.0))):
        uniform = np.tile(value, (len(cells), 1)).squeeze()
        fixed = " ".join(map(repr, value)) if name == "U" else repr(value)
        write_field(folder, name, uniform, {"inflow": f"type fixedValue; value uniform {f'({fixed})' if name == 'U' else fixed};",
                                            "floor": "type slip;" if name == "U" else "type zeroGradient;", "out": "type zeroGradient;",
                                            "across": f"type {flat};"})
    write_case(folder, end, courant, 1e-6)

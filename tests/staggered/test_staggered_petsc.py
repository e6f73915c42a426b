"""The pressure of the staggered solver beside that of PETSc's KSP, where petsc4py is installed (apt: python3-petsc4py)."""

import h5py
import numpy as np
import pytest

from staggered import run  # noqa: F401

PETSc = pytest.importorskip("petsc4py.PETSc", reason="petsc4py is not installed (apt install python3-petsc4py)")

N, LENGTH, STRETCH = (12, 10, 8), (1.0, 0.7, 1.3), 1.2
CASES = {"periodic": ("", 0), "walls": ('[boundaries]\ny = ["wall", "wall"]\n', 0),
         "stretched": (f'[boundaries]\ny = ["wall", "wall"]\nx = ["slip", "slip"]\n', STRETCH)}


def faces(axis, stretch):
    part = np.arange(N[axis] + 1) / N[axis]
    if stretch and axis == 1:
        part = (1 + np.tanh(stretch * (2 * part - 1)) / np.tanh(stretch)) / 2
    return LENGTH[axis] * part


class Mesh:
    """Arrays are [x][y][z]; what stands on a lower face has the number of its cell."""

    def __init__(self, kind, solid):
        self.h, self.d, self.open = [], [], []
        for axis in range(3):
            h = np.diff(faces(axis, CASES[kind][1]))
            shape = [-1 if i == axis else 1 for i in range(3)]
            self.h.append(h.reshape(shape))
            self.d.append(((h + np.roll(h, 1)) / 2).reshape(shape))
            passes = ~(solid | np.roll(solid, 1, axis))
            if f'\n{"xyz"[axis]} = ' in CASES[kind][0]:
                np.moveaxis(passes, axis, 0)[0] = False  # the boundary, which the last cell's upper face is too
            self.open.append(passes)

    def area(self, axis):
        a, b = (self.h[i] for i in range(3) if i != axis)
        return a * b * np.ones(N)

    def source(self, u):
        """What comes out of each cell."""
        return sum(np.roll(self.area(a) * u[a], -1, a) - self.area(a) * u[a] for a in range(3))

    def gradient(self, a, p):
        return np.where(self.open[a], (p - np.roll(p, 1, a)) / self.d[a], 0)

    def sides(self, axis):
        return np.where(self.open[axis], self.area(axis) / self.d[axis], 0)


def petsc_pressure(mesh, solid, b):
    """p of sum over open sides of area/d (p - p of the neighbour) = b, to 1e-13, without a mean."""
    number = np.arange(b.size).reshape(N)
    matrix = PETSc.Mat().createAIJ((b.size, b.size), nnz=7, comm=PETSc.COMM_SELF)
    diagonal = np.where(solid, 1.0, 0.0)
    for axis in range(3):
        side = mesh.sides(axis)
        diagonal += side + np.roll(side, -1, axis)
        for i, j, value in zip(number.ravel(), np.roll(number, 1, axis).ravel(), side.ravel()):
            if value > 0:
                matrix.setValue(i, j, -value)
                matrix.setValue(j, i, -value)
    for i, value in enumerate(diagonal.ravel()):
        matrix.setValue(i, i, value)
    matrix.assemble()
    constant = PETSc.Vec().createWithArray(np.where(solid, 0.0, 1 / np.sqrt((~solid).sum())).ravel(), comm=PETSc.COMM_SELF)
    matrix.setNullSpace(PETSc.NullSpace().create(vectors=[constant], comm=PETSc.COMM_SELF))
    ksp = PETSc.KSP().create(PETSc.COMM_SELF)
    ksp.setOperators(matrix)
    ksp.setType("cg")
    ksp.getPC().setType("jacobi")
    ksp.setTolerances(rtol=1e-13, max_it=2000)
    right, p = (PETSc.Vec().createWithArray(a.ravel().copy(), comm=PETSc.COMM_SELF) for a in (b, 0 * b))
    ksp.solve(right, p)
    assert ksp.getConvergedReason() > 0
    return p.getArray().reshape(N)


@pytest.mark.parametrize("kind, pressure", [("periodic", "cg"), ("periodic", "pcg-polynomial"), ("walls", "pcg-transform"),
                                            ("stretched", "pcg-polynomial"), ("stretched", "pcg-transform")])
def test_the_pressure_is_that_of_petsc(run, tmp_path, kind, pressure):
    """The projection of a random velocity around cubes: what it takes away is the gradient of PETSc's pressure."""
    given = np.random.default_rng(3).standard_normal((3, *N))
    with h5py.File(tmp_path / "given.h5", "w") as f:
        for name, u in zip("uvw", given):
            f[name] = u.transpose(2, 1, 0)
    boundaries, stretch = CASES[kind]
    folder = run("file", N, 0.01, length=LENGTH, more=boundaries + '[solids]\nkind = "random-cubes"\ncount = 3\nside = 3\n',
                 grid__stretch=[0, stretch, 0], initial__file=str(tmp_path / "given.h5"), solver__pressure=pressure,
                 solver__tolerance=1e-10, output__fields_interval=0.01, output__faces=True, time__max_steps=1)
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[0]) as f:
        solid = f["solid"][:].transpose(2, 1, 0) > 0
        found = [f[f"{name}_face"][:].transpose(2, 1, 0) for name in "uvw"]
    mesh = Mesh(kind, solid)
    before = [np.where(mesh.open[a], (given[a] + np.roll(given[a], 1, a)) / 2, 0) for a in range(3)]
    p = petsc_pressure(mesh, solid, -mesh.source(before))
    size = max(np.abs(mesh.gradient(a, p)).max() for a in range(3))
    for a in range(3):
        assert np.abs(before[a] - mesh.gradient(a, p) - found[a]).max() < 1e-9 * size

"""`triad import`: files in the layouts of GHOST, fluidsim and Dedalus, made here with numpy, and the runs that continue from them.

Waves of small amplitude have exact solutions in the equations of each code, as its sources have them: signs and units are right
where Triad's run agrees. A plane wave along x oscillates at N, one along z turns at the Coriolis parameter."""

import subprocess
import sys

import h5py
import numpy as np
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))

N, SMALL, T = 16, 1e-5, 0.5
x = 2 * np.pi * np.arange(N) / N
Z, Y, X = np.meshgrid(x, x, x, indexing="ij")
FREQUENCY, CORIOLIS, NU = 2.0, 3.0, 0.01

PARAMETERS = """
! comment with 'quotes' & an ampersand
&status
idir = "/ptmp/run"  ! where
stat = 3
mult = 2
/
&parameter
dt = 2.0D-2, step = 125
tstep = 50 ! that of stat = 3 is t = 2
sstep = 25
cstep = 5
rand = 1
/
&boxparams
Lx = 1.0
/
&velocity
f0 = 0.5
kdn = 1.0
kup = 2.0
nu = 1.e-2 /
&scalar
kappa = 1.e-2
/
&boussinesq
bvfreq = 2.0
xmom = 0.5
xtemp = 2.0
/
&rotation
omegaz = 1.5
/
"""


def waves():
    """u, v, w of both waves, at t = 0."""
    return SMALL * np.cos(Z), 0 * X, SMALL * np.cos(X)


def waves_at(t):
    """u, v, w and the displacement of w: dw/dt = -N s, ds/dt = N w."""
    fade = np.exp(-NU * t) * SMALL
    return (np.cos(Z) * np.cos(CORIOLIS * t) * fade, -np.cos(Z) * np.sin(CORIOLIS * t) * fade, np.cos(X) * np.cos(FREQUENCY * t) * fade,
            np.cos(X) * np.sin(FREQUENCY * t) * fade)


@pytest.fixture(scope="module")
def bring(triad):
    def go(*words, expect=0):
        done = subprocess.run([triad, "import", *map(str, words)], capture_output=True, text=True, timeout=100)
        assert done.returncode == expect and "Traceback" not in done.stderr, done.stdout + done.stderr
        return done
    return go


def continued(launcher, triad, case, t=T):
    """Fields of the run that continues from a case, at time t."""
    launcher(1, triad, "run", "-q", case, "--dir", case.parent / "run", "--set", f"time.end={t}", "--set", f"output.fields_interval={t}",
             "--set", "time.dt=0.01", "--set", "output.slices=[]", "--set", "output.spectra_interval=0", expect=0)
    with h5py.File(sorted((case.parent / "run/fields").glob("fields-*.h5"))[-1]) as file:
        assert file.attrs["t"] == pytest.approx(t)
        return {name: file[name][:] for name in file if isinstance(file[name], h5py.Dataset) and file[name].ndim == 3}


def refused(code, *words):
    from triad_plot.moving import command
    from triad_plot.problem import Problem
    with pytest.raises(Problem) as found:
        command.run_command([str(word) for word in words])
    assert found.value.code == code, str(found.value)
    return str(found.value)


# ---- GHOST ----

def ghost_files(folder, fields, number=3, dtype=">f4"):
    folder.mkdir(exist_ok=True)
    (folder / "parameter.inp").write_text(PARAMETERS)
    for name, values in fields.items():
        values.astype(dtype).tofile(folder / f"{name}.{number:04d}.out")
    return [folder / "parameter.inp", *sorted(folder.glob(f"*.{number:04d}.out"))]


def test_a_run_of_ghost_continues(bring, launcher, triad, tmp_path):
    u, v, w = waves()
    words = ghost_files(tmp_path / "ghost", {"vx": u, "vy": v, "vz": w, "th": 0 * X})
    told = bring("ghost", *words, "-o", tmp_path / "started")
    assert "byte order" in told.stdout and "ROTBOUSS" in told.stdout and "f0 = 0.5 on k from 1 to 2" in told.stderr
    case = tmp_path / "started/case.toml"
    text = case.read_text()
    for line in ("buoyancy_frequency = 2.0", "rotation = [0.0, 0.0, 1.5]", "viscosity = 0.01", "dt = 0.01", "end = 0.5", "series_interval = 0.1",
                 "fields_interval = 1.0", "radius = 5.33", "n = [16, 16, 16]"):
        assert line in text, text
    assert "was 2:" in text.splitlines()[0] + text.splitlines()[1]     # dt tstep (number - 1), mult left out
    found = continued(launcher, triad, case)
    for name, want in zip(("u", "v", "w", "theta"), waves_at(T)):
        # theta is (xmom/xtemp)^(1/2) th, and w falls by N theta as by bvfreq xmom th
        assert np.allclose(found[name], want, atol=2e-3 * SMALL), name


def test_the_vector_potential_of_ghost_becomes_its_curl(bring, tmp_path):
    zero = 0 * X
    a = (zero, zero, np.cos(X) + np.sin(2 * Y))                        # b = (2 cos 2y, sin x, 0)
    names = {"vx": np.sin(Z), "vy": zero, "vz": zero, **dict(zip(("ax", "ay", "az"), a))}
    words = ghost_files(tmp_path / "mhd", names, dtype="<f8")
    (tmp_path / "mhd/parameter.inp").write_text(PARAMETERS + "&magfield\nmu = 2.e-2\n/\n&uniformb\nbz0 = 1.0\n/\n")
    bring("ghost", *words, "-o", tmp_path / "started", "--solver", "MHDB")
    with h5py.File(tmp_path / "started/start.h5") as file:
        for name, want in (("bx", 2 * np.cos(2 * Y)), ("by", np.sin(X)), ("bz", zero), ("u", np.sin(Z))):
            assert np.allclose(file[name][:], want, atol=1e-13), name
    text = (tmp_path / "started/case.toml").read_text()
    assert 'solver = "mhd"' in text and "mean_field = [0.0, 0.0, 1.0]" in text and "resistivity = 0.02" in text and "rotation" not in text


def test_slabs_of_processes_and_boxes_that_are_no_cubes(tmp_path):
    from triad_plot.moving import command
    values = np.random.default_rng(1).random((6, 8, 10)).astype("f4")
    (tmp_path / "parameter.inp").write_text(PARAMETERS.replace("bvfreq = 2.0", "bvfreq = 0.0"))
    files = []
    for name in ("vx", "vy", "vz"):
        for rank in range(2):
            files.append(tmp_path / f"{name}.{rank:03d}.0003.out")
            values[3 * rank:3 * rank + 3].tofile(files[-1])
    assert "needs" not in refused(64, "ghost", tmp_path / "parameter.inp", *files, "-o", tmp_path / "out")
    assert "need 1920 in single or 3840" not in refused(65, "ghost", tmp_path / "parameter.inp", *files, "-o", tmp_path / "out", "--n", "10,8,7")
    command.run_command(["ghost", str(tmp_path / "parameter.inp"), *map(str, files), "-o", str(tmp_path / "out"), "--n", "10,8,6"])
    with h5py.File(tmp_path / "out/start.h5") as file:
        assert np.array_equal(file["v"][:], values)


def test_what_ghost_files_lack_is_refused(tmp_path):
    u, v, w = waves()
    parameters, *files = ghost_files(tmp_path / "ghost", {"vx": u, "vy": v, "vz": w})
    out = tmp_path / "out"
    assert "vz of vx, vy, vz is missing" in refused(66, "ghost", parameters, *files[:2], "-o", out)
    assert "not the name of a binary" in refused(64, "ghost", parameters, parameters, "-o", out)
    assert "parameter.inp:3: not a line of a namelist" in refused(65, "ghost", bad(tmp_path, "&a\nb = 1\nc d\n/\n"), *files, "-o", out)
    assert "/ is missing" in refused(65, "ghost", bad(tmp_path, "&a\nb = 1\n"), *files, "-o", out)
    assert "&velocity: nu is missing" in refused(65, "ghost", bad(tmp_path, "&status\n/\n"), *files, "-o", out)
    assert "nu = thick is not a number" in refused(65, "ghost", bad(tmp_path, PARAMETERS.replace("nu = 1.e-2", "nu = 'thick'")), *files, "-o", out)
    assert "dt = 0 with mult = 2" in refused(65, "ghost", bad(tmp_path, PARAMETERS.replace("2.0D-2", "0.0")), *files, "-o", out)
    assert "--solver LAHD" in refused(69, "ghost", parameters, *files, "-o", out, "--solver", "LAHD")
    files[1].write_bytes(b"\0" * 100)
    assert "the vy files have 100 bytes" in refused(65, "ghost", parameters, *files, "-o", out)
    assert "are of different times" in refused(64, "ghost", parameters, files[0], str(files[1]).replace("0003", "0004"), "-o", out)
    assert "no such file" in refused(66, "ghost", parameters, tmp_path / "vx.0001.out", "-o", out)
    assert "exists already" in refused(64, "ghost", *ghost_files(tmp_path / "ghost", {"vx": u, "vy": v, "vz": w}), "-o", tmp_path)
    assert not out.exists()


def bad(folder, text):
    (folder / "bad").mkdir(exist_ok=True)
    (folder / "bad/parameter.inp").write_text(text)
    return folder / "bad/parameter.inp"


# ---- fluidsim ----

def fluidsim_file(path, fields, kind, **params):
    """As fluidsim.util.output.save_file writes it."""
    with h5py.File(path, "w") as file:
        group = file.create_group("state_phys")
        group.attrs["time"], group.attrs["it"], group.attrs["what"] = 4.0, 100, "obj state_phys for fluidsim"
        for name, values in fields.items():
            group[name] = values
        file.attrs["name_solver"] = kind
        for name, value in {"oper.Lx": 2 * np.pi, "oper.Ly": 2 * np.pi, "oper.Lz": 2 * np.pi, "oper.truncation_shape": "cubic", "nu_2": NU, "nu_8": 0.0,
                            "nu_4": 0.0, "nu_m4": 0.0, "f": "None", "time_stepping.t_end": 10.0, "time_stepping.USE_CFL": True, "time_stepping.cfl_coef": 0.4,
                            "time_stepping.type_time_scheme": "RK4", "forcing.enable": False, **params}.items():
            *where, key = f"info_simul.params.{name}".split(".")
            file.require_group("/".join(where)).attrs[key] = value
    return path


def test_a_run_of_fluidsim_continues(bring, launcher, triad, tmp_path):
    u, v, w = waves()
    path = fluidsim_file(tmp_path / "state_phys_t0004.000.nc", {"vx": u, "vy": v, "vz": w, "b": 0 * X}, "ns3d.strat", N=FREQUENCY, f=CORIOLIS,
                         **{"forcing.enable": False, "oper.nx": N})
    told = bring("fluidsim", path, "-o", tmp_path / "started")
    assert "theta = -b/N" in told.stdout
    text = (tmp_path / "started/case.toml").read_text()
    assert 'scheme = "rk4"' in text and "end = 6.0" in text and "cfl = 0.4" in text and 'truncation = "box"' in text
    found = continued(launcher, triad, tmp_path / "started/case.toml")
    for name, want in zip(("u", "v", "w", "theta"), waves_at(T)):      # there b = -N s
        assert np.allclose(found[name], want, atol=2e-3 * SMALL), name


def test_a_plane_of_fluidsim_has_the_velocity_of_its_vorticity(tmp_path):
    from triad_plot.moving import command
    y2, x2 = np.meshgrid(x, x, indexing="ij")
    u, v = np.cos(x2) * np.sin(2 * y2), -np.sin(x2) * -np.cos(2 * y2) / 2 * -1 # psi = -cos x cos 2y/2
    rot = -np.cos(x2) * np.cos(2 * y2) / 2 - 2 * np.cos(x2) * np.cos(2 * y2)   # dv/dx - du/dy
    path = fluidsim_file(tmp_path / "state_phys_t0004.000.h5", {"rot": rot, "b": np.cos(y2)}, "NS2D.strat", N=FREQUENCY, nu_8=1e-9,
                         **{"forcing.enable": True, "forcing.type": "tcrandom", "forcing.nkmin_forcing": 2, "forcing.nkmax_forcing": 3,
                            "forcing.forcing_rate": 0.7})
    command.run_command(["fluidsim", str(path), "-o", str(tmp_path / "out")])
    with h5py.File(tmp_path / "out/start.h5") as file:
        assert file["u"].shape == (N, 1, N)                            # y is along gravity, and so z
        assert np.allclose(file["u"][:, 0], u, atol=1e-13) and np.allclose(file["w"][:, 0], v, atol=1e-13)
        assert np.allclose(file["theta"][:, 0], -np.cos(y2) / FREQUENCY, atol=1e-13)
    text = (tmp_path / "out/case.toml").read_text()
    for line in ("power = 0.7", "k_range = [2.0, 3.0]", "n = [16, 1, 16]", "hyperviscosity_order = 4"):
        assert line in text, text
    assert "hyperviscosity acts on the velocity" in " ".join(text.replace("#", " ").split())


def test_what_fluidsim_files_lack_is_refused(tmp_path):
    assert "Triad has the equations of ns3d" in refused(69, "fluidsim", fluidsim_file(tmp_path / "a.h5", {}, "plate2d"), "-o", tmp_path / "out")
    assert "state_phys/vx is missing" in refused(66, "fluidsim", fluidsim_file(tmp_path / "b.h5", {}, "ns3d"), "-o", tmp_path / "out")
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file["u"] = x
    assert "info_simul/params is missing" in refused(65, "fluidsim", tmp_path / "c.h5", "-o", tmp_path / "out")
    path = fluidsim_file(tmp_path / "d.h5", {}, "ns3d")
    with h5py.File(path, "r+") as file:
        file.create_dataset("state_phys/vx", (1 << 40, 16, 16), chunks=(16, 16, 16))
    assert "damaged: /state_phys/vx is no array" in refused(65, "fluidsim", path, "-o", tmp_path / "out")
    assert "--n applies to triad import ghost only" in refused(64, "fluidsim", tmp_path / "c.h5", "-o", tmp_path / "out", "--n", "1,1,1")


# ---- Dedalus ----

def dedalus_file(path, tasks, axes=(("x", x), ("y", x), ("z", x)), grid=True):
    """As dedalus.core.evaluator.H5FileHandlerBase writes it: x, y, z, after components, of two writes."""
    with h5py.File(path, "w") as file:
        scales = file.create_group("scales")
        for name, values in (("sim_time", [1.0, 3.5]), ("timestep", [0.01, 0.02]), ("write_number", [1, 2])):
            scales[name] = np.array(values)
            scales[name].make_scale(name)
        for name, points in axes:
            scales[f"{name}_hash_0"] = points
            scales[f"{name}_hash_0"].make_scale(name)
        for name, values in tasks.items():
            values = np.stack([0 * values, values])
            item = file.create_dataset(f"tasks/{name}", data=values)
            item.attrs["grid_space"], item.attrs["scales"] = np.array([grid] * len(axes)), np.ones(len(axes))
            item.dims[0].label = "t"
            for scale in ("sim_time", "timestep", "write_number"):
                item.dims[0].attach_scale(scales[scale])
            for i, (axis, _points) in enumerate(axes):
                dim = item.dims[values.ndim - len(axes) + i]
                dim.label = axis
                dim.attach_scale(scales[f"{axis}_hash_0"])
    return path


def test_a_run_of_dedalus_continues(bring, launcher, triad, tmp_path):
    velocity = np.stack([one.transpose(2, 1, 0) for one in waves()])
    path = dedalus_file(tmp_path / "snapshots_s1.h5", {"u": velocity, "buoyancy": 0 * X, "p": 0 * X})
    told = bring("dedalus", path, "-o", tmp_path / "started", "--map", "buoyancy=buoyancy", "--buoyancy-frequency", FREQUENCY, "--viscosity", NU,
                 "--diffusivity", NU)
    assert "theta is -buoyancy/N" in told.stdout and "not taken over: Tasks p" in told.stderr
    text = (tmp_path / "started/case.toml").read_text()
    assert "was 3.5:" in " ".join(text.split("\n")[:2])
    case = tmp_path / "started/case.toml"
    case.write_text(text.replace("[grid]", f"rotation = [0, 0, {CORIOLIS / 2}]\n\n[grid]", 1))
    found = continued(launcher, triad, case)
    for name, want in zip(("u", "v", "w", "theta"), waves_at(T)):
        assert np.allclose(found[name], want, atol=2e-3 * SMALL), name


def test_a_plane_of_dedalus_is_a_plane_of_x_and_z(tmp_path):
    from triad_plot.moving import command
    a, b = np.random.default_rng(2).random((2, N, 8))
    path = dedalus_file(tmp_path / "s1.h5", {"velocity": np.stack([a, b])}, (("x", x - 1), ("z", np.arange(8) / 4)))
    command.run_command(["dedalus", str(path), "-o", str(tmp_path / "out")])
    with h5py.File(tmp_path / "out/start.h5") as file:
        assert np.array_equal(file["u"][:, 0], a.T) and np.array_equal(file["w"][:, 0], b.T) and not file["v"][:].any()
        assert np.allclose(file.attrs["length"], [2 * np.pi, 2, 2])
    text = (tmp_path / "out/case.toml").read_text()
    assert "n = [16, 1, 8]" in text and "x began at -1" in text and "The viscosity: give it" in text


def test_what_dedalus_files_lack_is_refused(tmp_path):
    velocity, out = np.zeros((3, N, N, N)), tmp_path / "out"
    chebyshev = (("x", x), ("y", x), ("z", np.cos(x / 2)))
    assert "not evenly spaced" in refused(69, "dedalus", dedalus_file(tmp_path / "a.h5", {"u": velocity}, chebyshev), "-o", out)
    assert "has coefficients" in refused(65, "dedalus", dedalus_file(tmp_path / "b.h5", {"u": velocity}, grid=False), "-o", out)
    assert "the tasks are p" in refused(66, "dedalus", dedalus_file(tmp_path / "c.h5", {"p": X}), "-o", out)
    path = dedalus_file(tmp_path / "d.h5", {"u": velocity, "s": X})
    assert "has 2 writes" in refused(64, "dedalus", path, "-o", out, "--write-number", 3)
    assert "requires --buoyancy-frequency" in refused(64, "dedalus", path, "-o", out, "--map", "buoyancy=s")
    assert "without gaps" in refused(64, "dedalus", path, "-o", out, "--map", "scalar2=s")
    assert "must be u=TASK" in refused(64, "dedalus", path, "-o", out, "--map", "q=s")
    assert "merge the parts first" in refused(65, "dedalus", dedalus_file(tmp_path / "s1_p0.h5", {"u": velocity}), "-o", out)
    assert "triad import requires one of ghost" in refused(64, "nek", path, "-o", out)
    assert not out.exists()

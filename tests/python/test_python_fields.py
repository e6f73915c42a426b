"""`import triad`: modes and points as they are seen and set, on any ranks, of every family."""

import pytest

from scripts import python  # noqa: F401


def test_modes_are_the_flows_own_memory(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        u, before = flow.modes["u"], flow.modes["u"].copy()
        assert np.shares_memory(u, flow.modes["u"]) and not u.flags.owndata and not u.flags.writeable
        m = flow.modes
        def energy():
            return sum(np.sum(m.weight * abs(m[c])**2) for c in "uvw") / 2
        # the same terms, summed in another order: n rounding errors of the whole at most
        assert abs(energy() - flow.numbers()["energy"]) < 1e-16 * u.size
        flow.step()
        assert np.any(u != before), "a view shows the flow as it is now"
        divergence = sum(1j * k * m[c] for k, c in zip((m.kx, m.ky, m.kz), "uvw"))
        assert np.abs(divergence).max() < 1e-15
        assert not np.any(u[~m.kept]) and np.all(m.column[m.weight > 0] >= 0)
        flow.close()
        assert np.isfinite(u).all(), "memory that is looked at outlives the flow"
        """)


def test_dlpack_shows_the_same_memory_and_gives_it_back(python):
    python("""
        import gc
        from triad import dlpack
        flow = triad.Flow("case.toml", dir="run")
        u = np.from_dlpack(flow.state.memory("u"))
        assert u.dtype == complex and np.array_equal(u.transpose(0, 2, 1), flow.modes["u"])
        assert np.shares_memory(u, flow.modes["u"]) and len(dlpack._shown) == 1
        flow.state.memory("v").__dlpack__()  # which nobody takes
        gc.collect()
        assert len(dlpack._shown) == 1
        del u
        gc.collect()
        assert not dlpack._shown
        try:
            flow.state.on_gpu("u")
            assert False
        except triad.FeatureError as error:
            assert "not on a GPU" in str(error)
        """)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_points_are_those_of_the_formula_and_know_their_place(python, n):
    python("""
        flow = triad.Flow("case.toml", dir="run", initial=dict(kind="taylor-green", wavenumber=1), grid=dict(n=[16, 12, 8]))
        u = flow.points("u")
        assert u.whole == (8, 12, 16) and u.begin[1:] == (0, 0) and u.unit == "U"
        z, y, x = np.meshgrid(u.z, u.y, u.x, indexing="ij")
        assert u.shape == x.shape and flow.sum(u.size) == 8 * 12 * 16
        assert flow.max(abs(u - np.sin(x) * np.cos(y) * np.cos(z))) < 1e-14
        # vorticity on z = 0: (0, 0, 2 sin x sin y), and on a line
        w = flow.points("vorticity_z", z=0)
        Y, X = np.meshgrid(flow.grid[1], flow.grid[0], indexing="ij")
        assert w.size in (0, X.size) and flow.sum(w.size) == X.size and w.z == 0 and w.whole == (12, 16)
        assert w.size == 0 or np.abs(w - 2 * np.sin(X) * np.sin(Y)).max() < 1e-14
        line = flow.points("vorticity", z=0, y=flow.grid[1][3])
        assert line.size == 0 or np.allclose(line, 2 * abs(np.sin(flow.grid[0])), atol=1e-14)
        assert abs(flow.mean(flow.points("speed")**2) - 0.25) < 1e-15
        # the nearest plane may be beyond a side
        h = 2 * np.pi / 8
        for where, plane in ((2 * np.pi, 0), (7.6 * h, 0), (7.4 * h, 7), (-0.6 * h, 7), (-0.4 * h, 0), (83.4 * h, 3)):
            assert flow.points("u", z=where).z == flow.grid[2][plane], (where, plane)
        """, n)


def test_along_walls_nothing_goes_through_the_sides(python):
    python("""
        case = dict(equations=dict(solver="staggered", viscosity=0.1), grid=dict(n=[8, 8, 1], length=[1, 1, 1]), initial=dict(kind="rest"),
                    boundaries=dict(x=["wall", "wall"]), time=dict(end=0.1), output=dict(report=False))
        flow = triad.Flow(case, dir="walls")
        assert flow.points("u", x=1.0).x == flow.grid[0][-1] and flow.points("u", y=1.0).y == flow.grid[1][0], flow.grid
        """)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fields_set_from_arrays_are_those_of_the_start_by_name(python, n):
    python("""
        tg = triad.Flow("case.toml", dir="named", initial=dict(kind="taylor-green", wavenumber=1))
        flow = triad.Flow("case.toml", dir="set", initial=dict(kind="rest"))
        assert flow.numbers()["energy"] == 0
        p = flow.points("u")
        z, y, x = np.meshgrid(p.z, p.y, p.x, indexing="ij")
        flow.set("u", np.sin(x) * np.cos(y) * np.cos(z))          # one after the other: projected when all are there
        flow.set(v=-np.cos(x) * np.sin(y) * np.cos(z), w=0)
        both = triad.Flow("case.toml", dir="both", initial=dict(kind="rest"))
        both.set("u", np.sin(x) * np.cos(y) * np.cos(z), v=-np.cos(x) * np.sin(y) * np.cos(z))
        assert all(np.array_equal(both.modes[c], flow.modes[c]) for c in "uvw"), "by name and by keyword in one call"
        assert all(np.abs(flow.modes[c] - tg.modes[c]).max() < 1e-16 for c in "uvw")
        # a gradient is no velocity: all of it goes, and whole arrays of the grid are taken too
        Z, Y, X = np.meshgrid(*flow.grid[::-1], indexing="ij")
        flow.set(u=np.cos(X), v=np.sin(Y), w=np.sin(Z))
        assert flow.max(abs(flow.points("speed"))) < 1e-15
        # modes: real fields' ones, of those that are kept
        m, random = flow.modes, np.random.default_rng(1)
        m["u"] = random.normal(size=m.kept.shape) + 1j * random.normal(size=m.kept.shape)
        own = (m.mx == 0) & (m.my == 0) & (m.weight > 0)
        assert np.array_equal(m["u"][own[..., 0]], np.conj(m["u"][own[..., 0]][:, -np.arange(m.mz.size)]))
        flow.advance(to=0.1)
        assert flow.t == 0.1
        """, n)


def test_a_gas_is_seen_and_set_at_points(python):
    python("""
        case = {"equations": {"solver": "compressible"}, "grid": {"n": [16, 1, 1]}, "time": {"end": 0.05},
                "initial": {"kind": "sod"}, "output": {"report": False}}
        flow = triad.Flow(case, dir="gas")
        rho, p = flow.points("rho"), flow.points("p")
        assert rho.shape == (1, 1, 16) and np.array_equal(flow.state["rho"], rho) and flow.state.names[-1] == "e"
        assert {0.125, 1.0} == set(rho.flat) and np.allclose(flow.state["e"], p / 0.4)
        flow.set(rho=1.0, rho_u=0.0, rho_v=0.0, rho_w=0.0, e=2.5)
        flow.advance()
        assert np.abs(flow.points("rho") - 1).max() < 1e-15 and np.abs(flow.points("u")).max() < 1e-15
        """)


@pytest.mark.parametrize("case, quantities", [
    (dict(equations=dict(solver="compressible"), grid=dict(n=[12, 10, 8]), initial=dict(kind="taylor-green")),
     ("vorticity", "mach", "rho", "w")),
    (dict(equations=dict(solver="staggered", viscosity=0.01), grid=dict(n=[12, 10, 1], length=[1, 1, 0.1]), initial=dict(kind="rest"),
          boundaries=dict(x=["wall", "wall"], y=["wall", "wall"], wall_velocity=[0] * 9 + [1] + [0] * 8)),
     ("vorticity_z", "speed", "u")),
    (dict(equations=dict(solver="mhd", viscosity=0.1, resistivity=0.1), grid=dict(n=[12, 10, 8]), initial=dict(kind="random", wavenumber=1)),
     ("current", "magnetic", "bx")),
])
def test_quantities_of_each_family_are_those_of_its_slices(python, case, quantities):
    """By another way: planes of the run's own files, which its ranks have put together."""
    python(f"""
        output = dict(report=False, slices_interval=0.1, slices=["z=0: {', '.join(quantities)}"])
        flow = triad.Flow({case!r} | dict(time=dict(end=0.1), output=output), dir="run")
        flow.advance()
        found = {{name: flow.points(name, z=0) for name in {quantities!r}}}
        flow.close()
        file = triad.open("run").slices[1][-1]
        for name, part in found.items():
            whole = file[name].values
            assert whole.shape == part.whole and whole.any(), (name, whole.shape, part.whole)
            if part.size:
                mine = whole[tuple(slice(b, b + n) for b, n in zip(part.begin, part.shape))]
                # a file of slices is of doubles, of the same sums
                assert np.abs(mine - part).max() <= 1e-13 * np.abs(whole).max(), name
        """, 2)

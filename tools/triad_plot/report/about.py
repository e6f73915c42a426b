"""What was run, on what, and how long: rows (name, text) for the report's tables."""
import json
import os
import re

import numpy as np

from triad_plot.compute import similarity
from triad_plot.problem import Problem
from triad_plot.read import hdf5
from triad_plot.read.log import Log
from triad_plot.read.run import grid_text

UNITS = (("d", 86400), ("h", 3600), ("min", 60))


def span_text(seconds):
    """1 h 12 min, 35 s."""
    parts = []
    for name, size in UNITS:
        if seconds >= size:
            parts.append(f"{int(seconds // size)} {name}")
            seconds %= size
        if len(parts) == 2:
            return " ".join(parts)
    return " ".join([*parts, f"{seconds:.0f} s" if parts or seconds >= 10 else f"{seconds:.1f} s"])


def length_text(x):
    """2pi, 3pi/4, 1.5: multiples of pi are what boxes are thought in."""
    for below in (1, 2, 3, 4):
        above = x * below / np.pi
        if abs(above - round(above)) < 1e-9 and round(above) > 0:
            return (f"{round(above)}" if round(above) != 1 else "") + "\u03c0" + (f"/{below}" if below > 1 else "")
    return f"{x:.8g}"


def box_text(lengths):
    words = [length_text(x) for x in lengths]
    return " \u00d7 ".join(words) if len(set(words)) > 1 else f"{words[0]} per side"


def kind_text(run, table):
    """random: energy 0.5, wavenumber 2: the kind with what the case says of it; "" without a kind, or with none."""
    kind = run.case.get(f"{table}.kind")
    if not kind or kind == "none":
        return ""
    said = [f"{key.split('.', 1)[1].replace('_', ' ')} {list_text(value if isinstance(value, list) else [value])}"
            for key, value in run.case.items() if key in run.given and key.startswith(f"{table}.") and key != f"{table}.kind"]
    return kind + (": " + "; ".join(said) if said else "")


def list_text(values):
    return ", ".join(f"{v:.8g}" if isinstance(v, (int, float)) and not isinstance(v, bool) else str(v) for v in values)


def is_nothing(value):
    return value in (0, 0.0, "", [], False, None) or (isinstance(value, list) and not any(value))


# ---- grid and mesh ----

def cells_text(log):
    """Cells and blocks, as the solver counted them at the start: of meshes and of blocks."""
    blocks = log.found(r"grid of (\d+) blocks?, (\d+) cells")
    cells = log.found(r"^fct: .* precision, (\d+) cells")
    if blocks:
        return f"{blocks[2]} cells in {blocks[1]} block{'s' * (blocks[1] != '1')}"
    return f"{cells[1]} cells" if cells else ""


def extent_of(run, log):
    """Lengths of the box round a mesh: from the log, or from the nodes of blocks; None."""
    said = log.found(r"extent ([\d.e+-]+) x ([\d.e+-]+) x ([\d.e+-]+), from")
    if said:
        return [float(x) for x in said.groups()]
    try:
        def lengths(file):
            ends = [[(float(np.min(file[n])), float(np.max(file[n]))) for n in file if re.fullmatch(rf"{a}\.\d+", n)] for a in "xyz"]
            return [max(high for _, high in e) - min(low for low, _ in e) for e in ends]
        return hdf5.read(run / os.path.join("fields", "grid.h5"), lengths)
    except (Problem, ValueError):
        return None


def mesh_rows(run, log):
    """Of solvers whose grid may come from a file, or from a recipe in which the box has no say."""
    c, rows = run.case, []
    name = os.path.basename(c.get("grid.file") or "")
    kind = c.get("grid.kind") or ""
    counted = cells_text(log)
    if name:   # every other key of the grid is without effect then
        rows.append(("grid", ", ".join(filter(None, (f"{kind_of_file(name)} {name}", counted)))))
    else:
        points = "" if "grid.n" in run.given else f"n {list_text(c.get('grid.n') or [])}"
        rows.append(("grid", "; ".join(filter(None, (kind_text(run, "grid") or kind, points, counted)))))
    extent = extent_of(run, log)
    if extent:
        rows.append(("extent", " \u00d7 ".join(length_text(x) for x in extent)))
    return rows


def kind_of_file(name):
    return "mesh" if name.endswith((".msh", ".cgns")) else "file"


def grid_rows(run, log):
    c = run.case
    if run.solver in ("fct", "multiblock"):
        return mesh_rows(run, log)
    rows = [("grid", grid_text(c.get("grid.n")))]
    lengths = c.get("grid.length")
    if isinstance(lengths, list) and lengths:
        rows.append(("box", box_text(lengths)))
    stretch = c.get("grid.stretch")
    if isinstance(stretch, list) and any(stretch):
        rows.append(("stretched", list_text(stretch) + " along x, y, z"))
    return rows


# ---- keys of the equations ----

VISCOUS = ("equations.prandtl", "equations.viscosity_law", "equations.viscosity_power", "equations.viscosity_temperature",
           "equations.sutherland", "equations.sutherland_temperature", "equations.reference_temperature", "equations.viscosity")
OF_LAW = {"equations.viscosity_power": ("power",), "equations.sutherland": ("sutherland",), "equations.sutherland_temperature": ("sutherland",),
          "equations.reference_temperature": ("power", "sutherland"), "equations.viscosity_temperature": ("power", "sutherland")}
UPWIND = ("equations.weights", "equations.reconstruction", "equations.riemann", "equations.entropy_fix")
WITHOUT_TRANSPORT = {"low": tuple(f"equations.{key}" for key in ("high_order", "gradients", "limited", "prelimit", "slack")),
                     "high": tuple(f"equations.{key}" for key in ("low_order", "limited", "prelimit", "slack"))}
WITH = {"equations.hyperviscosity_order": "equations.hyperviscosity", "equations.drag_wavenumber": "equations.drag"}


def acts(run, key):
    """Has this key of [equations] a say in the run, by the others?"""
    c = run.case
    if key in VISCOUS and (c.get("equations.model") == "euler" or (run.solver in ("compressible", "fct") and not c.get("equations.viscosity"))):
        return False
    if key in OF_LAW and c.get("equations.viscosity_law") and c["equations.viscosity_law"] not in OF_LAW[key]:
        return False
    if key in UPWIND and c.get("equations.flux") == "central":
        return False
    if key == "equations.entropy_fix" and c.get("equations.riemann") not in (None, "roe"):
        return False
    if key == "equations.kappa" and c.get("equations.order") == 1:
        return False
    transport = c.get("equations.transport")
    if key in WITHOUT_TRANSPORT.get(transport, ()) or (key == "equations.gradients" and c.get("equations.high_order") == "central"):
        return False
    return key not in WITH or not is_nothing(c.get(WITH[key]))


def equation_rows(run):
    return [(key.split(".", 1)[1].replace("_", " "), list_text(value if isinstance(value, list) else [value]))
            for key, value in run.case.items()
            if key.startswith("equations.") and key != "equations.solver" and not is_nothing(value) and value != "none" and acts(run, key)]


# ---- boundaries, bodies, particles, probes ----

SIDES = ("lower x", "upper x", "lower y", "upper y", "lower z", "upper z")


def side_rows(run):
    """Of a box: what is at its sides, and the numbers that belong to it."""
    c = run.case
    pairs = {axis: c.get(f"boundaries.{axis}") for axis in "xyz" if isinstance(c.get(f"boundaries.{axis}"), list)}
    if not pairs:
        return []
    if all(side == "periodic" for pair in pairs.values() for side in pair):
        return [("boundaries", "periodic")]
    rows = [("boundaries", "; ".join(f"{axis}: {pair[0] if pair[0] == pair[1] else ', '.join(pair)}" for axis, pair in pairs.items()))]
    sides = [side for axis in "xyz" for side in pairs.get(axis, ("periodic", "periodic"))]
    if "inflow" in sides and not is_nothing(c.get("boundaries.inflow")):
        rows.append(("inflow", list_text(c["boundaries.inflow"]) + (" (\u03c1, u, v, w, p)" if run.solver == "compressible" else " (u, v, w)")))
    velocity = c.get("boundaries.wall_velocity") or []
    moving = [f"{name} ({list_text(velocity[3 * i:3 * i + 3])})" for i, name in enumerate(SIDES) if any(velocity[3 * i:3 * i + 3])]
    if moving:
        rows.append(("moving walls", "; ".join(moving) + (f", at frequency {c['boundaries.wall_frequency']:g}"
                                                          if c.get("boundaries.wall_frequency") else "")))
    for key, value in c.items():
        if key.startswith("boundaries.wall_temperature") and key in run.given and not is_nothing(value):
            rows.append((key.split(".", 1)[1].replace("_", " "), list_text(value)))
    return rows


def tables_of(run, name):
    """The tables [[name]] of the case, as {key: value}, of the keys that have one."""
    out = []
    for k in range(1, 65):
        head = f"{name}[{k}]."
        found = {key[len(head):]: value for key, value in run.case.items() if key.startswith(head) and not is_nothing(value)}
        if not found:
            return out
        out.append(found)
    return out


def table_text(table):
    return "; ".join(f"{key.replace('_', ' ')} {list_text(value if isinstance(value, list) else [value])}" for key, value in table.items())


def has_closure(run):
    return (run.case.get("closure.model") or "none") != "none"


def body_rows(run, log):
    c, rows = run.case, []
    rows += [("body", table_text(table)) for table in tables_of(run, "bodies")]
    rows += [("sponge", table_text(table)) for table in tables_of(run, "sponges")]
    if has_closure(run):
        rows.append(("subgrid model", table_text({key.split(".", 1)[1]: value for key, value in c.items() if key.startswith("closure.") and not is_nothing(value)})))
    solids = kind_text(run, "solids")
    filled = log.found(r"solids \(.*\) fill ([\d.e+-]+ %) of the box")
    if solids:
        rows.append(("solids", solids + (f"; fill {filled[1]} of the box" if filled else "")))
    if not is_nothing(c.get("strain.rates")):
        rows.append(("strain", f"rates {list_text(c['strain.rates'])} from t = {c.get('strain.start') or 0:g}" +
                     (f" to {c['strain.end']:g}" if c.get("strain.end") else "")))
    if c.get("sponge.rate"):
        rows.append(("sponge", f"rate {c['sponge.rate']}"))
    if run.solver == "multiblock":
        rows.append(("reference", "; ".join(f"{key} {list_text(value if isinstance(value, list) else [value])}" for key, value in
                                            ((k, c.get(f"reference.{k}")) for k in ("area", "length", "centre")) if value is not None)))
        rows.append(("known solution", kind_text(run, "solution")))
    return rows


def followed_rows(run):
    """Particles, probes and means."""
    c, rows = run.case, []
    for k in range(1, 65):
        name = c.get(f"particles[{k}].name")
        if name is None:
            break
        count = c.get(f"particles[{k}].count")
        rows.append(("particles", " ".join(filter(None, (f"{name}:", f"{count:,}".replace(",", "\u00a0") if count else "",
                                                         c.get(f"particles[{k}].kind"))))))
    probes = c.get("output.probes") or []
    if probes:
        shown = "; ".join(str(p) for p in probes[:4]) + (f"; and {len(probes) - 4} more" if len(probes) > 4 else "")
        rows.append(("probes", f"{shown}; every {c.get('output.probes_interval') or 0:g}"))
    means = c.get("output.means")
    if means and means is not True:
        rows.append(("means of", list_text(means)))
    return rows


def patch_rows(run):
    return [("patch", str(text)) for text in run.case.get("boundaries.patches") or []]


def what(run, log=None):
    c, log = run.case, log or Log(run / "log.txt")
    rows = [("case", run.case_name), ("equations", run.solver), *similarity.rows(run), *grid_rows(run, log), *side_rows(run),
            *patch_rows(run), *body_rows(run, log)]
    for key, name in (("precision", "precision"), ("grid.truncation", "truncation"), ("time.scheme", "scheme")):
        rows.append((name, c.get(key) or ""))
    rows += [("initial condition", kind_text(run, "initial")), ("forcing", kind_text(run, "forcing")), *equation_rows(run), *followed_rows(run)]
    for _, t, key, was, now in run.changes:
        if not key.startswith(("output.", "parallel.", "time.end", "time.max_steps")):
            rows.append((f"from t = {t:g}", f"{key} {now or 'missing'} (before: {was or 'missing'})"))
    return [(name, text) for name, text in rows if text]


def on_what(run):
    p = run.provenance
    rows = [("version", " ".join(str(p[k]) for k in ("version",) if k in p) +
             (f" (commit {p['commit']})" if p.get("commit") else "")), ("built by", p.get("build_flags")),
            ("compiler", p.get("compiler")), ("processor", "; ".join(map(str, p["cpu"])) if isinstance(p.get("cpu"), list) else "")]
    rows += list(p["libraries"].items()) if isinstance(p.get("libraries"), dict) else []
    rows += places(p.get("binding"))
    if isinstance(p.get("command"), list):
        rows.append(("command", " ".join(map(str, p["command"]))))
    rows.append(("started", p.get("started")))
    return [(name, str(text)) for name, text in rows if text]


def places(binding):
    """Ranks, threads and nodes of provenance.json."""
    if not isinstance(binding, dict) or not isinstance(binding.get("nodes"), list):
        return []
    nodes = [n for n in binding["nodes"] if isinstance(n, dict)]
    ranks = [r for n in nodes for r in n.get("ranks", []) if isinstance(r, dict)]
    threads = sorted({r.get("threads", 1) for r in ranks})
    hosts = [str(n.get("host", "?")) for n in nodes]
    text = f"{binding.get('ranks', len(ranks))} rank(s) \u00d7 {' or '.join(map(str, threads)) or '?'} thread(s)"
    more = " \u2026" if len(hosts) > 8 else ""
    return [("parallel", text), ("nodes", f"{len(nodes)}: {', '.join(hosts[:8])}{more}"),
            ("cores per node", ", ".join(sorted({str(n.get("cores", "?")) for n in nodes})))]


def phases_text(run):
    """Shares of the phases of a step on rank 0, largest first, from status.json; "" of runs too short to have one."""
    try:
        found = json.loads((run / "status.json").read_text(encoding="utf-8"))["phases_s"]
        times = {name.replace("_", " "): float(s) for name, s in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""
    total = sum(times.values())
    shares = sorted(((100 * s / total, name) for name, s in times.items() if total > 0 and s >= 0.005 * total), reverse=True)
    return ", ".join(f"{name} {share:.0f} %" for share, name in shares)


def how_long(run, log):
    rows = []
    try:
        s = run.series
        steps = int(s["step"][-1]) if "step" in s else len(s.t)
        rows.append(("steps", f"{steps}" if run.case.get("time.steady") else f"{steps}, to t = {s.t[-1]:g}"))
        dt = s["dt"][s["dt"] > 0] if "dt" in s and not run.case.get("time.steady") else np.array([])
        if len(dt):
            rows.append(("time step", f"{dt.min():.3g} to {dt.max():.3g}"))
    except Problem:
        pass
    if log.started and log.ended:
        rows.append(("wall clock", span_text((log.ended - log.started).total_seconds()) +
                     (f", from the first to the last line of log.txt ({log.sessions()} sessions)" if log.sessions() > 1 else "")))
        rows.append(("ended", log.ended.strftime("%Y-%m-%d %H:%M:%S UTC")))
    if log.speed():
        rows.append(("time per step at the end", f"{log.speed():.3g} ms"))
    if phases := phases_text(run):
        rows.append(("time of the last session by phase, rank 0", phases))
    return rows

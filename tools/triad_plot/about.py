"""What was run, on what, and how long: rows (name, text) for the report's tables."""
import numpy as np

from triad_plot.problem import Problem
from triad_plot.run import grid_text

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
    return " \u00d7 ".join(words) if len(set(words)) > 1 else f"{words[0]} along each side"


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


def what(run):
    c = run.case
    rows = [("case", run.case_name), ("equations", run.solver), ("grid", grid_text(c.get("grid.n")))]
    lengths = c.get("grid.length")
    if isinstance(lengths, list) and lengths:
        rows.append(("box", box_text(lengths)))
    for key, name in (("precision", "precision"), ("grid.truncation", "truncation"), ("time.scheme", "scheme")):
        rows.append((name, c.get(key) or ""))
    rows += [("initial field", kind_text(run, "initial")), ("force", kind_text(run, "forcing"))]
    for key, value in c.items():
        if key.startswith("equations.") and key != "equations.solver" and value not in (0, 0.0, "", [], False) and \
                not (isinstance(value, list) and not any(value)) and not key.endswith("_order"):
            rows.append((key.split(".", 1)[1].replace("_", " "), list_text(value if isinstance(value, list) else [value])))
    for _, t, key, was, now in run.changes:
        if not key.startswith(("output.", "parallel.", "time.end", "time.max_steps")):
            rows.append((f"from t = {t:g} on", f"{key} {now or 'not there'}, was {was or 'not there'}"))
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
            ("cores a node", ", ".join(sorted({str(n.get("cores", "?")) for n in nodes})))]


def how_long(run, log):
    rows = []
    try:
        s = run.series
        steps = int(s["step"][-1]) if "step" in s else len(s.t)
        rows.append(("steps", f"{steps}, to t = {s.t[-1]:g}"))
        dt = s["dt"][s["dt"] > 0] if "dt" in s else np.array([])
        if len(dt):
            rows.append(("time step", f"{dt.min():.3g} to {dt.max():.3g}"))
    except Problem:
        pass
    if log.started and log.ended:
        rows.append(("wall clock", span_text((log.ended - log.started).total_seconds()) +
                     (f", from first to last line of a log of {log.sessions()} sessions" if log.sessions() > 1 else "")))
        rows.append(("ended", log.ended.strftime("%Y-%m-%d %H:%M:%S UTC")))
    if log.speed():
        rows.append(("speed at the end", f"{log.speed():.3g} ms a step"))
    return rows

"""A paragraph on the methods of a run, for a paper, with the publications that `triad cite` names."""
import re

from triad_plot.draw.style import number
from triad_plot.read.run import grid_text
from triad_plot.report import about, judge

EQUATIONS = {
    "hd": "the incompressible Navier-Stokes equations in a periodic box, by a pseudospectral method",
    "boussinesq": "the Boussinesq equations in a periodic box, by a pseudospectral method",
    "mhd": "the equations of incompressible magnetohydrodynamics in a periodic box, by a pseudospectral method",
    "gpe": "the Gross-Pitaevskii equation in a periodic box, by a pseudospectral method",
    "text": "equations given as text in a periodic box, by a pseudospectral method",
    "compressible": "the compressible Navier-Stokes equations of an ideal gas, by finite differences",
    "staggered": "the incompressible Navier-Stokes equations, by a second-order scheme on a staggered mesh",
    "multiblock": "the compressible equations of an ideal gas on curvilinear blocks, by finite volumes",
    "fct": "the compressible equations of an ideal gas on an unstructured mesh, by flux-corrected transport",
}
LIBRARIES = ("FFTW", "HDF5", "OpenMPI", "MPICH", "Triad")


def entries(bibtex):
    """[(key, first family name with those behind it, year)] of BibTeX."""
    out = []
    for key, body in re.findall(r"@\w+\{([^,\s]+),(.*?)\n\}", bibtex, re.S):
        author = re.search(r"author = \{(.*)\}", body)
        year = re.search(r"year = \{(\d+)\}", body)
        names = [name.split(",")[0].strip(" {}") for name in author[1].split(" and ")] if author else [key]
        who = names[0] if len(names) == 1 else f"{names[0]} and {names[1]}" if len(names) == 2 and names[1] != "others" else f"{names[0]} et al."
        out.append((key, who, year[1] if year else ""))
    return out


def citations(bibtex):
    """(Orszag 1971; Williamson 1980) of the methods."""
    return "; ".join(f"{who} {year}".strip() for key, who, year in entries(bibtex) if key not in LIBRARIES)


def steps_text(run):
    c = run.case
    scheme = c.get("time.scheme") or ""
    if c.get("time.steady"):
        return f"Steps of {scheme} led towards a steady flow."
    dt, cfl = c.get("time.dt") or 0, c.get("time.cfl") or 0
    length = f"steps of {number(dt)}" if dt else f"a Courant number of {number(cfl)}" if cfl else ""
    return f"Time was advanced by {scheme}" + (f" with {length}." if length else ".")


def paragraph(run, judgement, bibtex, log):
    """Sentences ready to paste."""
    c, p = run.case, run.provenance
    version = " ".join(filter(None, (str(p.get("version") or ""), f"(commit {p['commit']})" if p.get("commit") else "")))
    rows = dict(about.grid_rows(run, log))
    grid = f"{grid_text(c.get('grid.n'))} points" if run.solver not in ("fct", "multiblock") and c.get("grid.n") else rows.get("grid", "")
    box = f" in a box of {rows['box']}" if rows.get("box") else ""
    out = [f"Triad {version}".strip() + f" solved {EQUATIONS.get(run.solver, 'the equations of ' + (run.solver or 'the flow'))}, "
           f"on {grid}{box}, in {c.get('precision') or 'double'} precision."]
    if run.solver in judge.SPECTRAL:
        shifts = c.get("grid.dealiasing") == "phase-shift"
        out.append("Aliasing errors were removed by " + ("phase shifts." if shifts else f"truncation ({c.get('grid.truncation') or 'sphere'})."))
    out.append(steps_text(run))
    physics = "; ".join(f"{name} {text}" for name, text in about.equation_rows(run))
    out.append(f"Parameters: {physics}." if physics else "")
    initial, forcing = about.kind_text(run, "initial"), about.kind_text(run, "forcing")
    out.append(f"Initial condition: {initial}." if initial else "")
    out.append(f"Force: {forcing}." if forcing else "")
    for name, text in about.body_rows(run, log):
        out.append(f"{name.capitalize()}: {text}." if text else "")
    if judgement:
        out.append(f"Resolution: {judgement.resolution()[1]}." if judgement.eta else "")
        if judgement.drifts:
            count = f", {judgement.turnovers:.3g} turnover times" if judgement.turnovers else ""
            out.append(f"Statistics cover t = {judgement.window[0]:.4g} to {judgement.window[1]:.4g}{count}; standard errors are the largest "
                       "that means of blocks of 1, 2, 4, .. samples give.")
    found = citations(bibtex)
    out.append(f"References: {found}." if found else "")
    return " ".join(text for text in out if text)

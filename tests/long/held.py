"""A power that holds a quantity (docs/methods/forcing.md): for check, beside it."""

import subprocess

import numpy as np

import outputs

CASE = "runs/iso-held/case.toml"


def windows(series, column, start=15.0, turnovers=5):
    """Means over windows of so many turnovers L/u' each, one behind the other."""
    t, late = series["t"], series["t"] > start
    turnover = (series["integral_scale"] / np.sqrt(2 / 3 * np.maximum(series["energy"], 1e-30)))[late].mean()
    begins = np.arange(start, t[-1] - turnovers * turnover, turnovers * turnover)
    return np.array([series[column][(t >= a) & (t < a + turnovers * turnover)].mean() for a in begins])


TARGET = """[equations]
solver = "hd"
[initial]
kind = "random"
energy = 0.3
wavenumber = 2
[forcing]
kind = "ornstein-uhlenbeck"
k_range = [1.0, 2.5]
[target]
re_lambda = 50
kmax_eta = 1.2
[time]
end = 60.0
cfl = 0.8
[output]
report = false
slices = []
series_interval = 0.2
"""


def target(options, name, folder, note):
    """What [target] chooses has the Reynolds number and k_max eta asked for, in the mean over some fifteen turnovers."""
    case = folder / "target.toml"
    case.write_text(TARGET)
    subprocess.run([options.triad, "run", "-q", case, "--dir", folder / name], check=True)
    series = outputs.series(folder / name)
    late = series["t"] > 20
    for column, wish in (("re_lambda", 50), ("kmax_eta", 1.2)):
        mean = series[column][late].mean()
        note(f"{name}: mean {column}", f"{mean:.3g}, {100 * abs(mean / wish - 1):.1f} % off", "5 %", abs(mean / wish - 1) < 0.05)


def check(options, name, folder, note):
    """64^3: the mean over any five turnovers, and over all, of what is held."""
    column = {"held-re": "re_lambda", "held-eta": "kmax_eta"}[name]
    wish = {"held-re": 40.0, "held-eta": 1.05}[name]
    at = folder / name
    launcher = ["mpirun", "--oversubscribe", "-n", str(options.ranks)] if options.ranks > 1 else []
    subprocess.run([*launcher, options.triad, "run", "-q", CASE, "--dir", at, "--set", f"forcing.hold={column}", "--set",
                    f"forcing.hold_value={wish}", "--set", "output.report=false"], check=True)
    found = windows(outputs.series(at), column)
    worst, mean = abs(found / wish - 1).max(), abs(found.mean() / wish - 1)
    note(f"{name}: {column} held at {wish}, {len(found)} means over five turnovers, the furthest", f"{100 * worst:.1f} %", "5 %",
         worst < 0.05)
    note(f"{name}: their mean", f"{100 * mean:.1f} %", "2 %", mean < 0.02)

"""Numbers along paths beside published ones: C_0, a_0, and Richardson's.

With S_2 the structure function of one component, C_0 = S_2/(eps tau) where it is flat (Monin and Yaglom 1975, section 23): 6 to 7 at large
Re_lambda (Biferale and Lanotte, "About the second order moment of the Lagrangian velocity increments"; Lanotte, Biferale, Boffetta and
Toschi 2013, J. Turbul. 14, 34). a_0 = <a_i^2> nu^(1/2) eps^(-3/2), beside (11 + 7 Re)/(205 + Re), which fits simulations at Re_lambda (Ayala,
Rosa and Wang 2008, New J. Phys. 10, 075016). Pairs: <|r - r_0|^2>/(eps t^3), Richardson's law with 0.6 (Sawford 2001, Annu. Rev. Fluid
Mech. 33, 289).
"""
import numpy as np

from triad_plot.draw import page, style
from triad_plot.figures.scales.spectrum import look
from triad_plot.problem import Absent

C0_AT_LARGE_RE = (6.0, 7.0)
RICHARDSON = 0.6
BLOCKS = 6   # of time, each a point of a_0


def apart(group):
    """Vectors of pairs 2 i, 2 i + 1: [time][pair][3]."""
    x = group["position"]
    return x[:, 1::2] - x[:, ::2]


def started_as_pairs(run, groups):
    some = {name: g for name, g in groups.items() if g.key(run, "start") == "pairs"}
    if not some:
        raise Absent(f"{run.path}: no group was initialised as pairs")
    return some


def dissipation(run, t):
    eps = run.scale_of("dissipation", t)
    if not eps > 0:
        raise Absent(f"{run.path}: no dissipation in series.csv, which scales the statistics")
    return eps


def draw_pairs(axis, run, groups):
    for i, (name, g) in enumerate(started_as_pairs(run, groups).items()):
        r2 = (apart(g)**2).sum(-1).mean(-1)
        axis.plot(g.t[1:] - g.t[0], r2[1:], **look(i, i), label=name)
        eps = run.scale_of("dissipation", g.t[-1])
        late = (r2[1:] > r2[0]) & (g.t[1:] > g.t[0])
        if eps > 0 and late.any():
            t = (g.t[1:] - g.t[0])[late]
            axis.plot(t, RICHARDSON * eps * t**3, color="#777777", linestyle="--", linewidth=1.2, label=r"$0.6\,\varepsilon t^3$")
            axis.set_ylim(0.5 * r2.min(), 3 * r2.max())
    page.name_axes(axis, "time since the start" + style.unit_text("T"), r"$\langle r^2\rangle$" + style.unit_text("L^2"), log="xy")


def richardson(group, eps):
    """t since the start, <|r - r_0|^2>/(eps t^3)."""
    r, t = apart(group), group.t[1:] - group.t[0]
    return t, ((r[1:] - r[0])**2).sum(-1).mean(-1) / (eps * t**3)


def draw_richardson(axis, run, groups):
    some = started_as_pairs(run, groups)
    last = next(iter(some.values())).t[-1]
    eps, nu = dissipation(run, last), run.case.get("equations.viscosity") or 0
    scale, unit = (np.sqrt(nu / eps), r"$t/\tau_\eta$") if nu > 0 else (1.0, "time since the start" + style.unit_text("T"))
    for i, (name, g) in enumerate(some.items()):
        t, share = richardson(g, eps)
        axis.plot(t / scale, share, **look(i, i), label=name)
    axis.axhline(RICHARDSON, color="#777777", linestyle="--", linewidth=1.2, label="0.6")
    page.name_axes(axis, unit, r"$\langle|r - r_0|^2\rangle/(\varepsilon t^3)$", log="xy")


def structure(group):
    """tau, S_2 of one component, from all starts."""
    v, dt = group.even_velocity, group.interval
    lags = np.unique(np.round(np.geomspace(1, len(v) // 2, 24)).astype(int))
    return lags * dt, np.array([((v[k:] - v[:-k])**2).mean() for k in lags])


def draw_structure(axis, run, groups):
    eps, top = dissipation(run, next(iter(groups.values())).t[-1]), 0.0
    for i, (name, g) in enumerate(groups.items()):
        tau, s2 = structure(g)
        c = s2 / (eps * tau)
        top = max(top, c.max())
        axis.plot(tau, c, **look(i, i), label=f"{name}: {c.max():.2f}")
    axis.axhspan(*C0_AT_LARGE_RE, color="#777777", alpha=0.25, linewidth=0, label=r"$C_0$ at large $\mathrm{Re}_\lambda$")
    axis.set_ylim(0, max(1.1 * top, 7.7))
    page.name_axes(axis, r"$\tau$" + style.unit_text("T"), r"$S_2(\tau)/(\varepsilon\tau)$", log="x")


def square_of_acceleration(v, h):
    """<a_i^2> of a component of velocities v[time][particle][3]: S_2(tau)/tau^2 = <a^2> (1 - O(tau^2)), extrapolated from h and 2 h."""
    one, two = (((v[k:] - v[:-k])**2).mean() / (k * h)**2 for k in (1, 2))
    return (4 * one - two) / 3


def a0_of(run, group):
    """[(Re_lambda, a_0)] of blocks of time."""
    nu, h = run.case.get("equations.viscosity") or 0, group.interval
    t = group.t[0] + h * np.arange(len(group.even_velocity))
    if not (nu > 0 and run.has_series and "re_lambda" in run.series):
        raise Absent(f"{run.path}: Re_lambda requires a viscosity")
    out = []
    for rows in np.array_split(np.arange(len(t)), max(1, min(BLOCKS, len(t) // 8))):
        when = 0.5 * (t[rows[0]] + t[rows[-1]])
        out.append((run.scale_of("re_lambda", when), square_of_acceleration(group.even_velocity[rows], h) * nu**0.5 *
                    dissipation(run, when)**-1.5))
    return np.array(out)


def published_a0(re):
    return (11 + 7 * re) / (205 + re)


def draw_a0(axis, run, groups):
    some = {name: g for name, g in groups.items() if g.kind(run) == "tracer"}
    if not some:
        raise Absent(f"{run.path}: no tracers")
    low, high = np.inf, 0.0
    for i, (name, g) in enumerate(some.items()):
        re, a0 = a0_of(run, g).T
        low, high = min(low, re.min()), max(high, re.max())
        axis.plot(re, a0, "o", color=style.COLORS[i % 7], label=name)
    re = np.geomspace(low / 1.5, high * 1.5, 100)
    axis.plot(re, published_a0(re), color="#777777", linestyle="--", linewidth=1.2, label="Ayala, Rosa and Wang 2008")
    page.name_axes(axis, r"$\mathrm{Re}_\lambda$", r"$a_0 = \langle a_i^2\rangle\,\nu^{1/2}\varepsilon^{-3/2}$")

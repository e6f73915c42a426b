"""How figures look: colours that colour-blind readers tell apart (P. Tol, Colour Schemes, SRON 2021), symbols as in
docs/methods/statistics.md, units as in series.csv."""
import re

import matplotlib

COLORS = ("#4477aa", "#ee6677", "#228833", "#aa3377", "#ccbb44", "#66ccee", "#555555")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (7, 3)))
INK, FAINT = "#222222", "#d8d8d8"
SEQUENTIAL, DIVERGING = "viridis", "RdBu_r"

RC = {
    "figure.dpi": 100, "savefig.dpi": 144, "figure.facecolor": "white", "savefig.facecolor": "white",
    "font.size": 10.5, "axes.titlesize": 11, "axes.labelsize": 11, "legend.fontsize": 9.5,
    "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.grid": True, "grid.color": FAINT, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.8,
    "legend.frameon": True, "legend.framealpha": 0.85, "legend.edgecolor": "none", "legend.fancybox": False,
    "svg.fonttype": "path", "pdf.fonttype": 42, "svg.hashsalt": "triad", "path.simplify": True, "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-3, 4), "axes.unicode_minus": True,
    "mathtext.fontset": "dejavusans",
}

# symbol and words of the quantities that axes carry
SYMBOLS = {
    "energy": ("energy", r"$E$"), "kinetic_energy": ("kinetic", r"$E_k$"), "magnetic_energy": ("magnetic", r"$E_b$"),
    "potential_energy": ("potential", r"$E_p$"), "interaction_energy": ("interaction", r"$E_i$"),
    "incompressible_energy": ("incompressible", r"$E_\mathrm{inc}$"),
    "compressible_energy": ("compressible", r"$E_\mathrm{comp}$"), "quantum_energy": ("quantum", r"$E_q$"),
    "internal_energy": ("internal", r"$E_\mathrm{int}$"),
    "enstrophy": ("enstrophy", r"$Z$"), "current_squared": ("half the squared current", r"$\langle j^2\rangle/2$"),
    "dissipation": ("dissipation", r"$\varepsilon$"), "injection": ("injection", r"$P$"),
    "viscous_dissipation": ("viscous", r"$\varepsilon_u$"), "joule_dissipation": ("Joule", r"$\varepsilon_b$"),
    "diffusive_dissipation": ("diffusive", r"$\varepsilon_\theta$"),
    "solenoidal_dissipation": ("solenoidal", r"$\varepsilon_s$"),
    "dilatational_dissipation": ("dilatational", r"$\varepsilon_d$"),
    "helicity": ("helicity", r"$H$"), "u_max": ("maximum velocity", r"$u_\mathrm{max}$"),
    "integral_scale": ("integral scale", r"$\ell_0$"), "taylor_scale": ("Taylor scale", r"$\lambda_T$"),
    "kolmogorov_scale": ("Kolmogorov scale", r"$\eta$"), "re_lambda": ("Taylor Reynolds number", r"$\mathrm{Re}_\lambda$"),
    "kmax_eta": ("resolution", r"$k_\mathrm{max}\eta$"), "cfl": ("CFL number", ""),
    "buoyancy_flux": ("buoyancy flux", r"$B$"), "cross_helicity": ("cross-helicity", r"$\langle u\cdot b\rangle$"),
    "magnetic_helicity": ("magnetic helicity", r"$\langle a\cdot b\rangle$"), "dt": ("step", r"$\Delta t$"),
    "strouhal": ("Strouhal number", r"$\mathrm{St}$"),
    "cl": ("lift coefficient", "$c_l$"), "cd": ("drag coefficient", "$c_d$"), "cm": ("moment coefficient", "$c_m$"),
    "drag_x": ("force on the solids along x", "$F_x$"), "drag_y": ("force on the solids along y", "$F_y$"),
    "drag_z": ("force on the solids along z", "$F_z$"), "wall_shear": ("wall shear stress", r"$\tau_w$"),
    "nusselt_lower": ("Nusselt number of the lower wall", r"$\mathrm{Nu}$"),
    "nusselt_upper": ("Nusselt number of the upper wall", r"$\mathrm{Nu}$"),
    "nusselt_volume": ("Nusselt number by volume", r"$\mathrm{Nu}$"),
    "mean_temperature": ("mean temperature", r"$\langle T\rangle$"), "wall_heat_flux": ("heat flux of the walls", r"$q_w$"),
    "temperature_variance": ("variance of the temperature", r"$\langle\theta^2\rangle/2$"),
    "temperature_dissipation": ("dissipation of the variance", r"$\varepsilon_T$"), "buoyancy_power": ("power of buoyancy", r"$B$"),
    "E": ("total", r"$E$"), "E_kinetic": ("kinetic", r"$E_k$"), "E_magnetic": ("magnetic", r"$E_b$"),
    "E_potential": ("potential", r"$E_p$"), "E_interaction": ("interaction", r"$E_i$"),
    "E_incompressible": ("incompressible", r"$E_\mathrm{inc}$"),
    "E_compressible": ("compressible", r"$E_\mathrm{comp}$"),
}


# a sign for each wavenumber that spectra are over
WAVENUMBERS = {"k": "k", "k_perp": r"k_\perp", "k_par": r"k_\parallel"}


def wavenumber_symbol(name):
    return WAVENUMBERS.get(name, name)


def wavenumber(name):
    """The label of its axis."""
    return f"${wavenumber_symbol(name)}${unit_text('1/L')}"


def of_whole(name, axis):
    """E_kinetic_perp over k_perp is the spectrum E_kinetic, taken over other parts of wavenumber space."""
    return name.removesuffix(axis[1:]) if axis.startswith("k_") else name


def words_of(name):
    if re.fullmatch(r"E_[a-z]{1,2}", name):
        return ""
    return SYMBOLS.get(name, (name.replace("_", " "), ""))[0]


def symbol_of(name):
    """As a formula; "" for what has none."""
    part = re.fullmatch(r"E_([a-z]{1,2})", name)  # of a component
    return rf"$E_{{{part.group(1)}}}$" if part else SYMBOLS.get(name, ("", ""))[1]


def name_of(name):
    """Words and symbol, for a legend or an axis."""
    return f"{words_of(name)} {symbol_of(name)}".strip()


def unit_text(unit):
    """[U^2/T] with raised exponents; "" for a pure number."""
    if not unit or unit == "1":
        return ""
    return "  [" + re.sub(r"\^(?:\((-?\d+)\)|(-?\d+))", r"$^{\1\2}$", unit) + "]"


def in_time(n):
    """n colours from early (dark) to late (light) of a perceptually even map; one alone is the first line colour."""
    if n == 1:
        return [COLORS[0]]
    cmap = matplotlib.colormaps[SEQUENTIAL]
    return [cmap(0.9 * i / (n - 1)) for i in range(n)]


def number(x):
    """A number for a legend: 0.25, 12, 1.2e-5."""
    return f"{x:.3g}"

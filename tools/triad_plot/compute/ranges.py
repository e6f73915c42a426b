"""Published ranges of forced, isotropic, steady turbulence, by Taylor-scale Reynolds number (docs/published-ranges.md has their sources).

They hold for means over at least five turnover times of resolved flows. A value outside of its range is one to look at, not a wrong one.
"""
from typing import NamedTuple, Optional

PAGE = "docs/published-ranges.md"


class Range(NamedTuple):
    least: float
    most: float

    def text(self):
        return f"{self.least:g} to {self.most:g}"


class Row(NamedTuple):
    re_lambda: tuple                 # from, below
    compensated: Optional[Range]     # smallest of E k^(5/3) eps^(-2/3) between the forced shells and the bottleneck
    bottleneck: Optional[Range]      # its largest value
    skewness: Range                  # of du/dx, times -1
    flatness: Range
    c_epsilon: Range                 # eps L/u'^3
    third_order: Range               # largest -S_3/(eps r)


def row(low, high, compensated, bottleneck, *others):
    made = [None if pair is None else Range(*pair) for pair in (compensated, bottleneck, *others)]
    return Row((low, high), *made)


# anchor on PAGE: (what it is, the source of its range)
SOURCES = {
    "time": ("Turnover times", "Means of fewer than 2 turnover times are none, of 2 to 5 need error bars, of 10 are good; discard 3 after a start or a refinement."),
    "box": ("Integral scale", "Above a fifth of the side the largest eddies feel the box: runs forced at |k| up to 2.5 have 0.18 to 0.2."),
    "power": ("Injection and dissipation", "Equal in the mean of a stationary flow, by its energy budget; 3 % is the change of the energy over 10 turnover times."),
    "c-epsilon": ("Dissipation constant", "McComb, Berera, Yoffe and Linkmann 2015, Phys. Rev. E 91, 043013: 0.468 + 18.9/R_L, times 0.84 to 1.2."),
    "isotropy": ("Isotropy of the energy", "Few modes hold the large scales: 10 % in means over five turnover times, 25 % at an instant."),
    "small-scales": ("Isotropy of small scales", "15 nu <(du/dx)^2> = eps is exact in isotropic flow; 3 % an axis."),
    "skewness": ("Skewness of gradients", "Ishihara, Kaneda, Yokokawa, Itakura and Uno 2007, J. Fluid Mech. 592, 335: 0.32 R^0.11, with 6 %, wider below R = 200."),
    "flatness": ("Flatness of gradients", "The same: 1.14 R^0.34, with 10 %, wider below R = 200."),
    "spectrum": ("Kolmogorov's constant and bottleneck", "C_K = 1.64 +- 0.04, Gotoh, Fukayama and Nakano 2002, Phys. Fluids 14, 1065; 1.62, Yeung and Zhou 1997, Phys. Rev. E 56, "
                 "1746; bottleneck, Donzis and Sreenivasan 2010, J. Fluid Mech. 657, 171. Below R = 250 there is no plateau."),
    "flux": ("Energy flux", "The largest flux of forced flow reaches the dissipation from R = 150 on."),
    "third-order": ("4/5 law", "Kolmogorov 1941; the largest -S_3/(eps r) of forced flow by the exact budget with a model spectrum, -0.05 and +0.03; above 0.82 something is wrong."),
}

ROWS = (
    row(40, 60, None, None, (0.46, 0.54), (3.7, 4.9), (0.50, 0.85), (0.55, 0.72)),
    row(60, 100, None, (1.9, 2.3), (0.48, 0.55), (4.3, 5.8), (0.45, 0.70), (0.62, 0.76)),
    row(100, 150, (1.5, 1.95), (1.95, 2.3), (0.50, 0.57), (5.0, 6.6), (0.42, 0.62), (0.68, 0.78)),
    row(150, 200, (1.5, 1.9), (1.95, 2.3), (0.51, 0.60), (5.7, 7.4), (0.40, 0.58), (0.70, 0.80)),
    row(200, 300, (1.5, 1.85), (1.95, 2.25), (0.52, 0.64), (6.2, 8.7), (0.40, 0.56), (0.72, 0.80)),
    row(300, 450, (1.5, 1.8), (1.9, 2.2), (0.54, 0.66), (7.2, 10.0), (0.39, 0.54), (0.74, 0.80)),
)
ISOTROPY = Range(0.90, 1.10)          # mean square of a component over 2 E/3
SMALL_SCALES = Range(0.97, 1.03)      # 15 nu <(du/dx)^2>/eps, and the skewness of spectra over that at points
POWER = Range(0.97, 1.03)             # mean injection over mean dissipation
FLUX = Range(0.97, 1.02)              # largest Pi/eps
FLUX_FROM = 150                       # Re_lambda
INERTIAL_FROM = 250                   # Re_lambda from which a spectrum has an inertial range
LARGEST_SCALE = 0.2                   # of a side of the box, for the integral scale
TURNOVERS = (2, 5, 10)                # below the first no averages; below the second few; from the third good
ETA = (1.0, 1.4, 2.0, 3.0)            # k_max eta from which spectra, second and third moments, gradients, extremes are resolved
ETA_WORDS = ("under-resolved", "resolved for energy, spectra and fluxes", "resolved for second and third moments",
             "resolved for gradients", "resolved for extreme gradients")
ON_POINTS = 1.5                       # of solvers whose k_max is pi/h, the same grid has a k_max eta so many times as large


def of(re_lambda):
    """The row of a Reynolds number; None where none is published here."""
    return next((r for r in ROWS if r.re_lambda[0] <= re_lambda < r.re_lambda[1]), None)


def eta_words(kmax_eta, on_points):
    limits = [limit * (ON_POINTS if on_points else 1) for limit in ETA]
    return ETA_WORDS[sum(kmax_eta >= limit for limit in limits)]


def judged(value, error, allowed, widened=False):
    """"within", or "outside": by more than two standard errors. widened: of single times, whose ranges are twice as wide."""
    if allowed is None:
        return ""
    half = (allowed.most - allowed.least) / 2
    slack = (half if widened else 0.0) + 2 * (error if error == error else 0.0)
    return "within" if allowed.least - slack <= value <= allowed.most + slack else "outside"

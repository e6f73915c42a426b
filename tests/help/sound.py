"""Sound with known fields in a gas with density and speed of sound 1, and files of probes as solver fct writes them.

A mass source at the origin of a stream M along x has the potential exp(i w (t - R))/(4 pi R*), R* = (x^2 + b^2 (y^2 + z^2))^(1/2),
R = (R* - M x)/b^2, b^2 = 1 - M^2, a dipole e minus the derivative along e; p' = -(d/dt + M d/dx) phi, u' = grad phi, rho' = p'. A source
that moves has phi = -q/(4 pi r (1 - M_r)) at the time of emission, with p' = -d phi/dt.
"""
import h5py
import numpy as np

GAMMA = 1.4
P0 = 1 / GAMMA
STEP = 1e-4     # of differences of exact potentials

CASE = """[equations]
solver = "fct"
gamma = 1.4
[boundaries]
patches = ["*: farfield, pressure={pressure:.17g}, density=1, u={stream}"]
[output]
probes = ["far: cylinder, x=0, to_x=1, radius=1, n=4, around=4"]
"""


def cylinder(begin, end, radius, n, around):
    x, angle = np.linspace(begin, end, n), 2 * np.pi * np.arange(around) / around
    return np.stack([x[:, None] + 0 * angle, 0 * x[:, None] + radius * np.cos(angle), 0 * x[:, None] + radius * np.sin(angle)], axis=-1)


def disk(x, radius, n, around):
    r, angle = radius * (np.arange(n) + 0.5) / n, 2 * np.pi * np.arange(around) / around
    return np.stack([x + 0 * r[:, None] + 0 * angle, r[:, None] * np.cos(angle), r[:, None] * np.sin(angle)], axis=-1)


def store(folder, name, first, t, x, fields):
    """A file of probes: x [n, around, 3], fields {name: [row, point]}."""
    (folder / "probes").mkdir(parents=True, exist_ok=True)
    with h5py.File(folder / f"probes/{name}-{first:08d}.h5", "w") as file:
        file["t"], file["x"] = np.asarray(t, float), x.reshape(-1, 3)
        file.attrs["shape"] = np.array(x.shape[:2], np.int64)
        for key, unit in (("rho", "M/L^3"), ("u", "U"), ("v", "U"), ("w", "U"), ("p", "M/(L T^2)")):
            file[key] = np.asarray(fields[key], float)
            file[key].attrs["units"] = unit


def write(folder, t, parts, field, stream=0.0, amplitude=1e-4):
    """A run directory with probes {name: points} of the flow 1, stream, P0 plus `amplitude` times field(x, t): p', u' [3]."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.resolved.toml").write_text(CASE.format(pressure=P0, stream=stream))
    for name, x in parts.items():
        p, u = field(x.reshape(-1, 3), np.asarray(t)[:, None])
        u = amplitude * u
        store(folder, name, 0, t, x, {"rho": 1 + amplitude * p, "u": stream + u[0], "v": u[1], "w": u[2], "p": P0 + amplitude * p})


# ---- sources in a stream ----

def gradient(x, t, omega, mach):
    """(phi, grad phi [3]) of a mass source; x [point, 3]."""
    b2 = 1 - mach**2
    star = np.sqrt(x[:, 0]**2 + b2 * (x[:, 1]**2 + x[:, 2]**2))
    grad_star = x * np.array([1, b2, b2]) / star[:, None]
    grad_r = (grad_star - np.array([mach, 0, 0])) / b2
    phi = np.exp(1j * omega * (t - (star - mach * x[:, 0]) / b2)) / (4 * np.pi * star)
    return phi, np.stack([phi * (-1j * omega * grad_r[:, i] - grad_star[:, i] / star) for i in range(3)])


def harmonic(omega, mach, dipole=None):
    """field(x, t) -> complex p', u' of a mass source, or of a dipole along a unit vector."""
    def potential(x, t):
        if dipole is None:
            return gradient(x, t, omega, mach)
        e = np.asarray(dipole, float)
        ahead, behind = (gradient(x + side * STEP * e, t, omega, mach)[1] for side in (1, -1))
        return -np.tensordot(e, gradient(x, t, omega, mach)[1], 1), -(ahead - behind) / (2 * STEP)

    def field(x, t):
        phi, grad = potential(x, t)
        return -(1j * omega * phi + mach * grad[0]), grad
    return field


def real(field):
    return lambda x, t: tuple(part.real for part in field(x, t))


# ---- a mass source that rotates about the x axis at radius 1, with tip Mach number omega ----

def emission(x, t, omega):
    """Time of emission of what is at x [point, 3] at t, by Newton's method."""
    tau = t - np.sqrt(np.sum(x**2, axis=1))
    for _ in range(60):
        d, v = x - at(tau, omega), velocity(tau, omega)
        r = np.sqrt(np.sum(d**2, axis=-1))
        change = (t - tau - r) / (1 - np.sum(v * d, axis=-1) / r)
        tau = tau + change
        if np.abs(change).max() < 1e-14:
            break
    return tau


def at(tau, omega):
    return np.stack([0 * tau, np.cos(omega * tau), np.sin(omega * tau)], axis=-1)


def velocity(tau, omega):
    return omega * np.stack([0 * tau, -np.sin(omega * tau), np.cos(omega * tau)], axis=-1)


def rotating_potential(x, t, omega):
    tau = emission(x, t, omega)
    d = x - at(tau, omega)
    r = np.sqrt(np.sum(d**2, axis=-1))
    return -1 / (4 * np.pi * (r - np.sum(velocity(tau, omega) * d, axis=-1)))


def rotating(omega):
    """field(x, t): p', u' by differences of fourth order of the potential."""
    h = 1e-3

    def slope(f):
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)

    def field(x, t):
        p = -slope(lambda s: rotating_potential(x, t + s, omega))
        return p, np.stack([slope(lambda s, a=a: rotating_potential(x + s * np.eye(3)[a], t, omega)) for a in range(3)])
    return field


def rotating_pressure(x, t, omega):
    """p' at one point [3] in closed form: (r M'_r + M_r - M^2)/(4 pi r^2 (1 - M_r)^3) at the time of emission."""
    tau = emission(x[None], t, omega)
    d = x - at(tau, omega)
    r = np.sqrt(np.sum(d**2, axis=-1))
    along = d / r[:, None]
    m = np.sum(velocity(tau, omega) * along, axis=-1)
    turning = -omega**2 * np.sum(at(tau, omega) * along, axis=-1)
    return (r * turning + m - omega**2) / (4 * np.pi * r**2 * (1 - m)**3)

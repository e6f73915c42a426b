"""Approximate Riemann solvers of the ideal gas from the formulas of their papers, by numpy, for tests of the fluxes in solvers/gas/riemann.h; and the
exact solution of a Riemann problem (Toro 2009, chapter 4). States are (rho, u, v, w, p) along the first axis of an array."""
import numpy as np

GAMMA = 1.4


def conserved(q):
    r, u, v, w, p = q
    return np.array([r, r * u, r * v, r * w, p / (GAMMA - 1) + r * (u * u + v * v + w * w) / 2])


def along_x(q):
    """f(q), the flux of a state along x."""
    c = conserved(q)
    f = q[1] * c
    f[1] = f[1] + q[4]
    f[4] = f[4] + q[1] * q[4]
    return f


def sound(q):
    return np.sqrt(GAMMA * q[4] / q[0])


def rusanov(l, r):
    s = np.maximum(abs(l[1]) + sound(l), abs(r[1]) + sound(r))
    return (along_x(l) + along_x(r)) / 2 - s * (conserved(r) - conserved(l)) / 2


def hllc(l, r):
    """Toro 2009, eq. 10.37 to 10.39, with Davis's outer waves."""
    sl, sr = np.minimum(l[1] - sound(l), r[1] - sound(r)), np.maximum(l[1] + sound(l), r[1] + sound(r))
    middle = ((r[4] - l[4] + l[0] * l[1] * (sl - l[1]) - r[0] * r[1] * (sr - r[1]))
              / (l[0] * (sl - l[1]) - r[0] * (sr - r[1])))

    def star(q, s):
        factor, e = q[0] * (s - q[1]) / (s - middle), conserved(q)[4]
        u = factor * np.array([np.ones_like(s), middle, q[2], q[3],
                               e / q[0] + (middle - q[1]) * (middle + q[4] / (q[0] * (s - q[1])))])
        return along_x(q) + s * (u - conserved(q))
    return np.where(sl >= 0, along_x(l), np.where(sr <= 0, along_x(r), np.where(middle >= 0, star(l, sl), star(r, sr))))


def roe_with(l, r, size_of_sound, size_of_contact):
    """Roe 1981 by strengths of waves and right eigenvectors (Toro 2009, section 11.2)."""
    a, b = np.sqrt(l[0]), np.sqrt(r[0])
    mean = lambda x, y: (a * x + b * y) / (a + b)
    rho, u, v, w = a * b, mean(l[1], r[1]), mean(l[2], r[2]), mean(l[3], r[3])
    h = mean((conserved(l)[4] + l[4]) / l[0], (conserved(r)[4] + r[4]) / r[0])
    c = np.sqrt((GAMMA - 1) * (h - (u * u + v * v + w * w) / 2))
    d = r - l
    one, zero = np.ones_like(u), np.zeros_like(u)
    waves = [(size_of_sound(l[1] - sound(l), u - c, r[1] - sound(r), c), (d[4] - rho * c * d[1]) / (2 * c * c),
              [one, u - c, v, w, h - u * c]),
             (size_of_contact(u, c), d[0] - d[4] / c**2, [one, u, v, w, (u * u + v * v + w * w) / 2]),
             (size_of_contact(u, c), rho * d[2], [zero, zero, one, zero, v]),
             (size_of_contact(u, c), rho * d[3], [zero, zero, zero, one, w]),
             (size_of_sound(l[1] + sound(l), u + c, r[1] + sound(r), c), (d[4] + rho * c * d[1]) / (2 * c * c),
              [one, u + c, v, w, h + u * c])]
    return (along_x(l) + along_x(r)) / 2 - sum(size * strength * np.array(vector) for size, strength, vector in waves) / 2


def harten(speed, delta):
    return np.where(abs(speed) < delta, (speed**2 + delta**2) / (2 * np.where(delta > 0, delta, 1)), abs(speed))


def roe(l, r):
    """With Harten's rounding of all waves, delta = c/5 (Harten 1983, eq. 3.15)."""
    return roe_with(l, r, lambda left, speed, right, c: harten(speed, c / 5), lambda u, c: harten(u, c / 5))


def roe_sonic(l, r):
    """With the delta of Harten and Hyman 1983, for waves of sound."""
    spread = lambda left, speed, right, c: harten(speed, np.maximum(0, np.maximum(speed - left, right - speed)))
    return roe_with(l, r, spread, lambda u, c: abs(u))


def van_leer(l, r):
    """Van Leer 1982."""
    def half(q, sign):
        c = sound(q)
        mach, f = q[1] / c, sign * q[0] * c * (q[1] / c + sign)**2 / 4
        speed = (GAMMA - 1) * q[1] + 2 * sign * c
        split = f * np.array([np.ones_like(c), speed / GAMMA, q[2], q[3],
                              speed**2 / (2 * (GAMMA**2 - 1)) + (q[2]**2 + q[3]**2) / 2])
        return np.where(sign * mach >= 1, along_x(q), np.where(sign * mach <= -1, 0, split))
    return half(l, 1) + half(r, -1)


def steger_warming(l, r):
    """Steger and Warming 1981, eq. 6.5."""
    def half(q, sign):
        rho, u, v, w, _ = q
        c = sound(q)
        l1, l3, l4 = ((x + sign * abs(x)) / 2 for x in (u, u + c, u - c))
        more = (3 - GAMMA) * (l3 + l4) * c * c / (2 * (GAMMA - 1))
        across = v * v + w * w
        return rho / (2 * GAMMA) * np.array([
            2 * (GAMMA - 1) * l1 + l3 + l4, 2 * (GAMMA - 1) * l1 * u + l3 * (u + c) + l4 * (u - c),
            (2 * (GAMMA - 1) * l1 + l3 + l4) * v, (2 * (GAMMA - 1) * l1 + l3 + l4) * w,
            (GAMMA - 1) * l1 * (u * u + across) + l3 * ((u + c)**2 + across) / 2 + l4 * ((u - c)**2 + across) / 2 + more])
    return half(l, 1) + half(r, -1)


def ausm_plus(l, r):
    """Liou 1996, eq. 19 to 24 with alpha = 3/16 and beta = 1/8; the speed of sound at the face is the mean."""
    c = (sound(l) + sound(r)) / 2

    def mach(m, sign):
        return np.where(abs(m) >= 1, (m + sign * abs(m)) / 2, sign * ((m + sign)**2 / 4 + (m * m - 1)**2 / 8))

    def pressure(m, sign):
        inside = (m + sign)**2 * (2 - sign * m) / 4 + sign * 3 / 16 * m * (m * m - 1)**2
        return np.where(abs(m) >= 1, (1 + sign * np.sign(m)) / 2, inside)
    m = mach(l[1] / c, 1) + mach(r[1] / c, -1)

    def carried(q):
        u = conserved(q)
        u[4] = u[4] + q[4]
        return u
    f = c * (np.maximum(m, 0) * carried(l) + np.minimum(m, 0) * carried(r))
    f[1] = f[1] + pressure(l[1] / c, 1) * l[4] + pressure(r[1] / c, -1) * r[4]
    return f


# by the words of the keys
FLUXES = {"roe": roe, "van-leer": van_leer, "steger-warming": steger_warming, "ausm+": ausm_plus, "hllc": hllc, "rusanov": rusanov,
          "roe-sonic": roe_sonic}


def through(flux, l, r, s):
    """The flux through area vectors s (3, n), in axes of which the first is along each."""
    area = np.sqrt((s * s).sum(0))
    n = s / area
    helper = np.where(abs(n[0]) < 0.6, np.array([[1.0], [0.0], [0.0]]), np.array([[0.0], [1.0], [0.0]]))
    t = np.cross(n, helper, axis=0)
    t /= np.sqrt((t * t).sum(0))
    axes = np.array([n, t, np.cross(n, t, axis=0)])  # [axis, component, case]

    def turned(q):
        return np.concatenate([q[:1], np.einsum("acn,cn->an", axes, q[1:4]), q[4:]])
    f = area * flux(turned(l), turned(r))
    return np.concatenate([f[:1], np.einsum("acn,an->cn", axes, f[1:4]), f[4:]])


def riemann_density(left, right, xi):
    """Density of the Riemann problem between (rho, u, p) and (rho, u, p) at x/t = xi, by bisection for the pressure between the waves."""
    g = GAMMA

    def jump(s, p):
        rho, _, ps = s
        c = np.sqrt(g * ps / rho)
        if p > ps:
            return (p - ps) * np.sqrt(2 / ((g + 1) * rho) / (p + (g - 1) / (g + 1) * ps))
        return 2 * c / (g - 1) * ((p / ps)**((g - 1) / (2 * g)) - 1)
    low, high = 1e-12, 1e3
    for _ in range(200):
        p = (low + high) / 2
        low, high = (low, p) if jump(left, p) + jump(right, p) + right[1] - left[1] > 0 else (p, high)
    u = (left[1] + right[1] + jump(right, p) - jump(left, p)) / 2

    def side(s, u, xi):
        rho, us, ps = s
        c, ratio, q = np.sqrt(g * ps / rho), p / ps, (g - 1) / (g + 1)
        if ratio > 1:
            speed = us - c * np.sqrt((g + 1) / (2 * g) * ratio + (g - 1) / (2 * g))
            return np.where(xi < speed, rho, rho * (ratio + q) / (q * ratio + 1))
        behind = c * ratio**((g - 1) / (2 * g))
        fan = rho * np.abs(2 / (g + 1) + q / c * (us - xi))**(2 / (g - 1))
        return np.where(xi < us - c, rho, np.where(xi > u - behind, rho * ratio**(1 / g), fan))
    mirrored = (right[0], -right[1], right[2])
    return np.where(xi < u, side(left, u, xi), side(mirrored, -u, -xi))

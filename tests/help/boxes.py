"""Cases in a periodic box with sides 2 pi, 5 and 3 pi, on grids that no two axes share, so that whoever confuses axes is found out."""

import numpy as np

LENGTH = (2 * np.pi, 5.0, 3 * np.pi)
RANDOM = 'kind = "random"\nwavenumber = 2\n'


def case(solver, keys, n, output, start=RANDOM, end=0.1, dt=0.05, grid="", precision="double"):
    """The text of a case: the solver and the lines of its keys, points, and the lines of its other tables."""
    return f"""precision = "{precision}"
[equations]
solver = "{solver}"
{keys}
[grid]
n = {list(n)}
length = ["2pi", 5.0, "3pi"]
{grid}
[initial]
{start}
[time]
end = {end}
dt = {dt}
[output]
{output}
"""

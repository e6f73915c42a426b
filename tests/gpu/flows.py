"""Flows that between them use every equation set, stepper, forcing and linear term: what the checks of the GPU run."""

TURBULENT = ["initial.kind=\"random\"", "initial.spectrum=\"gaussian\"", "initial.wavenumber=2", "initial.energy=0.5",
             "initial.seed=3"]
SUPERFLUID = ["equations.solver=\"gpe\"", "equations.sound_speed=1.0", "equations.healing_length=0.2",
              "initial.kind=\"vortex-ring\"", "initial.rings=[\"pi/2\",\"pi\",\"pi\",1,0,0,1.0]"]
BOX = ["grid.length=[\"2pi\",\"2pi\",\"2pi\"]", "time.end=100"]


def flow(*keys):
    return [*BOX, *keys]


def turbulent(solver, *keys):
    """Resolved turbulence: dt from CFL, so that the rate found at the points counts too."""
    return flow(f'equations.solver="{solver}"', "equations.viscosity=0.02", *TURBULENT, "time.cfl=0.5", *keys)


MAGNETIC = ("equations.resistivity=0.02", "initial.magnetic_energy=0.5")
SHIFTED = ('grid.dealiasing="phase-shift"', "output.aliasing=true")
STREAM = "equations.mean_velocity=[1.0,0.2,0]"
STILL = ('bodies=[{shape="sphere",center=[2,3,3],radius=0.9},'
         '{shape="cylinder",axis="y",center=[2.5,0,3.5],radius=0.7,u="0.2*(z-3.5)",w="0.2*(2.5-x)"}]')
SPONGES = 'sponges=[{rate="0.5",target="mean"},{rate="3*(2+sin(y))",layer="x",range=[5,7],u="1+0.1*sin(t)"}]'

def text(fields, evolve, start, *keys):
    """Equations as text: lists of fields and equations, and formulas of the start."""
    def strings(words):
        return "[" + ",".join(f'"{word}"' for word in words) + "]"
    return flow('equations.solver="text"', f"equations.fields={strings(fields)}", f"equations.evolve={strings(evolve)}", 'initial.kind="formula"',
                f"initial.fields={strings(start)}", *keys)


VORTICES = ("sin(x)*cos(y)*cos(z) + 0.3*cos(2*y + z)", "-cos(x)*sin(y)*cos(z) + 0.2*sin(3*z - x)", "0.3*cos(2*x - y)")
LAYERS = ("J(a,b) = dx(a)*dy(b) - dy(a)*dx(b)", "p = invert(lap(p) + 12.5*(r - p), q)", "r = invert(lap(r) + 12.5*(p - r), s)")
MOMENTS = ('output.means=["moments", "pdfs"]', "output.means_interval=0")
STRATIFIED = ("equations.diffusivity=0.02", "equations.buoyancy_frequency=2.0")

# name: keys. The first of each set is run under the sanitizer too.
FLOWS = {
    "hd": turbulent("hd", 'time.scheme="rk2"', *MOMENTS),
    "hd-rotating": turbulent("hd", 'time.scheme="rk3"', "equations.rotation=[0.3,-0.5,1.0]",
                             "equations.hyperviscosity=1e-6", "equations.hyperviscosity_order=4", "equations.drag=0.1",
                             "equations.drag_wavenumber=2.5"),
    "hd-scalars": turbulent("hd", 'time.scheme="rk4"', "equations.scalars=[0.02,0.01,0.05]",
                            "equations.scalar_gradients=[1,0,0, 0,1,0, 0,0.5,-1]"),
    "hd-forced": turbulent("hd", 'time.scheme="rk3"', 'forcing.kind="random"', "forcing.power=0.1",
                           "forcing.k_range=[1.0,2.5]"),
    "hd-power": turbulent("hd", 'time.scheme="rk2"', 'forcing.kind="constant-power"', "forcing.power=0.2",
                          "forcing.k_range=[1.0,2.5]"),
    "hd-noise": turbulent("hd", 'time.scheme="rk3"', 'forcing.kind="ornstein-uhlenbeck"', "forcing.amplitude=0.5",
                          "forcing.k_range=[1.0,2.5]", 'forcing.hold="energy"', "forcing.hold_value=0.6",
                          "forcing.hold_interval=2"),
    "hd-kept": turbulent("hd", 'time.scheme="rk3"', 'forcing.kind="constant-energy"', "forcing.k_range=[1.0,2.5]"),
    "mhd-linear": turbulent("mhd", *MAGNETIC, 'time.scheme="rk4"', 'forcing.kind="linear"', 'forcing.field="magnetic"',
                            "forcing.rate=0.5"),
    "hd-formula": turbulent("hd", 'time.scheme="rk3"', 'forcing.kind="formula"', 'forcing.u="0.3*sin(2*y)*exp(cos(z))"',
                            'forcing.w="0.2*cos(x)"'),
    "hd-waves": turbulent("hd", 'time.scheme="rk4"', 'forcing.kind="formula"', 'forcing.u="0.3*sin(2*z - 3*t)"',
                          'forcing.w="0.2*cos(x)*cos(5*t) + 0.1*sin(y)"'),
    "hd-fields": turbulent("hd", 'time.scheme="rk4"', 'forcing.kind="formula"', 'forcing.u="0.5*v*cos(3*t) - 0.2*u + t*sin(z)"',
                           'forcing.v="-0.5*u"'),
    "hd-points": turbulent("hd", 'time.scheme="rk3"', 'forcing.kind="formula"', 'forcing.u="sin(x*t + z) + 0.2*u*v"',
                           'forcing.w="if(y > 1, exp(-w^2), noise(4)) - 0.1*w"'),
    "mhd-points": turbulent("mhd", *MAGNETIC, 'time.scheme="rk2"', 'forcing.kind="formula"', 'forcing.bz="0.3*bx*by - 0.1*abs(u)"',
                            'forcing.u="0.1*tanh(bz*x)"'),
    "hd-steady": turbulent("hd", 'time.scheme="rk4"', 'forcing.kind="abc"', "forcing.wavenumber=1",
                           "forcing.amplitude=0.3"),
    "hd-smagorinsky": turbulent("hd", 'time.scheme="rk3"', 'closure.model="smagorinsky"', "equations.scalars=[0.02]",
                                "equations.scalar_gradients=[1,0,0]"),
    "hd-sigma": turbulent("hd", 'time.scheme="rk2"', 'closure.model="sigma"', STREAM, STILL),
    "boussinesq-wale": turbulent("boussinesq", *STRATIFIED, 'time.scheme="rk4"', 'closure.model="wale"'),
    "boussinesq-vreman": turbulent("boussinesq", *STRATIFIED, 'time.scheme="rk3"', 'closure.model="vreman"'),
    "hd-bodies": turbulent("hd", 'time.scheme="rk3"', STREAM, STILL, "equations.scalars=[0.02]"),
    "boussinesq-sponges": turbulent("boussinesq", *STRATIFIED, 'time.scheme="rk4"', STREAM, SPONGES),
    "mhd-sponges": turbulent("mhd", *MAGNETIC, 'time.scheme="rk2"', STREAM, SPONGES, STILL),
    "boussinesq": turbulent("boussinesq", *STRATIFIED, 'time.scheme="rk2"'),
    "boussinesq-rotating": turbulent("boussinesq", *STRATIFIED, 'time.scheme="rk4"', "equations.rotation=[0,0.4,1.0]"),
    "boussinesq-unstable": turbulent("boussinesq", *STRATIFIED, 'time.scheme="rk3"', 'equations.stratification="unstable"',
                                     'forcing.kind="random"', 'forcing.field="theta"', "forcing.power=0.1",
                                     "forcing.k_range=[1.0,2.5]"),
    "mhd": turbulent("mhd", *MAGNETIC, 'time.scheme="rk2"'),
    "mhd-mean": turbulent("mhd", *MAGNETIC, 'time.scheme="rk4"', "equations.mean_field=[0.2,0.0,1.0]",
                          "equations.hyperresistivity=1e-6", "equations.hyperviscosity=1e-6"),
    "mhd-hall": turbulent("mhd", *MAGNETIC, 'time.scheme="rk3"', "equations.hall=0.1", "equations.mean_field=[0,0.5,0]"),
    "mhd-scalars": turbulent("mhd", *MAGNETIC, 'time.scheme="rk3"', "equations.scalars=[0.02,0.01]",
                             "equations.scalar_gradients=[1,0,0, 0,0.5,-1]"),
    "mhd-hall-scalars": turbulent("mhd", *MAGNETIC, 'time.scheme="rk2"', "equations.hall=0.1", "equations.scalars=[0.02,0.01,0.03]",
                                  "equations.scalar_gradients=[1,0,0, 0,0.5,-1, 0,0,1]"),
    "mhd-forced": turbulent("mhd", *MAGNETIC, 'time.scheme="rk3"', 'forcing.kind="random"',
                            'forcing.field="magnetic"', "forcing.power=0.1", "forcing.k_range=[1.0,2.5]"),
    "hd-shifted": turbulent("hd", 'time.scheme="rk2"', *SHIFTED, "equations.scalars=[0.02]", "equations.scalar_gradients=[1,0,0]",
                            "equations.rotation=[0.3,-0.5,1.0]"),
    "hd-two-grids": turbulent("hd", 'time.scheme="rk3"', *SHIFTED, 'grid.shifts="exact"'),
    "boussinesq-shifted": turbulent("boussinesq", *STRATIFIED, *SHIFTED, 'time.scheme="rk4"'),
    "mhd-shifted": turbulent("mhd", *MAGNETIC, *SHIFTED, 'time.scheme="rk2"'),
    "mhd-hall-shifted": turbulent("mhd", *MAGNETIC, *SHIFTED, 'time.scheme="rk3"', "equations.hall=0.1"),
    "gpe": flow(*SUPERFLUID, 'time.scheme="rk4"', "time.cfl=0.5", *MOMENTS),
    "gpe-rk2": flow(*SUPERFLUID, 'time.scheme="rk2"', "time.cfl=0.2"),
    "gpe-split": flow(*SUPERFLUID, 'time.scheme="split2"', "time.dt=2e-3"),
    "text-hd": text(["solenoidal u"], ["dt(u) + u@grad(u) = 0.02*lap(u)"], VORTICES, 'time.scheme="rk2"', "time.cfl=0.5"),
    "text-layers": text(["q", "s"], ["dt(q) + J(p,q) + 0.5*dx(q) + 12.5*dx(p) = -1e-5*lap(q,2)", "dt(s) + J(r,s) - 0.5*dx(s) - 12.5*dx(r) = -1e-5*lap(s,2)"],
                        ("cos(3*x + sin(y))*(1 + 0.3*cos(z))", "sin(3*x + cos(2*y))"), 'time.scheme="rk4"', "time.dt=5e-3",
                        "equations.let=[" + ",".join(f'"{word}"' for word in LAYERS) + "]",
                        'equations.invariants=["energy = mean(grad(p)@grad(p) + grad(r)@grad(r))/4 + 12.5*mean((p - r)^2)/4","Z = mean(q*q)"]'),
    "text-flames": text(["q"], ["dt(q) = -q*dx(q) - 10*lap(q) - lap(q,2) + 0.1*cos(5*t)*dy(q)"], ("sin(x) + 0.3*cos(2*x + y) + 0.1*sin(z)",), 'time.scheme="rk3"',
                        "time.dt=1e-3"),
    "text-waves": text(["complex A"], ["dt(A) = A + (1+0.5*i)*lap(A) - (1-0.7*i)*abs2(A)*A"], ("0.5*cos(x + 2*y) + 0.3*sin(z)", "0.4*sin(2*x - z)"),
                       'time.scheme="rk4"', "time.dt=5e-3", "equations.aliased=true"),
    "text-place": text(["solenoidal u", "s"], ["dt(u) + u@grad(u) = (0,0,2)*s + 0.02*lap(u)", "dt(s) + u@grad(s) = -2*u_z + 0.02*lap(s) + 0.3*sin(x)*dz(s)"],
                       (*VORTICES, "0.3*cos(x - z)"), 'time.scheme="rk3"', "time.cfl=0.5"),
    "gpe-imaginary": flow(*SUPERFLUID, 'time.scheme="rk3"', "equations.imaginary_time=true", "time.dt=2e-3"),
}
# Besides ONE_OF_EACH: flows that single precision could make differ, and kinds of forces and linear terms whose state passes through a
# GPU (not formulas of fields and at points, which are not offloaded).
ALSO_IN_SINGLE = ("hd-forced", "hd-kept", "hd-points", "hd-rotating", "mhd-points", "mhd-mean", "boussinesq-unstable", "gpe-rk2", "gpe-imaginary")
ALSO_OFFLOADED = ("hd-rotating", "hd-forced", "hd-noise", "hd-formula", "hd-waves", "boussinesq-rotating", "mhd-mean", "mhd-forced", "gpe-imaginary", "text-place")
ONE_OF_EACH = ("hd", "hd-scalars", "hd-shifted", "hd-two-grids", "boussinesq", "mhd", "mhd-hall", "mhd-scalars", "mhd-hall-scalars", "gpe", "gpe-split",
               "text-hd", "text-layers")

"""Surfaces and clouds in a box, drawn by VTK off screen: lit, with the edges of the box; as an array of pixels.

VTK of Debian draws by an X server. Where there is none, a private one without a screen (Xvfb) is started and ended; newer
packages of VTK need none.
"""
import contextlib
import os
import shutil
import subprocess

import matplotlib.colors
import numpy as np

from triad_plot.draw import style
from triad_plot.problem import Problem

EXIT_UNAVAILABLE = 69
AZIMUTH, ELEVATION = -60.0, 24.0   # where one looks from, degrees; z is up
FILLED = 0.9                       # of the window
EDGE = (0.25, 0.25, 0.25)
PLAIN = style.COLORS[0]
ENTRIES = 256


def modules():
    """VTK, loaded where it is needed only."""
    try:
        from vtkmodules import (vtkCommonCore, vtkCommonDataModel, vtkFiltersCore, vtkFiltersModeling, vtkFiltersSources,
                                vtkRenderingCore, vtkRenderingVolume)
        from vtkmodules import vtkInteractionStyle, vtkRenderingOpenGL2, vtkRenderingVolumeOpenGL2  # noqa: F401
        from vtkmodules.util import numpy_support
    except ImportError as error:
        raise Problem(f"three-dimensional pictures require VTK, which this Python cannot import ({error}): apt install python3-vtk9 xvfb, or "
                      "python3 -m pip install vtk", EXIT_UNAVAILABLE) from None
    names = {"support": numpy_support}
    for module in (vtkCommonCore, vtkCommonDataModel, vtkFiltersCore, vtkFiltersModeling, vtkFiltersSources, vtkRenderingCore,
                   vtkRenderingVolume):
        names.update({name: getattr(module, name) for name in dir(module) if name.startswith("vtk")})
    return type("Vtk", (), names)


def is_there():
    try:
        modules()
    except Problem:
        return False
    return True


@contextlib.contextmanager
def display(vtk):
    """Somewhere to draw, for the block."""
    if vtk.vtkRenderWindow().GetClassName() != "vtkXOpenGLRenderWindow":
        yield  # EGL or OSMesa, which need no server
        return
    server = shutil.which("Xvfb")
    if server is None:
        if not os.environ.get("DISPLAY") and tuple(map(int, vtk.vtkVersion.GetVTKVersion().split(".")[:2])) < (9, 4):
            raise Problem("this VTK requires an X server, and none was found: apt install xvfb", EXIT_UNAVAILABLE)
        yield
        return
    read, write = os.pipe()
    process = subprocess.Popen([server, "-displayfd", str(write), "-screen", "0", "64x64x24", "-nolisten", "tcp"], pass_fds=(write,),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    before = os.environ.get("DISPLAY")
    try:
        with os.fdopen(read, encoding="ascii") as pipe:
            number = pipe.readline().strip()
        if not number:
            raise Problem(f"{server} did not start; VTK requires an X server", EXIT_UNAVAILABLE)
        os.environ["DISPLAY"] = ":" + number
        yield
    finally:
        process.terminate()
        process.wait()
        os.environ.pop("DISPLAY") if before is None else os.environ.update(DISPLAY=before)


def size_of(values):
    """What makes them numbers of usual size: VTK is handed single precision."""
    return float(np.abs(values).max()) or 1.0


class Scene:
    """A window of size x size pixels, looked at from one side; `lengths` of the box are (z, y, x)."""

    def __init__(self, vtk, size, lengths):
        self.vtk, self.lengths = vtk, lengths
        self.renderer, self.window = vtk.vtkRenderer(), vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(8)
        self.window.SetSize(size, size)
        self.window.AddRenderer(self.renderer)
        self.renderer.SetBackground(1, 1, 1)
        self.add_lights()
        self.add_box(size)
        self.shown = None

    def add_lights(self):
        for azimuth, elevation, strength in ((-35, 40, 0.85), (60, 10, 0.35)):
            light = self.vtk.vtkLight()
            light.SetLightTypeToCameraLight()
            a, e = np.radians(azimuth), np.radians(elevation)
            light.SetPosition(np.sin(a) * np.cos(e), np.sin(e), np.cos(a) * np.cos(e))
            light.SetIntensity(strength)
            self.renderer.AddLight(light)

    def add_box(self, size):
        vtk = self.vtk
        cube, outline, mapper, actor = vtk.vtkCubeSource(), vtk.vtkFeatureEdges(), vtk.vtkPolyDataMapper(), vtk.vtkActor()
        z, y, x = self.lengths
        cube.SetBounds(0, x, 0, y, 0, z)
        outline.SetInputConnection(cube.GetOutputPort())
        outline.ColoringOff()
        mapper.SetInputConnection(outline.GetOutputPort())
        mapper.ScalarVisibilityOff()
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*EDGE)
        actor.GetProperty().SetLineWidth(1.5 * size / 900)
        actor.GetProperty().LightingOff()
        self.renderer.AddActor(actor)
        self.box = actor

    def look(self):
        camera, (z, y, x) = self.renderer.GetActiveCamera(), self.lengths
        a, e, far = np.radians(AZIMUTH), np.radians(ELEVATION), 3 * max(self.lengths)
        middle = np.array([x, y, z]) / 2
        camera.SetFocalPoint(*middle)
        camera.SetPosition(*(middle + far * np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])))
        camera.SetViewUp(0, 0, 1)
        camera.SetViewAngle(24)
        camera.SetWindowCenter(0, 0)
        self.renderer.ResetCamera(0, x, 0, y, 0, z)
        size = np.array(self.window.GetSize())
        corners = np.array([self.place((i * x, j * y, k * z)) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        low, high = corners.min(axis=0), corners.max(axis=0)
        zoom = float((FILLED * size / (high - low)).min())  # the box fills the window, whatever its shape
        off = zoom * ((low + high) / size - 1)
        camera.Zoom(zoom)
        camera.SetWindowCenter(float(off[0]), -float(off[1]))
        self.renderer.ResetCameraClippingRange()

    def grid(self, arrays, coordinates, periodic):
        """Points with these arrays, {name: [z][y][x]}; of a periodic box the far sides are the near ones once more."""
        vtk, support = self.vtk, self.vtk.support
        pad = [(0, 1)] * 3 if periodic else [(0, 0)] * 3
        even = all(np.allclose(np.diff(c), c[1] - c[0], rtol=1e-6) for c in coordinates)
        n = [len(c) + periodic for c in coordinates]
        if even:
            data = vtk.vtkImageData()
            data.SetSpacing(*[float(c[1] - c[0]) for c in coordinates[::-1]])
            data.SetOrigin(*[float(c[0]) for c in coordinates[::-1]])
        else:
            data = vtk.vtkRectilinearGrid()
            for c, put in zip(coordinates[::-1], (data.SetXCoordinates, data.SetYCoordinates, data.SetZCoordinates)):
                put(support.numpy_to_vtk(np.append(c, 2 * c[-1] - c[-2]) if periodic else c, deep=1))
        data.SetDimensions(*n[::-1])
        for name, values in arrays.items():
            array = support.numpy_to_vtk(np.pad(values.astype(np.float32), pad, mode="wrap" if periodic else "edge").ravel(), deep=1)
            array.SetName(name)
            data.GetPointData().AddArray(array)
        data.GetPointData().SetActiveScalars(next(iter(arrays)))
        return data

    def put(self, prop):
        """In the place of what was shown before."""
        if self.shown is not None:
            self.renderer.RemoveViewProp(self.shown)
        self.shown = prop
        self.renderer.AddViewProp(prop)

    def surface(self, space, values, level, colours, ends, cmap):
        """Where values = level, in colours of another field, or plain where that is the same. Returns how many triangles there are."""
        vtk, one, other = self.vtk, size_of(values), size_of(colours)
        level, ends = level / one, [end / other for end in ends]
        data = self.grid({"level": values / one, "colour": colours / other}, space.coordinates, space.periodic)
        contour = vtk.vtkFlyingEdges3D() if data.IsA("vtkImageData") else vtk.vtkContourFilter()
        contour.SetInputData(data)
        contour.SetValue(0, level)
        contour.ComputeNormalsOn()
        if hasattr(contour, "InterpolateAttributesOn"):
            contour.InterpolateAttributesOn()
        contour.Update()
        mesh = contour.GetOutput()
        mesh.GetPointData().SetActiveScalars("colour")
        mapper, actor = vtk.vtkPolyDataMapper(), vtk.vtkActor()
        mapper.SetInputData(mesh)
        actor.SetMapper(mapper)
        look = actor.GetProperty()
        if colours is values:
            mapper.ScalarVisibilityOff()
            look.SetColor(*matplotlib.colors.to_rgb(PLAIN))
        else:
            mapper.SetLookupTable(self.table(cmap))
            mapper.SetScalarRange(*ends)
            mapper.UseLookupTableScalarRangeOff()
        look.SetAmbient(0.25)
        look.SetDiffuse(0.8)
        look.SetSpecular(0.25)
        look.SetSpecularPower(25)
        self.put(actor)
        self.mesh = mesh
        return mesh.GetNumberOfCells()

    def table(self, cmap):
        table = self.vtk.vtkLookupTable()
        table.SetNumberOfTableValues(ENTRIES)
        for i, colour in enumerate(matplotlib.colormaps[cmap](np.linspace(0, 1, ENTRIES))):
            table.SetTableValue(i, *map(float, colour))
        table.Build()
        return table

    def cloud(self, space, values, ends, cmap, signed):
        """The more, the denser: clear at the low end, or about 0 of what has a sign."""
        vtk, one = self.vtk, size_of(values)
        ends = [end / one for end in ends]
        data = self.grid({"level": values / one}, space.coordinates, space.periodic)
        if not data.IsA("vtkImageData"):
            raise Problem("volume requires equally spaced points; triad-plot vortices draws surfaces on any grid")
        colour, opacity = vtk.vtkColorTransferFunction(), vtk.vtkPiecewiseFunction()
        at = np.linspace(0, 1, 33)
        for s, rgba in zip(at, matplotlib.colormaps[cmap](at)):
            value = ends[0] + s * (ends[1] - ends[0])
            colour.AddRGBPoint(float(value), *map(float, rgba[:3]))
            strength = abs(2 * s - 1) if signed else s
            opacity.AddPoint(float(value), float(0.9 * max(0.0, strength - 0.12) ** 2))
        prop, mapper, volume = vtk.vtkVolumeProperty(), vtk.vtkFixedPointVolumeRayCastMapper(), vtk.vtkVolume()
        prop.SetColor(colour)
        prop.SetScalarOpacity(opacity)
        prop.SetScalarOpacityUnitDistance(max(self.lengths) / 24)
        prop.SetInterpolationTypeToLinear()
        mapper.SetInputData(data)
        mapper.AutoAdjustSampleDistancesOff()
        mapper.SetSampleDistance(float(min(c[1] - c[0] for c in space.coordinates)) * 0.7)
        volume.SetMapper(mapper)
        volume.SetProperty(prop)
        self.put(volume)

    def pixels(self):
        """[row][column][3] of bytes, the upper row first."""
        vtk = self.vtk
        self.look()
        self.window.Render()
        grab = vtk.vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        image = grab.GetOutput()
        columns, rows, _one = image.GetDimensions()
        return vtk.support.vtk_to_numpy(image.GetPointData().GetScalars()).reshape(rows, columns, -1)[::-1, :, :3].copy()

    def place(self, point):
        """(column, row) of the pixel where a point (x, y, z) of the box is drawn."""
        self.renderer.SetWorldPoint(*point, 1.0)
        self.renderer.WorldToDisplay()
        column, row, _depth = self.renderer.GetDisplayPoint()
        return column, self.window.GetSize()[1] - 1 - row

    def letters(self):
        """{letter: pixel} beside the middle of the box's lower edges that are nearest to who looks."""
        z, y, x = self.lengths
        a = np.radians(AZIMUTH)
        near_x, near_y = (x if np.cos(a) > 0 else 0.0), (y if np.sin(a) > 0 else 0.0)
        out = 0.06 * max(self.lengths)
        return {"x": self.place((x / 2, near_y + (out if near_y else -out), -out / 2)),
                "y": self.place((near_x + (out if near_x else -out), y / 2, -out / 2)),
                "z": self.place(((0.0 if near_x else x) + (-out if near_x else out), near_y, z / 2))}

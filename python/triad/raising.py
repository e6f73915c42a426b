"""Errors of the readers of figures as exceptions of this package; modules that only a part of it requires."""
import functools
import importlib

from triad import errors

PIP = {"vtkmodules": "vtk"}   # where pip calls a package by another name than Python


def lacks(module, error):
    top = module.split(".")[0]
    return errors.FeatureError(f"{top} is required and cannot be imported ({error}); install it: python3 -m pip install {PIP.get(top, top)}")


def import_required(module):
    """A module that only a part of this package requires; FeatureError with its package where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise lacks(module, error) from None


def raises_errors(function):
    @functools.wraps(function)
    def call(*arguments, **options):
        try:
            from triad_plot.problem import Problem
            import h5py  # noqa: F401, which all readers require
        except ImportError as error:
            raise lacks(getattr(error, "name", None) or "h5py", error) from None
        try:
            return function(*arguments, **options)
        except Problem as problem:
            raise errors.of(problem.code, str(problem)) from None
    return call

"""Triad in Python: flows that are driven a step at a time, runs that are looked at, ensembles.

    import triad
    flow = triad.Flow("case.toml", dir="my-run", equations=dict(viscosity=1e-3))
    flow.advance(to=2.0)
    run = triad.open("my-run")

docs/python.md is the guide.
"""
from triad.demo import demo
from triad.ensemble import Ensemble, Mean
from triad.errors import (CallbackError, BlowUp, CaseError, Error, FeatureError, FileError, InputError, InternalError,
                          Interrupted, OutOfMemory, Stopped, UsageError)
from triad.flow import Flow
from triad.getdata import getData
from triad.library import version
from triad.points import Part
from triad.runs import Run, open

__all__ = ["BlowUp", "CallbackError", "CaseError", "Ensemble", "Error", "FeatureError", "FileError", "Flow", "InputError",
           "InternalError", "Interrupted", "Mean", "OutOfMemory", "Part", "Run", "Stopped", "UsageError", "demo", "getData", "open"]
__version__ = version()

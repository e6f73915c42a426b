"""Cases as Python writes them: dictionaries as TOML, and values as `--set` takes them."""
import json
import math
import os

import numpy as np

from triad.errors import UsageError


def numbers(name, values, dtype):
    """An array that numbers of this type can hold: complex ones lose nothing without a word."""
    if np.ma.is_masked(values):
        raise UsageError(f"{name}: some values are masked; replace them, for example with .filled(0)")
    values = np.asarray(values)
    if not np.can_cast(values.dtype, dtype, "same_kind"):
        raise UsageError(f"{name}: the type must be {np.dtype(dtype).name}, not {values.dtype.name}")
    return values


def plain(value):
    """numpy's numbers and arrays as Python's own."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a number or an array")


def text_of(value, key=""):
    """A value as TOML."""
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(v, key) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name_of(k)} = {text_of(v, key)}" for k, v in value.items()) + "}"
    raise UsageError(f"{key}: {type(value).__name__} is not a value that a case can have")


def name_of(key):
    if not isinstance(key, str) or not key.replace("_", "a").replace("-", "a").isalnum() or not key.isascii():
        raise UsageError(f"{key!r} is not a key of a case")
    return key


def sets_of(tables):
    """["equations.viscosity=0.001", ..] of {"equations": {"viscosity": 1e-3}, ..}, {"precision": "single"}."""
    out = []
    for table, value in tables.items():
        if isinstance(value, dict):
            out += [f"{name_of(table)}.{name_of(key)}={text_of(v, key)}" for key, v in value.items()]
        else:
            out.append(f"{name_of(table)}={text_of(value, table)}")
    return out


def _is_tables(value):
    """Tables of one name, as of [[particles]]."""
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(one, dict) for one in value)


def _lines_of(table, name=""):
    """Its values, then the tables in it."""
    below = {key: value for key, value in table.items() if isinstance(value, dict) or _is_tables(value)}
    out = [f"{name_of(key)} = {text_of(value, key)}" for key, value in table.items() if key not in below]
    for key, value in below.items():
        full = f"{name}.{name_of(key)}" if name else name_of(key)
        for one in [value] if isinstance(value, dict) else value:
            out += [f"[{full}]" if isinstance(value, dict) else f"[[{full}]]", *_lines_of(one, full)]
    return out


def toml_of(case):
    """A case as the text of a file."""
    return "\n".join(_lines_of(case)) + "\n"

"""A Zarr v3 store: an array (t, z, y, x) a field, in cubes that are packed into shards.

The specification: zarr-specs, core protocol v3 and codecs/sharding-indexed. A shard is the cubes one after the other, then an
index of (offset, bytes) pairs and its CRC-32C. zarr.json of the store is written last: a store that was cut off has none.
"""
import json
import os

import numpy as np

from triad_plot.export import conventions

CUBE, SHARD = 64, 512
NONE = 2 ** 64 - 1   # of an absent cube
POLYNOMIAL = 0x82F63B78


def _table():
    rows = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        rows = np.where(rows & 1, (rows >> 1) ^ np.uint32(POLYNOMIAL), rows >> 1)
    return [int(row) for row in rows]


TABLE = _table()


def crc32c(data):
    """The checksum of Castagnoli; that of b"123456789" is 0xe3069283."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def cubes_of(shape, cube, shard):
    """(points of a cube, points of a shard) along each axis: a shard is whole cubes, and neither is larger than it must be."""
    inner = [min(cube, size) for size in shape]
    return inner, [one * -(-min(max(shard, one), size) // one) for one, size in zip(inner, shape)]


def shard_bytes(values, inner):
    """values: a whole shard, padded. Its cubes in C order, then the index."""
    counts = [size // one for size, one in zip(values.shape, inner)]
    parts, index, offset = [], [], 0
    for number in np.ndindex(*counts):
        block = values[tuple(slice(i * one, (i + 1) * one) for i, one in zip(number, inner))]
        if np.isnan(block).all():   # wholly beyond the edge
            index += [NONE, NONE]
            continue
        data = np.ascontiguousarray(block).tobytes()
        parts.append(data)
        index += [offset, len(data)]
        offset += len(data)
    table = np.array(index, "<u8").tobytes()
    return b"".join([*parts, table, np.array([crc32c(table)], "<u4").tobytes()])


def array_json(shape, dims, dtype, chunks, codecs, attributes):
    return {"zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": np.dtype(dtype).name,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": "NaN", "codecs": codecs,
            "attributes": attributes, "dimension_names": list(dims)}


BYTES = [{"name": "bytes", "configuration": {"endian": "little"}}]


def put_json(path, about):
    with open(os.path.join(path, "zarr.json"), "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1)


def put_chunk(folder, number, data):
    path = os.path.join(folder, "c", *map(str, number))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def put_coordinate(folder, name, values, attributes):
    path = os.path.join(folder, name)
    about = array_json(values.shape, [name], np.float64, values.shape, BYTES, attributes)
    put_chunk(path, [0], values.astype("<f8").tobytes())
    put_json(path, about)
    return about


def put_field(folder, name, source, dtype, inner, outer, attributes):
    path, n = os.path.join(folder, name), source.n
    codecs = [{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [1, *inner], "codecs": BYTES, "index_codecs": [*BYTES, {"name": "crc32c"}], "index_location": "end"}}]
    about = array_json((len(source.t), *n), "tzyx", dtype, (1, *outer), codecs, attributes)
    os.makedirs(path)
    for i in range(len(source.t)):
        values = source.read(i, name)
        for number in np.ndindex(*[-(-size // one) for size, one in zip(n, outer)]):
            part = values[tuple(slice(k * one, (k + 1) * one) for k, one in zip(number, outer))]
            whole = np.full(outer, np.nan, dtype)
            whole[tuple(slice(0, size) for size in part.shape)] = part
            put_chunk(path, (i, *number), shard_bytes(whole, inner))
    put_json(path, about)
    return about


def write(folder, source, options):
    dtype = np.dtype("<f8" if options.double else "<f4")
    inner, outer = cubes_of(source.n, options.cube or CUBE, options.shard or SHARD)
    medium, metadata = options.medium, {}
    for name in source.names:
        attributes = conventions.of_field(name, source.units[name], source.long[name], medium)
        metadata[name] = put_field(folder, name, source, dtype, inner, outer, attributes)
    for axis, values in zip("xyz", source.coordinates):
        metadata[axis] = put_coordinate(folder, axis, values, conventions.of_coordinate(axis, medium))
    metadata["t"] = put_coordinate(folder, "t", source.t, conventions.of_time(medium))
    put_json(folder, {"zarr_format": 3, "node_type": "group", "attributes": {**conventions.of_file(source), "case": source.run.case_text},
                      "consolidated_metadata": {"kind": "inline", "must_understand": False, "metadata": metadata}})
    return [f"{len(source.names)} fields at {len(source.t)} times, cubes {text_of(inner)} in shards {text_of(outer)}"]


def text_of(sizes):
    return " x ".join(map(str, sizes[::-1]))

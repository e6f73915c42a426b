"""Runs in parts, from one device to another and from some ranks to others, beside the same run in one piece."""


def in_parts(run, check, keys, name, steps, order):
    """A run that goes on from part to part, each of so many steps, on the (device, ranks) of order. What its last part, or the
    one that failed, returned."""
    last = None
    for part, (device, n) in enumerate(order):
        last = run(check, keys, name, steps * (part + 1), device, ranks=n)
        if last[0] is None:
            break
    return last


def restart(check, pool, run, compare, what, keys, limit):
    """Three parts of five steps on a GPU are the run to the bit; by way of the CPU and on two ranks they lie within limit."""
    name = what.replace(" ", "-")
    whole = pool.submit(run, check, keys, f"{name}-whole", 15, "gpu")
    again = pool.submit(in_parts, run, check, keys, f"{name}-again", 5, (("gpu", 1), ("gpu", 1), ("gpu", 1)))
    mixed = pool.submit(in_parts, run, check, keys, f"{name}-mixed", 5, (("gpu", 1), ("cpu", 1), ("gpu", 2)))
    compare(check, f"{what}: gpu in three parts, bit for bit", again.result(), whole.result(), 0)
    compare(check, f"{what}: gpu, cpu, gpu on 2", mixed.result(), whole.result(), limit)

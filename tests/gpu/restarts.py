"""Runs in parts, from one device to another and from some ranks to others, against the same run in one piece."""


def in_parts(run, check, keys, name, steps, order):
    """A run that continues from part to part, each of so many steps, on the (device, ranks) of order. What its last part, or the
    one that failed, returned."""
    last = None
    for part, (device, n) in enumerate(order):
        last = run(check, keys, name, steps * (part + 1), device, ranks=n).result()
        if last[0] is None:
            break
    return last


def restart(check, run, compare, what, keys, limit):
    """Three parts of five steps on a GPU equal the run bit for bit; by way of the CPU and on two ranks they lie within limit."""
    name = what.replace(" ", "-")
    whole = run(check, keys, f"{name}-whole", 15, "gpu")
    again = in_parts(run, check, keys, f"{name}-again", 5, (("gpu", 1), ("gpu", 1), ("gpu", 1)))
    compare(check, f"{what}: gpu in three parts, bit for bit", again, whole.result(), 0)
    mixed = in_parts(run, check, keys, f"{name}-mixed", 5, (("gpu", 1), ("cpu", 1), ("gpu", 2)))
    compare(check, f"{what}: gpu, cpu, gpu on 2", mixed, whole.result(), limit)

"""Runs that write fields of a box with unequal sides, as they are, parts of them, or packed: for test_part_fields.py and
test_packed_fields.py."""

from boxes import case

OUTPUT = """spectra_interval = 0
fields_interval = 0.1
fields = ["u", "v", "w", "vorticity_x", "pressure"]
slices = []
report = false
"""


def text_of(n):
    """The text of a case on so many points."""
    return case("hd", "viscosity = 0.02\nscalars = [0.02]", n, OUTPUT, 'kind = "random"\nwavenumber = 3')


def make(launcher, triad, folder, case):
    """run(fields, ranks, key=value ..): the last file of fields; run.result: the process."""
    (folder / "case.toml").write_text(case)
    count = [0]

    def of(fields=None, ranks=1, expect=0, **keys):
        count[0] += 1
        sets = [word for k, v in keys.items() for word in ("--set", f"{k.replace('__', '.')}={v}")]
        sets += ["--set", f"output.fields={fields}"] if fields else []
        of.result = launcher(ranks, triad, "run", folder / "case.toml", "--dir", folder / f"run{count[0]}", *sets, expect=expect)
        return sorted((folder / f"run{count[0]}" / "fields").glob("fields-*.h5"))[-1] if expect == 0 else None
    return of

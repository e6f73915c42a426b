"""Runs and running flows as data sets of PyTorch, which this module requires: import triad.torch."""
import numpy as np

from triad import samples
from triad.errors import UsageError
from triad.raising import import_required

torch = import_required("torch")
data = import_required("torch.utils.data")


class Fields(data.Dataset):
    """Cubes, slabs or whole fields of runs as tensors, for a DataLoader with any number of workers: see triad.samples.Samples for the
    arguments. dtype: a type of numpy."""

    def __init__(self, paths, **options):
        self.samples = samples.Samples(paths, **options)

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, number):
        found = self.samples[number]
        return {name: torch.from_numpy(value) if isinstance(value, np.ndarray) else value for name, value in found.items()}

    def set_epoch(self, epoch):
        """Cubes at other places."""
        self.samples.epoch = int(epoch)


class Stream(data.IterableDataset):
    """What a running flow computes, as it computes it: every `interval` of time the values of `fields` at this rank's points.

    flow: a triad.Flow; fields: quantities such as "u", "vorticity"; until: the last time, by default the end of the case. Items are
    {"fields": [field, z, y, x], "t": time}. state: "cpu" or "gpu": instead the fields of the state on that device, by DLPack without a
    copy, {name: tensor, .., "t": time}; such a tensor is valid until the next item. A DataLoader needs num_workers=0.
    """

    def __init__(self, flow, fields=("u", "v", "w"), interval=None, until=None, state=None):
        if state not in (None, "cpu", "gpu"):
            raise UsageError(f'state = {state!r}: must be "cpu" or "gpu"')
        if interval is None or not interval > 0:
            raise UsageError(f"interval = {interval!r}: must be a time above 0")
        self.flow, self.fields, self.interval, self.until, self.state = flow, list(fields), float(interval), until, state

    def _item(self):
        flow = self.flow
        if self.state:
            memory = flow.state.on_gpu if self.state == "gpu" else flow.state.memory
            return {**{name: torch.from_dlpack(memory(name)) for name in self.fields}, "t": flow.t}
        return {"fields": torch.from_numpy(np.stack([np.asarray(flow.points(name)) for name in self.fields])), "t": flow.t}

    def __iter__(self):
        if data.get_worker_info() is not None:
            raise UsageError("a running flow belongs to one process: use num_workers=0")
        end = self.flow.end if self.until is None else self.until
        yield self._item()
        count, begin = 1, self.flow.t
        while self.flow.t < end * (1 - 1e-12) and not self.flow.finished:
            self.flow.advance(to=min(end, begin + count * self.interval))
            count += 1
            yield self._item()

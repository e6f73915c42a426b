"""Power spectral densities by Welch's method, and levels in decibels with their standard errors.

Welch 1967, IEEE Trans. Audio Electroacoust. 15, 70: the mean of periodograms of half-overlapping segments under Hann's window."""
import numpy as np

ENOUGH = 16       # periodograms in a mean, over points and segments, whose scatter is a quarter of the density
SHORTEST = 256    # rows of a segment
BLOCKS = 8        # of a record, whose mean squares give the standard error of a level


def segments_for(rows, points=1, most=ENOUGH):
    """How many half-overlapping segments give ENOUGH periodograms, each with SHORTEST rows at least."""
    return max(1, min(most, -(-ENOUGH // max(points, 1)), 2 * rows // SHORTEST - 1))


def density(values, dt, segments=1):
    """(f [cycles per time], one-sided density [f, ...]) of values[row, ...] at intervals dt. The mean of each segment is subtracted and
    f = 0 is left out. The sum of the densities times f[0] estimates the variance: it is the mean square of the windowed segments without
    their own mean, over that of the window."""
    n = len(values)
    length = 2 * n // (segments + 1)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(length) + 0.5) / length)
    window = window.reshape(-1, *[1] * (values.ndim - 1))
    total = 0
    for i in range(segments):
        begin = i * (n - length) // (segments - 1) if segments > 1 else 0
        part = values[begin:begin + length]
        total = total + np.abs(np.fft.rfft(window * (part - part.mean(axis=0)), axis=0))**2
    total = 2 * dt * total / (segments * np.sum(window**2))
    if length % 2 == 0:
        total[-1] /= 2      # the highest frequency is its own negative
    return np.fft.rfftfreq(length, dt)[1:], total[1:]


def within(rows, dt, low, high):
    """Which of the frequencies of rfft are above 0 and from low to high, for a record of `rows` at intervals dt."""
    f = np.fft.rfftfreq(rows, dt)
    return (f > 0) & (f >= low) & (f <= high)


def band(values, dt, low, high):
    """values[row, ...] with frequencies from low to high only, without their mean, by a Fourier transform of the record without its
    straight line from the mean of the first tenth to that of the last."""
    n = len(values)
    tenth = max(1, n // 10)
    begin, end = values[:tenth].mean(axis=0), values[-tenth:].mean(axis=0)
    at = ((np.arange(n) - (tenth - 1) / 2) / (n - tenth)).reshape(-1, *[1] * (values.ndim - 1))
    modes = np.fft.rfft(values - begin - (end - begin) * at, axis=0)
    modes[~within(n, dt, low, high)] = 0
    return np.fft.irfft(modes, n, axis=0)


def decibels(mean_square, reference):
    """10 log10 of a mean square over that of the reference; -inf of 0."""
    with np.errstate(divide="ignore"):
        return 10 * np.log10(np.asarray(mean_square) / reference**2)


def of_squares(squares, reference):
    """(level [dB], its standard error [dB]) of the mean over rows of squares[row, ...]. The error is the larger of those from the means of
    BLOCKS and of half as many blocks. It is too small if the record has fewer than some ten periods of the lowest frequency."""
    mean = squares.mean(axis=0)
    errors = []
    for count in (BLOCKS, BLOCKS // 2):
        blocks = np.stack([block.mean(axis=0) for block in np.array_split(squares, count)])
        errors.append(blocks.std(axis=0, ddof=1) / np.sqrt(count))
    spread = np.asarray(np.maximum(*errors))
    error = np.divide(spread, mean, out=np.zeros_like(spread), where=np.asarray(mean) > 0)
    return decibels(mean, reference), 10 / np.log(10) * error


def level(values, reference):
    """of_squares of the fluctuations of values[row, ...] about their mean."""
    return of_squares((values - values.mean(axis=0))**2, reference)


def level_of_mean(values, reference):
    """of_squares of the mean square over the points of values[row, point]."""
    return of_squares(np.mean((values - values.mean(axis=0))**2, axis=1), reference)

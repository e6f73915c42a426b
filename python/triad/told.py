"""What readers of figures complain of, as this package's exceptions."""
import functools

from triad import errors


def told(function):
    @functools.wraps(function)
    def call(*arguments, **options):
        from triad_plot.problem import Problem
        try:
            return function(*arguments, **options)
        except Problem as problem:
            raise errors.of(problem.code, str(problem)) from None
    return call

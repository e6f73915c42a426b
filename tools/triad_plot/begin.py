"""The first word of the command line chooses what is imported: commands of triad in Python, most of which need no matplotlib, or
figures."""
import importlib
import sys

from triad_plot.problem import INPUT_OUTPUT, MEMORY, Problem

HELP = {"-h", "--help", "help"}
# of triad: the module of each
COMMANDS = {"archive": "triad_plot.archive.command", "diff": "triad_plot.archive.diff", "export": "triad_plot.export.command",
            "far-field": "triad_plot.sound.command", "import": "triad_plot.moving.command"}


def say(problem, who="triad-plot"):
    print(f"{who}: {printable(str(problem))}", file=sys.stderr)


def printable(text):
    """No path or file content reaches the terminal as a control sequence."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def main(arguments):
    """The exit code."""
    who = "triad: error" if arguments and arguments[0] in COMMANDS else "triad-plot"
    try:
        if arguments and arguments[0] in COMMANDS and not HELP.intersection(arguments):
            code = importlib.import_module(COMMANDS[arguments[0]]).run_command(arguments[1:])
        else:
            code = importlib.import_module("triad_plot.command").work(arguments)
        sys.stdout.flush()
        return code
    except Problem as problem:
        say(problem, who)
        return problem.code
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        say(Problem(f"{error.filename or 'output'}: {error.strerror or error}"), who)
        return INPUT_OUTPUT
    except MemoryError as error:
        say(Problem(f"out of memory: {str(error)[:200] or 'an array does not fit'}"), who)
        return MEMORY
    except KeyboardInterrupt:
        return 130

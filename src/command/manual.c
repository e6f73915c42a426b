/* Generate the manual page and the bash completion from the subcommands' help. */
#include "command/manual.h"
#include "command/command.h"

#include "base/status.h"
#include "base/text.h"
#include "case/schema.h"
#include "case/schema/schema_manual.h"

#include <string.h>

static size_t line_length(const char *line) { return strcspn(line, "\n"); }

/* In a line " --dir DIR its meaning": the index of the meaning; 0 if the line has another form. */
static size_t option_gap(const char *line, size_t length)
{
  if (length < 4 || strncmp(line, "  -", 3) != 0) return 0;
  for (size_t i = 3; i + 2 < length; i++)
    if (line[i] == ' ' && line[i + 1] == ' ') return i;
  return 0;
}

static void write_option(FILE *file, const char *line, size_t length, size_t gap)
{
  size_t meaning = gap + strspn(line + gap, " ");
  (void)fputs(".TP\n\\fB", file);
  triad_roff_text(file, line + 2, gap - 2);
  (void)fputs("\\fP\n", file);
  triad_roff_text(file, line + meaning, length - meaning);
  (void)fputc('\n', file);
}

/* Write a subcommand's help as a section: usage lines, paragraphs, options. Lines that are indented further either
 * continue the meaning of an option or are kept unchanged. */
static void write_command(FILE *file, const triad_command *command)
{
  int in_option = 0, new_paragraph = 1;
  (void)fprintf(file, ".SS triad %s\n", command->name);
  triad_roff_line(file, command->summary);
  for (const char *line = command->help; *line;) {
    size_t length = line_length(line), gap = option_gap(line, length), margin = strspn(line, " ");
    int usage = strncmp(line, "Usage: ", 7) == 0 || (!in_option && margin == 7);
    if (length == 0) {
      new_paragraph = 1;
      in_option = 0;
    } else if (usage) {
      (void)fputs(".PP\n\\fB", file);
      triad_roff_text(file, line + 7, length - 7);
      (void)fputs("\\fP\n", file);
    } else if (gap) {
      write_option(file, line, length, gap);
      in_option = 1;
    } else if (in_option && margin > 2) {
      triad_roff_text(file, line + margin, length - margin);
      (void)fputc('\n', file);
    } else {
      if (margin >= 2 && !in_option) (void)fputs(new_paragraph ? ".PP\n" : ".br\n", file);
      else if (new_paragraph || in_option) (void)fputs(".PP\n", file);
      triad_roff_text(file, line + margin, length - margin);
      (void)fputc('\n', file);
      new_paragraph = in_option = 0;
    }
    line += length + (line[length] == '\n');
  }
}

static void write_codes(FILE *file)
{
  static const struct {
    const char *code, *meaning;
  } codes[] = {{"0", "finished"},
               {"64", "wrong command line"},
               {"65", "bad case or bad data"},
               {"66", "an input file is missing"},
               {"69", "a feature that is not built in, or a device that is not available"},
               {"70", "internal error"},
               {"71", "not enough memory"},
               {"74", "reading or writing failed"},
               {"75", "stopped early, with a good checkpoint"},
               {"80", "blow-up: a value is not finite"}};
  (void)fputs(".SH EXIT STATUS\n", file);
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    (void)fprintf(file, ".TP\n%s\n%s\n", codes[i].code, codes[i].meaning);
}

int triad_manual_write(FILE *file)
{
  triad_roff_title(file, "triad", 1);
  (void)fputs(
    ".SH NAME\ntriad \\- direct numerical simulation of turbulence\n"
    ".SH SYNOPSIS\n.B triad\n.I command\n.RI [ arguments ]\n.PP\n"
    ".BI \"mpirun \\-n \" P \" triad\"\n.I command\n.RI [ arguments ]\n"
    ".SH DESCRIPTION\nSolves the equations of a case file,\n.BR triad\\-case (5),\non any number of ranks and "
    "threads, and writes time series, spectra, fields and checkpoints into a run directory.\n.SH COMMANDS\n",
    file);
  for (int i = 0; i < triad_n_commands; i++) write_command(file, triad_commands[i]);
  write_codes(file);
  (void)fputs(
    ".SH ENVIRONMENT\n.TP\n.B OMP_NUM_THREADS\nthreads of each rank\n.TP\n.B NO_COLOR\nno colour in messages\n"
    ".SH SEE ALSO\n.BR triad\\-case (5),\n.BR mpirun (1)\n",
    file);
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing the manual page") : TRIAD_OK;
}

/* The options that a help text explains: words that begin with '-', at the start of its option lines. */
static void write_options(FILE *file, const char *help)
{
  for (const char *line = help; *line; line += line_length(line) + (line[line_length(line)] == '\n')) {
    if (strncmp(line, "  -", 3) != 0) continue;
    const char *word = line + 2;
    while (*word == '-') {
      size_t n = strcspn(word, " ,=\n");
      (void)fprintf(file, " %.*s", (int)n, word);
      word += n;
      if (*word != ',') break;
      word += 1 + strspn(word + 1, " ");
    }
  }
}

int triad_completion_write(FILE *file)
{
  (void)fputs("# Completion of triad for bash; made by the program itself.\n"
              "_triad_values() {\n  case \"$1\" in\n",
              file);
  TRIAD_TRY(triad_schema_write_words(file));
  (void)fputs("  esac\n}\n_triad_keys='", file);
  TRIAD_TRY(triad_schema_write_names(file));
  (void)fputs("'\n_triad_options() {\n  case \"$1\" in\n", file);
  for (int i = 0; i < triad_n_commands; i++) {
    (void)fprintf(file, "    %s) echo '--help", triad_commands[i]->name);
    write_options(file, triad_commands[i]->help);
    (void)fputs("' ;;\n", file);
  }
  (void)fputs(
    "  esac\n}\n_triad_take() { mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen \"$@\"); }\n_triad() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} key=\n"
    "  COMPREPLY=()\n"
    "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    _triad_take -W '",
    file);
  for (int i = 0; i < triad_n_commands; i++) (void)fprintf(file, "%s ", triad_commands[i]->name);
  (void)fputs("help --help --version' -- \"$word\"\n    return\n  fi\n"
              "  # bash splits words at =, so that --set grid.truncation=box comes as five\n"
              "  if [ \"$before\" = '=' ]; then key=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
              "  if [ \"$word\" = '=' ]; then key=$before word=; fi\n"
              "  if [ \"$key\" ]; then\n"
              "    _triad_take -W \"$(_triad_values \"$key=\")\" -- \"$word\"\n"
              "  elif [ \"$before\" = --set ]; then\n"
              "    _triad_take -W \"$_triad_keys\" -- \"$word\"\n    compopt -o nospace 2>/dev/null\n"
              "  elif [ \"$before\" = --dir ]; then\n"
              "    _triad_take -d -- \"$word\"\n"
              "  elif [[ $word == -* ]]; then\n"
              "    _triad_take -W \"$(_triad_options \"$command\") --set\" -- \"$word\"\n"
              "  else\n"
              "    case $command in\n"
              "      run|bench|case|tune)\n"
              "        _triad_take -f -X '!*.toml' -- \"$word\"\n"
              "        _triad_take -d -- \"$word\" ;;\n"
              "      *) _triad_take -f -- \"$word\" ;;\n"
              "    esac\n    compopt -o filenames 2>/dev/null\n  fi\n}\n"
              "complete -F _triad triad\n",
              file);
  return ferror(file) ? TRIAD_FAIL(TRIAD_ERR_IO, "writing the completion") : TRIAD_OK;
}

#include "base/roff.h"

#include "base/version.h"

#include <ctype.h>
#include <string.h>

void triad_roff_title(FILE *file, const char *name, int section)
{
  (void)fprintf(file, ".\\\" Made by the program itself.\n.TH \"");
  for (const char *c = name; *c; c++) (void)fputc(toupper((unsigned char)*c), file);
  (void)fprintf(file, "\" \"%d\" \"%s\" \"Triad %s\" \"Triad manual\"\n", section, triad_date(), triad_version());
}

void triad_roff_text(FILE *file, const char *text, size_t length)
{
  (void)fputs("\\&", file);
  for (size_t i = 0; i < length; i++)
    switch (text[i]) {
    case '\\': (void)fputs("\\e", file); break;
    case '-': (void)fputs("\\-", file); break;
    case '^': (void)fputs("\\(ha", file); break;
    case '~': (void)fputs("\\(ti", file); break;
    case '`': (void)fputs("\\(ga", file); break;
    case '\'': (void)fputs("\\(aq", file); break;
    case '"': (void)fputs("\\(dq", file); break;
    default: (void)fputc(text[i], file);
    }
}

void triad_roff_line(FILE *file, const char *text)
{
  triad_roff_text(file, text, strlen(text));
  (void)fputc('\n', file);
}

void triad_roff_bold(FILE *file, const char *text)
{
  (void)fputs("\\fB", file);
  triad_roff_text(file, text, strlen(text));
  (void)fputs("\\fP\n", file);
}

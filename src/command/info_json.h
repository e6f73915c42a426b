/* A look at JSON: is it well formed, and what are the members of its outermost object? */
#ifndef TRIAD_COMMAND_INFO_JSON_H
#define TRIAD_COMMAND_INFO_JSON_H

#include <stddef.h>

/* Called with each member of the outermost object: its name as it stands between the quotes, and its value as text. */
typedef void triad_json_member(void *who, const char *name, size_t name_length, const char *value, size_t length);

/* 1 when text[0 .. length - 1] is one object by RFC 8259, nested at most 64 deep; else 0, and *bad is where it is not.
 * Members before that place have been told. */
int triad_json_look(const char *text, size_t length, triad_json_member *tell, void *who, size_t *bad);

#endif

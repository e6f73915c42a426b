/* JSON files that Triad wrote, for `triad info`. */
#ifndef TRIAD_COMMAND_INFO_INFO_JSON_H
#define TRIAD_COMMAND_INFO_INFO_JSON_H

#include "command/info/info.h"

/* triad_info_sessions: is it provenance.json by its name, or an earlier one, provenance.1.json? */
int triad_info_json(const char *path);
int triad_info_sessions(const char *path);

#endif

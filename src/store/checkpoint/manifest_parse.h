/* A manifest from its text. Not collective. */
#ifndef TRIAD_STORE_CHECKPOINT_MANIFEST_PARSE_H
#define TRIAD_STORE_CHECKPOINT_MANIFEST_PARSE_H

#include "store/checkpoint/manifest.h"

/* From text (NUL behind its end). `path` is what messages name. TRIAD_ERR_CASE says what is wrong with it; whatever
 * the bytes are, nothing larger than the file sizes that it states is consistent with is believed or allocated. */
int triad_manifest_parse(triad_manifest **out, const char *path, const char *text, int64_t bytes);

#endif

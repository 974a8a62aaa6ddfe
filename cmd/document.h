/* Lineage documents on disk (JSON, one or many in a file) → facts. The only file of cmd/ that reads JSON by jansson. */
#ifndef COLLINE_CMD_DOCUMENT_H
#define COLLINE_CMD_DOCUMENT_H

#include "facts.h"

/* Adds all documents of the text; false after a complaint about what is no document. */
bool document_add(struct facts *facts, const char *path, str_t text);

#endif

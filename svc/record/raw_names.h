/* Inner to svc/record: the names of sources and kinds, which events carry too. */
#ifndef COLLINE_RECORD_RAW_NAMES_H
#define COLLINE_RECORD_RAW_NAMES_H

#include "record/fields.h"

extern const struct field_names raw_sources, raw_kinds;

#endif

/* docs/openapi.yaml, put in by the build. */
#ifndef COLLINE_API_DESCRIPTION_H
#define COLLINE_API_DESCRIPTION_H

#include <stddef.h>

extern const unsigned char api_description[];
extern const size_t api_description_size;

#endif

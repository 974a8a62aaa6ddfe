/* The store: whether the file or server can be opened and is of this version. Only read. */
#ifndef COLLINE_DOCTOR_STORE_H
#define COLLINE_DOCTOR_STORE_H

#include "config/config.h"
#include "doctor/findings.h"

/* Nothing where no store is named and data_dir has none. */
void store_check(const struct config *config, struct findings *findings);

#endif

/* Private to the binder: from a query's outputs to the columns of what is written. */
#ifndef COLLINE_BIND_TARGETS_H
#define COLLINE_BIND_TARGETS_H

#include "bind/binder.h"

/* The leg of one INSERT target, its columns paired with the query's. */
struct bound_leg *leg_of_target(struct binder *b, const struct insert_target *target, struct bound_query *query);

/* Targets named as the query names its outputs: SELECT, directories. */
void leg_targets_of_query(struct binder *b, struct bound_leg *leg);

/* The partitions of a clause as a document shows them. */
struct doc_partition *binder_partitions(struct binder *b, const struct partition_spec *spec, uint32_t *count);

#endif

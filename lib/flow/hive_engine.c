/* The reading of Hive's engine: what its LineageLogger reports. */
#include "flow/flow.h"

void flow_hive_engine(struct flow *f)
{
    flow_value(f);
}

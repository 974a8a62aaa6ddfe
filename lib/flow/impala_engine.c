/* The reading of Impala's engine: what its lineage event log reports. */
#include "flow/flow.h"

void flow_impala_engine(struct flow *f)
{
    flow_value(f);
}

/* A script's lineage with the store's tables as catalog, and what it would change; nothing is stored. */
#include "api/handlers.h"

void answer_analyze(struct call *call)
{
    call_refuse(call, 503, "Not there yet.");
}

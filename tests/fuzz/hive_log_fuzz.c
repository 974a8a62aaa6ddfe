/* Any bytes as Hive's log; format_target.h says what holds. The first byte says how the rest comes. */
#include "format_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&hive_log_format, data, size);
}

/* Any bytes as a hive hook; format_target.h says what holds. The first byte says how the rest comes. */
#include "format_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&hive_hook_format, data, size);
}

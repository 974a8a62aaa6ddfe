/* No page: what stands in for the generated table where the page is not built. */
#include "api/assets.h"

const struct asset api_assets[1] = {{0}};
const size_t api_asset_count = 0;

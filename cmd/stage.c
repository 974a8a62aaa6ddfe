/* From keys of the configuration to the options of a normaliser. */
#include "stage.h"

#include "cmd.h"

#include <stdlib.h>

/* Whether a source tells the end of a query better than a lineage or audit record does. Without any source, records come from elsewhere. */
static bool has_better_end(const struct config *config)
{
    for (uint32_t i = 0; i < config->sources.count; i++) {
        int64_t kind = config->sources.items[i].kind;
        if (kind == KIND_DAEMON_LOG || kind == KIND_GLOG || kind == KIND_WEB || kind == KIND_PROFILE_LOG)
            return true;
    }
    return config->sources.count == 0;
}

struct normalizer_options stage_options(const struct config *config, const struct clock *clock, struct log *log, struct metrics *metrics)
{
    const struct config_normalize *normalize = &config->normalize;
    uint32_t count = config->clusters.count;
    struct normalizer_cluster *clusters = need_alloc((count + 1) * sizeof *clusters);
    for (uint32_t i = 0; i < count; i++) {
        const struct config_cluster *cluster = &config->clusters.items[i];
        clusters[i] = (struct normalizer_cluster){cluster->name, cluster->name_space, cluster->warehouse};
    }
    return (struct normalizer_options){
        .limits = {normalize->expiry, normalize->revision_window, has_better_end(config) ? normalize->end_grace : 0, normalize->done_marker},
        .clusters = clusters,
        .cluster_count = count,
        .catalogs = normalize->catalogs.items,
        .catalog_count = normalize->catalogs.count,
        .cache_entries = (size_t)normalize->lineage_cache,
        .clock_skew_ms = config->limits.clock_skew,
        .clock = *clock,
        .log = log,
        .metrics = metrics,
    };
}

void stage_options_release(struct normalizer_options *options)
{
    free((void *)(uintptr_t)options->clusters);
    options->clusters = NULL;
}

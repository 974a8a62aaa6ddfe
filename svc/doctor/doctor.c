/* The order of the checks. */
#include "doctor/doctor.h"

#include "doctor/broker.h"
#include "doctor/daemons.h"
#include "doctor/files.h"
#include "doctor/folder.h"
#include "doctor/running.h"
#include "doctor/state.h"
#include "doctor/store.h"

#define SHOWN(text) (int)(text).len, (text).ptr

static void tell_message(const struct config *config, const struct config_message *message, struct findings *findings)
{
    enum finding_level level = message->warning ? FINDING_WARN : FINDING_FAIL;
    if (message->place.line > 0)
        finding_add(findings, level, "configuration", config->path, "line %u, column %u: %.*s", message->place.line, message->place.column,
                    SHOWN(message->text));
    else
        finding_add(findings, level, "configuration", config->path, "%.*s", SHOWN(message->text));
}

/* Whether there is something to go on with. */
static bool check_configuration(const struct config *config, struct findings *findings)
{
    for (uint32_t i = 0; i < config->messages.count; i++)
        tell_message(config, &config->messages.items[i], findings);
    if (config->failed || config->arena.failed)
        return false;
    finding_add(findings, FINDING_OK, "configuration", config->path, "%u %s, %u %s, %s", (unsigned)config->clusters.count,
                config->clusters.count == 1 ? "cluster" : "clusters", (unsigned)config->sources.count,
                config->sources.count == 1 ? "source" : "sources", config->kafka.brokers.count > 0 ? "with Kafka" : "without Kafka");
    if (config->sources.count == 0 && config->kafka.brokers.count == 0) { /* with a broker others may capture */
        finding_add(findings, FINDING_WARN, "configuration", config->path, "there is nothing to capture");
        finding_todo(findings, "name `sources`, or `kafka.brokers` where other machines capture");
    }
    return true;
}

void doctor_run(const struct config *config, const struct clock *clock, struct findings *findings)
{
    if (!check_configuration(config, findings))
        return;
    files_check(config, clock, findings);
    daemons_check(config, DOCTOR_TIMEOUT_MS, findings);
    folder_check(config, clock, findings);
    broker_check(config, DOCTOR_TIMEOUT_MS, findings);
    state_check(config, findings);
    store_check(config, findings);
    running_check(config, DOCTOR_TIMEOUT_MS, findings);
}

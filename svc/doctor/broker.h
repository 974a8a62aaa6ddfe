/* Kafka: whether a broker can be reached, the topics, the consumer group, and how much of what was read is invalid. */
#ifndef COLLINE_DOCTOR_BROKER_H
#define COLLINE_DOCTOR_BROKER_H

#include "config/config.h"
#include "doctor/findings.h"

/* Nothing where the configuration names no brokers. Each question takes timeout_ms at most. */
void broker_check(const struct config *config, int timeout_ms, struct findings *findings);

#endif

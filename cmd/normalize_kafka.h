/* colline normalize as a service over Kafka. */
#ifndef COLLINE_CMD_NORMALIZE_KAFKA_H
#define COLLINE_CMD_NORMALIZE_KAFKA_H

/* Runs until it is told to stop; the exit status. `config`: path as for settings_read. */
int normalize_kafka(const char *config);

#endif

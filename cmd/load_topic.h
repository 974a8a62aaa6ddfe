/* `colline load` as a service: from the normalised topic into the store. */
#ifndef COLLINE_CMD_LOAD_TOPIC_H
#define COLLINE_CMD_LOAD_TOPIC_H

/* Both may be NULL: the usual configuration, the configuration's store. Returns the exit status. */
int load_topic(const char *config, const char *store);

#endif

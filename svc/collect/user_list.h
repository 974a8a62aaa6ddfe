/* The users that a log has named, each once, by number: what an id_table's entry keeps of one. */
#ifndef COLLINE_COLLECT_USER_LIST_H
#define COLLINE_COLLECT_USER_LIST_H

#include "collect/line.h"

/* All zeros: empty. */
struct user_list {
    struct names names; /* owned */
};

void user_list_release(struct user_list *users);

/* Counted from 1; 0 when the name is empty, the list is full, or memory is out. */
uint32_t user_number(struct user_list *users, str_t name);

/* The name of a number; empty for 0. Valid until the list is released. */
str_t user_name(const struct user_list *users, uint32_t number);

#endif

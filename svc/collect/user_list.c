/* Users by number. A log names few, and the newest are asked for most, so the list is searched from
 * its end. */
#include "collect/user_list.h"

#include <stdlib.h>

enum { USERS_MAX = 20000 };

void user_list_release(struct user_list *users)
{
    for (uint32_t i = 0; i < users->names.count; i++)
        free((char *)(uintptr_t)users->names.items[i].ptr);
    names_release(&users->names);
}

uint32_t user_number(struct user_list *users, str_t name)
{
    struct names *names = &users->names;
    for (uint32_t i = names->count; i > 0; i--)
        if (str_eq(names->items[i - 1], name))
            return i;
    char *copy = names->count < USERS_MAX && name.len > 0 ? malloc(name.len) : NULL;
    if (copy == NULL)
        return 0;
    memcpy(copy, name.ptr, name.len);
    if (!names_add(names, str_make(copy, name.len))) {
        free(copy);
        return 0;
    }
    return names->count;
}

str_t user_name(const struct user_list *users, uint32_t number)
{
    return number == 0 ? STR("") : users->names.items[number - 1];
}

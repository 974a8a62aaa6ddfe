/* Dates as texts. */
#ifndef COLLINE_BASE_CALENDAR_H
#define COLLINE_BASE_CALENDAR_H

#include "base/str.h"

/* Whether the text is a day of the calendar, yyyy-m-d; month and day have one digit or two. */
bool is_calendar_date(str_t text);

#endif

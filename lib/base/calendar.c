/* See calendar.h. */
#include "base/calendar.h"

/* Takes between `least` and `most` digits at *pos; -1 where there are fewer or more. */
static int take_number(str_t text, size_t *pos, size_t least, size_t most)
{
    size_t start = *pos;
    int number = 0;
    while (*pos < text.len && *pos - start <= most && text.ptr[*pos] >= '0' &&
           text.ptr[*pos] <= '9')
        number = number * 10 + (text.ptr[(*pos)++] - '0');
    size_t digits = *pos - start;
    return digits >= least && digits <= most ? number : -1;
}

static bool take_hyphen(str_t text, size_t *pos)
{
    if (*pos >= text.len || text.ptr[*pos] != '-')
        return false;
    ++*pos;
    return true;
}

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

bool is_calendar_date(str_t text)
{
    size_t pos = 0;
    int year = take_number(text, &pos, 4, 4);
    bool parted = take_hyphen(text, &pos);
    int month = take_number(text, &pos, 1, 2);
    parted = take_hyphen(text, &pos) && parted;
    int day = take_number(text, &pos, 1, 2);
    if (!parted || pos != text.len || year < 1 || month < 1 || month > 12 || day < 1)
        return false;
    return day <= days_of_month(year, month);
}

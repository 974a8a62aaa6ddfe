/* A backtracking matcher over the pattern's text; steps are counted, so that no pattern can hang. */
#include "bind/regex.h"

enum {
    STEP_LIMIT = 200000,
    DEPTH_LIMIT = 200
};

struct match {
    str_t pattern, text;
    uint32_t steps, depth;
    bool broken;
};

/* What must match behind a piece: the rest of the pattern up to `end`, then the next continuation. */
struct continuation {
    size_t at, end;
    const struct continuation *next;
};

static bool match_rest(struct match *m, size_t at, size_t end, size_t pos, const struct continuation *next, size_t *reached);

/* The byte behind the piece (one character, class or group) that begins at `at`. */
static size_t piece_end(struct match *m, size_t at, size_t end)
{
    char open = m->pattern.ptr[at];
    if (open == '\\')
        return at + 2 <= end ? at + 2 : end;
    if (open == '[') {
        size_t close = at + 1;
        while (close < end && (m->pattern.ptr[close] != ']' || close == at + 1))
            close += m->pattern.ptr[close] == '\\' ? 2u : 1u;
        return close < end ? close + 1 : end;
    }
    if (open != '(')
        return at + 1;
    int depth = 0;
    for (size_t i = at; i < end; i++) {
        if (m->pattern.ptr[i] == '\\')
            i++;
        else if (m->pattern.ptr[i] == '(')
            depth++;
        else if (m->pattern.ptr[i] == ')' && --depth == 0)
            return i + 1;
    }
    m->broken = true;
    return end;
}

static bool class_matches(const struct match *m, size_t at, size_t end, char c)
{
    size_t i = at + 1, close = end - 1;
    bool negated = i < close && m->pattern.ptr[i] == '^', hit = false;
    for (i += negated; i < close; i++) {
        char low = m->pattern.ptr[i];
        bool range = i + 2 < close && m->pattern.ptr[i + 1] == '-';
        char high = range ? m->pattern.ptr[i + 2] : low;
        hit = hit || (c >= low && c <= high);
        i += range ? 2u : 0u;
    }
    return hit != negated;
}

static bool escape_matches(char escape, char c)
{
    bool digit = c >= '0' && c <= '9', word = digit || (c >= 'a' && c <= 'z') || c == '_';
    if (escape == 'd')
        return digit;
    if (escape == 'w')
        return word;
    return c == escape;
}

static bool char_matches(const struct match *m, size_t at, size_t end, char c)
{
    char open = m->pattern.ptr[at];
    if (open == '.')
        return true;
    if (open == '[')
        return class_matches(m, at, end, c);
    if (open == '\\')
        return at + 1 < end && escape_matches(m->pattern.ptr[at + 1], c);
    return open == c;
}

/* {n}, {n,}, {n,m}, ?, *, + with an optional ? or + behind */
struct quantifier {
    uint32_t least, most;
    bool lazy, possessive;
    size_t end;
};

static size_t read_number(const struct match *m, size_t at, size_t end, uint32_t *number)
{
    *number = 0;
    for (; at < end && m->pattern.ptr[at] >= '0' && m->pattern.ptr[at] <= '9' && *number < 10000; at++)
        *number = *number * 10 + (uint32_t)(m->pattern.ptr[at] - '0');
    return at;
}

static struct quantifier read_quantifier(struct match *m, size_t at, size_t end)
{
    struct quantifier q = {1, 1, false, false, at};
    if (at >= end)
        return q;
    char c = m->pattern.ptr[at];
    if (c == '?' || c == '*' || c == '+') {
        q = (struct quantifier){c == '+' ? 1 : 0, c == '?' ? 1 : UINT32_MAX, false, false, at + 1};
    } else if (c == '{') {
        at = read_number(m, at + 1, end, &q.least);
        q.most = q.least;
        if (at < end && m->pattern.ptr[at] == ',') {
            size_t from = at + 1;
            at = read_number(m, from, end, &q.most);
            q.most = at == from ? UINT32_MAX : q.most;
        }
        m->broken = m->broken || at >= end || m->pattern.ptr[at] != '}';
        q.end = at + 1;
    } else {
        return q;
    }
    if (q.end < end && m->pattern.ptr[q.end] == '?')
        q.lazy = true;
    else if (q.end < end && m->pattern.ptr[q.end] == '+')
        q.possessive = true;
    q.end += q.lazy || q.possessive ? 1u : 0u;
    return q;
}

/* One piece at `pos`, nothing behind it: the place it leads to, the longest first for groups. */
static bool match_piece(struct match *m, size_t at, size_t end, size_t pos, size_t *reached)
{
    if (m->pattern.ptr[at] == '(') {
        size_t from = at + 1;
        if (end - at > 3 && m->pattern.ptr[from] == '?' && m->pattern.ptr[from + 1] == ':')
            from += 2;
        return match_rest(m, from, end - 1, pos, NULL, reached);
    }
    if (pos >= m->text.len || !char_matches(m, at, end, m->text.ptr[pos]))
        return false;
    *reached = pos + 1;
    return true;
}

enum {
    PLACES = 256
};

/* A quantified piece and what follows: greedy tries the most first, lazy the least, possessive the most only. */
static bool match_quantified(struct match *m, size_t at, size_t piece, const struct quantifier *q, size_t end, size_t pos,
                             const struct continuation *next, size_t *reached)
{
    uint16_t places[PLACES];
    uint32_t count = 0;
    places[count++] = (uint16_t)pos;
    size_t to;
    while (count <= q->most && count < PLACES && match_piece(m, at, piece, places[count - 1], &to) && to > places[count - 1])
        places[count++] = (uint16_t)to;
    if (count <= q->least)
        return false;
    if (q->possessive)
        return match_rest(m, q->end, end, places[count - 1], next, reached);
    for (uint32_t i = q->least; i < count; i++) {
        uint32_t repeat = q->lazy ? i : count - 1 - (i - q->least);
        if (match_rest(m, q->end, end, places[repeat], next, reached))
            return true;
    }
    return false;
}

/* The place of a `|` of this level in [at, end); end when there is none. */
static size_t alternative(struct match *m, size_t at, size_t end)
{
    while (at < end && m->pattern.ptr[at] != '|')
        at = piece_end(m, at, end);
    return at < end ? at : end;
}

static bool match_sequence(struct match *m, size_t at, size_t end, size_t pos, const struct continuation *next, size_t *reached)
{
    if (at >= end) {
        if (next != NULL)
            return match_rest(m, next->at, next->end, pos, next->next, reached);
        *reached = pos;
        return true;
    }
    size_t piece = piece_end(m, at, end);
    struct quantifier q = read_quantifier(m, piece, end);
    return match_quantified(m, at, piece, &q, end, pos, next, reached);
}

static bool match_rest(struct match *m, size_t at, size_t end, size_t pos, const struct continuation *next, size_t *reached)
{
    if (++m->steps > STEP_LIMIT || m->depth >= DEPTH_LIMIT || m->broken)
        return false;
    m->depth++;
    bool hit = false;
    size_t bar = alternative(m, at, end);
    if (bar == end) {
        hit = match_sequence(m, at, end, pos, next, reached);
    } else {
        struct continuation behind = {end, end, next};
        for (size_t from = at; !hit && from <= end; from = bar + 1) {
            bar = alternative(m, from, end);
            hit = match_sequence(m, from, bar, pos, next == NULL ? NULL : &behind, reached);
        }
    }
    m->depth--;
    return hit && !m->broken;
}

bool regex_matches(const struct regex *regex, str_t text)
{
    struct match m = {regex->pattern, text, 0, 0, text.len >= UINT16_MAX};
    size_t reached = 0;
    struct continuation last = {regex->pattern.len, regex->pattern.len, NULL};
    (void)last;
    return match_rest(&m, 0, regex->pattern.len, 0, NULL, &reached) && reached == text.len && !m.broken;
}

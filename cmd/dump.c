/* Line by line: frames are taken off, headings left out, and a CREATE that begins a line ends what
 * stands before it. */
#include "dump.h"

struct dump {
    struct buf *out;
    bool framed; /* a frame was seen */
    bool changed;
    bool ended;     /* the last statement has its `;`, or there is none yet */
    bool continues; /* the last word wants a statement behind it */
};

static bool is_frame(str_t line)
{
    if (line.len < 3 || line.ptr[0] != '+' || line.ptr[line.len - 1] != '+')
        return false;
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != '+' && line.ptr[i] != '-')
            return false;
    return true;
}

/* `| text   |` is text. */
static str_t without_frame(const struct dump *dump, str_t line)
{
    bool cell =
        dump->framed && line.len >= 2 && line.ptr[0] == '|' && line.ptr[line.len - 1] == '|';
    return cell ? str_trim(str_make(line.ptr + 1, line.len - 2)) : line;
}

/* `14 rows selected (0.1 seconds)` */
static bool is_count(str_t line)
{
    size_t digits = 0;
    while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
        digits++;
    str_t rest = str_make(line.ptr + digits, line.len - digits);
    return digits > 0 && (str_starts_with(rest, STR(" row selected ")) ||
                          str_starts_with(rest, STR(" rows selected ")));
}

static bool is_heading(const struct dump *dump, str_t line)
{
    return str_eq_fold(line, STR("createtab_stmt")) ||
           (dump->framed && str_eq_fold(line, STR("result"))) ||
           str_starts_with(line, STR("Time taken: ")) || str_starts_with(line, STR("Fetched ")) ||
           is_count(line);
}

static bool begins_with_word(str_t line, str_t word)
{
    char behind = line.len > word.len ? line.ptr[word.len] : ' ';
    return line.len >= word.len && str_eq_fold(str_make(line.ptr, word.len), word) &&
           (behind == ' ' || behind == '\t');
}

static bool ends_with_word(str_t line, str_t word)
{
    bool alone =
        line.len == word.len || (line.len > word.len && line.ptr[line.len - word.len - 1] == ' ');
    return alone && str_eq_fold(str_make(line.ptr + line.len - word.len, word.len), word);
}

/* The line as far as a comment that begins behind a `;`. */
static str_t without_comment(str_t line)
{
    size_t end = str_find(line, ';', 0);
    str_t tail =
        end < line.len ? str_trim(str_make(line.ptr + end + 1, line.len - end - 1)) : STR("");
    return str_starts_with(tail, STR("--")) ? str_make(line.ptr, end + 1) : line;
}

static void note_end(struct dump *dump, str_t line)
{
    static const str_t openers[] = {{"explain", 7}, {"extended", 8}, {"formatted", 9}, {"as", 2}};
    line = without_comment(line);
    bool comment = str_starts_with(line, STR("--")) || str_ends_with(line, STR("*/")) ||
                   str_starts_with(line, STR("/*"));
    if (line.len == 0 || comment)
        return;
    dump->ended = line.ptr[line.len - 1] == ';';
    dump->continues = false;
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++)
        dump->continues |= ends_with_word(line, openers[i]);
}

static void take_line(struct dump *dump, str_t whole)
{
    str_t line = str_trim(whole);
    if (is_frame(line)) {
        dump->framed = dump->changed = true;
        return;
    }
    str_t inner = without_frame(dump, line);
    if (is_heading(dump, inner)) {
        dump->changed = true;
        return;
    }
    if (begins_with_word(inner, STR("create")) && !dump->ended && !dump->continues) {
        buf_add_char(dump->out, ';');
        dump->changed = true;
    }
    buf_add(dump->out, inner.ptr == line.ptr ? whole : inner);
    note_end(dump, inner);
}

bool dump_read(str_t text, struct buf *out)
{
    struct dump dump = {.out = out, .ended = true};
    for (size_t at = 0; at < text.len;) {
        size_t end = str_find(text, '\n', at);
        take_line(&dump, str_make(text.ptr + at, end - at));
        if (end < text.len)
            buf_add_char(out, '\n');
        at = end + 1;
    }
    return dump.changed;
}

/* Numbers from a hash of seed, table and purpose, so that any table can be made by itself. */
#include "store/warehouse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const subjects[] = {"trade",  "order", "pay",    "refund", "user",   "device", "shop",   "goods", "stock", "supply",  "driver", "trip",
                                       "ticket", "coupon", "search", "click",  "expose", "log",    "risk",   "credit", "loan", "account", "ledger", "cost",
                                       "budget", "staff",  "store",  "region", "city",   "weather", "parcel", "route", "fleet", "sensor",  "alarm",  "media"};
static const char *const nouns[] = {"detail", "base", "info", "event", "day", "hour", "month", "stat", "rank", "path", "tag", "label",
                                    "snap",   "flow", "item", "line",  "map", "zip",  "sum",   "top",  "link", "bind", "plan", "score"};
static const char *const parts[] = {"id", "no", "name", "code", "type", "status", "amt", "cnt", "qty", "price", "rate", "ratio", "time", "date", "flag", "level",
                                    "uv", "pv", "gmv",  "dau",  "last", "first",  "max", "min", "avg", "total", "net",  "gross", "src",  "dst",  "ext",  "remark"};
static const char *const comments[] = {"订单明细", "用户维度", "支付流水", "门店日汇总", "商品标签", "城市指标", "设备日志", "风控评分", "库存快照", "路线规划"};

enum {
    SUBJECTS = sizeof subjects / sizeof subjects[0],
    NOUNS = sizeof nouns / sizeof nouns[0],
    PARTS = sizeof parts / sizeof parts[0],
    COMMENTS = sizeof comments / sizeof comments[0],
    WORDS = SUBJECTS * PARTS * 6, /* names of columns */
    WIDE_EVERY = 20011,           /* one table in so many has 5,000 columns */
    WIDE = 5000
};

enum layer { ODS, DIM, DWD, DWS, ADS, LAYERS };

static const char *const layer_names[] = {"ods", "dim", "dwd", "dws", "ads"};
static const unsigned layer_ends[] = {25, 30, 60, 85, 100}; /* percent of the tables, cumulated */

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t random_of(const struct warehouse *w, uint32_t number, uint32_t purpose)
{
    return mixed(w->seed + mixed((uint64_t)number << 32 | purpose));
}

/* In [0, 1). */
static double fraction(const struct warehouse *w, uint32_t number, uint32_t purpose)
{
    return (double)(random_of(w, number, purpose) >> 11) / 9007199254740992.0;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static uint32_t layer_end(const struct warehouse *w, enum layer layer)
{
    return (uint32_t)((uint64_t)w->tables * layer_ends[layer] / 100);
}

static uint32_t layer_start(const struct warehouse *w, enum layer layer)
{
    return layer == ODS ? 0 : layer_end(w, (enum layer)(layer - 1));
}

static enum layer layer_of(const struct warehouse *w, uint32_t number)
{
    enum layer layer = ODS;
    while (layer < ADS && number >= layer_end(w, layer))
        layer++;
    return layer;
}

static bool in_chain(const struct warehouse *w, uint32_t number)
{
    return number >= w->tables;
}

/* A table of a layer before `below`: a few are read by very many. */
static uint32_t pick(const struct warehouse *w, enum layer layer, uint32_t below, double u)
{
    uint32_t start = layer_start(w, layer), end = layer_end(w, layer);
    end = end < below ? end : below;
    return end <= start ? start : start + (uint32_t)((double)(end - start) * u * u * u * u);
}

static uint32_t pick_source(const struct warehouse *w, enum layer layer, uint32_t number, uint32_t k)
{
    static const enum layer from[LAYERS][4] = {{ODS, ODS, ODS, ODS}, {ODS, ODS, ODS, ODS}, {ODS, ODS, ODS, DIM}, {DWD, DWD, DIM, DWS}, {DWS, DWS, DWD, DIM}};
    uint64_t r = random_of(w, number, 100 + k);
    return pick(w, from[layer][r & 3], number, fraction(w, number, 200 + k));
}

static void choose_sources(const struct warehouse *w, struct table *t)
{
    enum layer layer = layer_of(w, t->number);
    if (layer == ODS)
        return;
    uint32_t count = 1 + (uint32_t)(-2.2 * log(1 - fraction(w, t->number, 3)));
    for (uint32_t k = 0; k < count && k < SOURCES_MAX; k++) {
        uint32_t source = pick_source(w, layer, t->number, k);
        bool there = source == t->number;
        for (uint32_t i = 0; i < t->source_count; i++)
            there |= t->sources[i] == source;
        if (!there)
            t->sources[t->source_count++] = source;
    }
}

struct table warehouse_table(const struct warehouse *w, uint32_t number)
{
    struct table t = {.number = number, .columns = CHAIN_COLUMNS};
    t.first_word = (uint32_t)(random_of(w, number, 1) % WORDS);
    if (in_chain(w, number)) {
        t.source_count = number > w->tables;
        t.sources[0] = number - 1;
        return t;
    }
    t.columns = number % WIDE_EVERY == WIDE_EVERY - 1 ? WIDE : 8 + (uint32_t)(-42 * log(1 - fraction(w, number, 2)));
    choose_sources(w, &t);
    return t;
}

static void add(struct buf *out, const char *text)
{
    buf_add(out, str_make(text, strlen(text)));
}

void warehouse_name(const struct warehouse *w, uint32_t number, struct buf *out)
{
    if (in_chain(w, number)) {
        add(out, "chain.step_");
        buf_add_number(out, number - w->tables);
        return;
    }
    uint64_t r = random_of(w, number, 0);
    const char *layer = layer_names[layer_of(w, number)];
    add(out, layer);
    add(out, ".");
    add(out, layer);
    add(out, "_");
    add(out, subjects[r % SUBJECTS]);
    add(out, "_");
    add(out, subjects[r / SUBJECTS % SUBJECTS]);
    add(out, "_");
    add(out, nouns[r / SUBJECTS / SUBJECTS % NOUNS]);
    add(out, "_");
    buf_add_number(out, number);
}

void warehouse_column(const struct warehouse *w, const struct table *table, uint32_t column, struct buf *out)
{
    uint32_t word = (table->first_word + column) % WORDS;
    (void)w;
    if (column >= WORDS) {
        add(out, "c");
        buf_add_number(out, column);
        return;
    }
    add(out, subjects[word % SUBJECTS]);
    add(out, "_");
    add(out, parts[word / SUBJECTS % PARTS]);
    if (word >= SUBJECTS * PARTS) {
        add(out, "_");
        buf_add_number(out, word / (SUBJECTS * PARTS));
    }
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static void add_full_column(const struct warehouse *w, const struct table *t, uint32_t column, struct buf *out)
{
    add(out, "\"");
    warehouse_name(w, t->number, out);
    add(out, ".");
    warehouse_column(w, t, column, out);
    add(out, "\"");
}

/* How many columns a column is made of: most of a few, some of many. */
static uint32_t width_of(const struct warehouse *w, uint32_t number, uint32_t column)
{
    if (in_chain(w, number))
        return CHAIN_SOURCES;
    double u = fraction(w, number, 1000 + column);
    return u < 0.4 ? 1 : 1 + (uint32_t)(-10.9 * log(1 - (u - 0.4) / 0.6));
}

struct writing {
    const struct warehouse *w;
    struct table table, sources[SOURCES_MAX];
    struct buf *out;
    uint32_t edges, most;
};

/* The sources of a column: pairs of table and column without repetition. */
static void write_sources(struct writing *s, uint32_t column, uint32_t width)
{
    uint32_t room = s->most == 0 ? width : s->most - s->edges;
    width = width < room ? width : room;
    for (uint32_t i = 0; i < width; i++) {
        const struct table *source = &s->sources[(column + i) % s->table.source_count];
        uint32_t step = i / s->table.source_count;
        if (step >= source->columns)
            break;
        if (i > 0)
            add(s->out, ",");
        add_full_column(s->w, source, (column * 7 + step) % source->columns, s->out);
        s->edges++;
    }
}

static void write_columns(struct writing *s)
{
    for (uint32_t c = 0; c < s->table.columns && (s->most == 0 || s->edges < s->most); c++) {
        uint32_t width = width_of(s->w, s->table.number, c);
        add(s->out, c > 0 ? ",{\"target\":" : "{\"target\":");
        add_full_column(s->w, &s->table, c, s->out);
        add(s->out, ",\"ordinal\":");
        buf_add_number(s->out, c);
        add(s->out, width == 1 ? ",\"transform\":\"identity\",\"sources\":[" : ",\"transform\":\"transformation\",\"sources\":[");
        write_sources(s, c, width);
        add(s->out, "],\"expression\":\"");
        warehouse_column(s->w, &s->sources[c % s->table.source_count], c * 7 % s->sources[c % s->table.source_count].columns, s->out);
        add(s->out, width == 1 ? "\"}" : " + x\"}");
    }
}

static void write_predicates(struct writing *s)
{
    for (uint32_t k = 0; k < s->table.source_count && s->most == 0; k++) {
        add(s->out, k > 0 ? ",{\"clause\":\"" : "{\"clause\":\"");
        add(s->out, k > 0 ? "join" : "filter");
        add(s->out, "\",\"expression\":\"k = 1\",\"sources\":[");
        add_full_column(s->w, &s->sources[k], 0, s->out);
        add(s->out, "]}");
        s->edges++;
    }
}

static void write_names(struct writing *s)
{
    for (uint32_t k = 0; k < s->table.source_count; k++) {
        add(s->out, k > 0 ? ",\"" : "\"");
        warehouse_name(s->w, s->sources[k].number, s->out);
        add(s->out, "\"");
    }
}

uint32_t warehouse_statement(const struct warehouse *w, uint32_t number, uint32_t most, struct buf *out)
{
    char fingerprint[80];
    struct writing s = {.w = w, .table = warehouse_table(w, number), .out = out, .most = most};
    if (s.table.source_count == 0)
        return 0;
    for (uint32_t k = 0; k < s.table.source_count; k++)
        s.sources[k] = warehouse_table(w, s.table.sources[k]);
    snprintf(fingerprint, sizeof fingerprint, "%016llx%016llx", (unsigned long long)random_of(w, number, 50 + (w->variant << 8)), (unsigned long long)random_of(w, number, 51));
    add(out, "{\"index\":0,\"type\":\"INSERT\",\"span\":{\"start\":0,\"end\":100,\"line\":1,\"column\":1},\"database\":\"default\",\"fingerprint\":\"");
    add(out, fingerprint);
    add(out, "\",\"operation\":\"insert_overwrite\",\"inputs\":[");
    write_names(&s);
    add(out, "],\"outputs\":[{\"table\":\"");
    warehouse_name(w, number, out);
    add(out, "\",\"write_mode\":\"overwrite_partition\",\"partition\":{\"ds\":\"2026-01-01\"}}],\"columns\":[");
    write_columns(&s);
    add(out, "],\"predicates\":[");
    write_predicates(&s);
    add(out, "],\"views\":[],\"diagnostics\":[],\"error\":null}");
    return s.edges;
}

void warehouse_sql(const struct warehouse *w, uint32_t number, int64_t day, struct buf *out)
{
    struct table t = warehouse_table(w, number);
    add(out, "insert overwrite table ");
    warehouse_name(w, number, out);
    add(out, " partition (ds = '");
    buf_add_number(out, (uint64_t)day);
    add(out, "') select ");
    for (uint32_t c = 0; c < t.columns && c < 24; c++) {
        if (c > 0)
            add(out, ", ");
        add(out, "coalesce(a.");
        warehouse_column(w, &t, c, out);
        add(out, ", 0) as ");
        warehouse_column(w, &t, c, out);
    }
    for (uint32_t k = 0; k < t.source_count; k++) {
        add(out, k == 0 ? " from " : " join ");
        warehouse_name(w, t.sources[k], out);
        add(out, k == 0 ? " a" : " b on a.k = b.k");
    }
    add(out, " where a.ds = '");
    buf_add_number(out, (uint64_t)day);
    add(out, "'");
}

void warehouse_catalog(const struct warehouse *w, uint32_t number, struct buf *out)
{
    struct table t = warehouse_table(w, number);
    add(out, "{\"version\":1,\"tables\":[{\"name\":\"");
    warehouse_name(w, number, out);
    add(out, "\",\"kind\":\"table\",\"comment\":\"");
    add(out, comments[random_of(w, number, 5) % COMMENTS]);
    buf_add_number(out, number);
    add(out, "\",\"columns\":[");
    for (uint32_t c = 0; c < t.columns; c++) {
        add(out, c > 0 ? ",{\"name\":\"" : "{\"name\":\"");
        warehouse_column(w, &t, c, out);
        add(out, "\",\"type\":\"bigint\"}");
    }
    add(out, "]}]}");
}

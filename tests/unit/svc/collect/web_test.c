/* svc/collect/web_json.h, web_pace.h and web_known.h: pages as texts, one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/web_known.h"
#include "collect/web_pace.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_text(str_t got, const char *expected)
{
    assert_int_equal(got.len, strlen(expected));
    assert_memory_equal(got.ptr, expected, got.len);
}

static struct web_page read_page(struct arena *arena, const char *text, const struct zone *zone)
{
    struct web_page page;
    const char *message = "";
    if (!web_page_read(str_make(text, strlen(text)), zone, arena, &page, &message))
        fail_msg("%s", message);
    return page;
}

#define ID(last) "\"query_id\":\"4D4F5A1C2B3E9F01:8a7b6c5d0000000" #last "\""
#define START "\"start_time\":\"2026-03-15 14:22:33.004\","

/* Every field, in a zone; the epoch is no end; the oldest first, then what is in flight. */
static void list(void **state)
{
    (void)state;
    const char *reason;
    struct arena arena;
    struct zone *zone = zone_open(STR("America/Los_Angeles"), NULL, &reason);
    arena_init(&arena, 0, NULL);
    struct web_page page = read_page(
        &arena,
        "{\"__common__\":{},\"in_flight_queries\":[{" ID(
            1) "," START "\"end_time\":\"1969-12-31 "
               "16:00:00.000\",\"duration\":\"1s000ms\",\"state\":\"FINISHED\","
               "\"stmt\":\"select 1\\n...\",\"waiting\":true}],\"completed_queries\":[{" ID(
                   2) "," START "\"effective_user\":\"etl@X\",\"default_db\":\"sales\",\"stmt\":"
                      "\"insert\",\"stmt_type\":"
                      "\"DML\",\"end_time\":\"2026-03-15 "
                      "14:22:35.619\",\"duration\":\"2s615ms\",\"state\":"
                      "\"EXCEPTION\"},{" ID(3) "},{\"query_id\":\"7\"},7]}",
        zone);
    assert_int_equal(page.count, 3);
    assert_int_equal(page.completed, 2);
    assert_int_equal(page.unreadable, 2);
    assert_int_equal(web_page_span(&page), 0); /* the oldest one's end is not known */
    expect_text(page.queries[0].id_text, "4d4f5a1c2b3e9f01:8a7b6c5d00000003");
    assert_int_equal(page.queries[0].start_ms, 0);
    assert_int_equal(page.queries[0].duration_ms, -1);
    const struct web_query *ended = &page.queries[1], *runs = &page.queries[2];
    expect_text(ended->user, "etl@X");
    expect_text(ended->database, "sales");
    expect_text(ended->sql, "insert");
    expect_text(ended->type, "DML");
    expect_text(ended->state, "EXCEPTION");
    assert_int_equal(ended->start_ms, 1773609753004);
    assert_int_equal(ended->end_ms, 1773609755619);
    assert_int_equal(ended->duration_ms, 2615);
    assert_true(ended->completed && !ended->cut && !ended->waiting);
    assert_true(!runs->completed && runs->cut && runs->waiting);
    assert_int_equal(runs->end_ms, 0);
    assert_int_equal(runs->duration_ms, -1);
    arena_release(&arena);
    zone_free(zone);
}

/* The text up to a minute; beyond that it is rounded, and the times tell better. */
static void durations(void **state)
{
    (void)state;
    static const struct {
        const char *printed;
        int64_t ms;
    } cases[] = {{"0", 0},         {"500.000ns", 0},  {"812.000us", 1},    {"45.210ms", 45},
                 {"45ms", 45},     {"1s045ms", 1045}, {"59s999ms", 59999}, {"2m13s", 2615},
                 {"30h12m", 2615}, {"1h", 2615},      {"-5000ns", 2615},   {"", 2615},
                 {"soon", 2615}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct arena arena;
        arena_init(&arena, 0, NULL);
        snprintf(text, sizeof text,
                 "{\"in_flight_queries\":[],\"completed_queries\":[{" ID(
                     1) "," START "\"end_time\":\"2026-03-15 14:22:35.619\",\"duration\":\"%s\"}]}",
                 cases[i].printed);
        assert_int_equal(read_page(&arena, text, NULL).queries[0].duration_ms, cases[i].ms);
        arena_release(&arena);
    }
}

static void other_answers(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "<html>",
                                      "{",
                                      "[]",
                                      "{\"completed_queries\":[]}",
                                      "{\"completed_queries\":[],\"in_flight_queries\":{}}",
                                      "{\"completed_queries\":[{\"query_id\":\"4d4f"};
    struct arena arena;
    arena_init(&arena, 0, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct web_page page;
        const char *message = NULL;
        assert_false(
            web_page_read(str_make(bad[i], strlen(bad[i])), NULL, &arena, &page, &message));
        assert_non_null(message);
    }
    expect_text(read_page(&arena, "{\"error\":\"not ready\"}", NULL).error, "not ready");
    struct web_text text;
    const char *message;
    assert_true(
        web_text_read(STR("{\"stmt\":\"select\\n1\",\"status\":\"OK\"}"), &arena, &text, &message));
    expect_text(text.sql, "select\n1");
    expect_text(text.status, "OK");
    assert_false(web_text_read(STR("[]"), &arena, &text, &message));
    arena_release(&arena);
}

/* ---- pace ---------------------------------------------------------------------------------- */

static int64_t pace_after(struct web_pace *pace, size_t fresh, size_t listed, int64_t since_ms)
{
    web_pace_good(pace, &(struct web_turnover){fresh, listed, fresh > 0, since_ms});
    return pace->wait_ms;
}

static void pace(void **state)
{
    (void)state;
    struct web_pace p;
    web_pace_init(&p, 3000);
    assert_int_equal(pace_after(&p, 200, 200, 0), 3000); /* the first page is all new */
    assert_int_equal(pace_after(&p, 20, 200, 3000), 3000);
    assert_int_equal(pace_after(&p, 100, 200, 3000), 1500);
    assert_int_equal(pace_after(&p, 200, 200, 1500), 375);
    assert_int_equal(pace_after(&p, 200, 200, 375), 250); /* never more often */
    assert_int_equal(pace_after(&p, 0, 200, 250), 500);   /* slowly back */
    assert_int_equal(pace_after(&p, 0, 200, 500), 1000);
    for (unsigned i = 0; i < 3; i++)
        pace_after(&p, 0, 200, 1000);
    assert_int_equal(p.wait_ms, 6000); /* nothing happens */
    assert_int_equal(pace_after(&p, 1, 200, 6000), 3000);
    p.asked_us = 2000000; /* an answer of two seconds: a fifth of the time at most */
    assert_int_equal(pace_after(&p, 150, 200, 3000), 10000);
    assert_true(p.held_back);
    assert_int_equal(pace_after(&p, 1, 200, 10000), 3000);
    assert_false(p.held_back);
}

static void pace_after_failures(void **state)
{
    (void)state;
    static const int64_t waits[] = {3000, 6000, 12000, 24000, 48000, 48000};
    struct web_pace p;
    web_pace_init(&p, 3000);
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        web_pace_failed(&p);
        assert_int_equal(p.wait_ms, waits[i]);
    }
    assert_int_equal(pace_after(&p, 0, 200, 48000), 3000);
}

/* ---- what is known ------------------------------------------------------------------------- */

struct book {
    int64_t now;
    struct clock clock;
    struct checkpoint *checkpoint;
    struct web_knowledge knowledge;
    struct web_query queries[8];
};

static void open_book(struct book *book)
{
    book->now = 1000;
    book->clock = clock_manual(&book->now);
    book->checkpoint = checkpoint_open("/nonexistent/positions.json", &book->clock);
    assert_true(web_knowledge_open(&book->knowledge, book->checkpoint, "w", "u"));
}

static void close_book(struct book *book)
{
    web_knowledge_close(&book->knowledge);
    checkpoint_close(book->checkpoint);
}

/* A page of the ids in the text: those before the `|` are completed. */
static struct web_change look(struct book *book, const char *ids)
{
    struct web_page page = {.queries = book->queries};
    struct web_change change;
    bool completed = true;
    for (; *ids != '\0'; ids++) {
        if (*ids == '|') {
            completed = false;
            continue;
        }
        book->queries[page.count++] =
            (struct web_query){.id = {1, (uint64_t)*ids}, .completed = completed};
        page.completed += completed;
    }
    assert_true(web_knowledge_match(&book->knowledge, &page, &change));
    return change;
}

static void expect_change(struct web_change change, size_t fresh, size_t common, size_t vanished,
                          bool any)
{
    assert_int_equal(change.fresh, fresh);
    assert_int_equal(change.common, common);
    assert_int_equal(change.vanished, vanished);
    assert_int_equal(change.any, any);
}

static struct web_known *known(struct book *book, char id)
{
    return web_knowledge_find(&book->knowledge, (struct id128){1, (uint64_t)id});
}

static uint64_t give(struct book *book, char id, unsigned what)
{
    uint64_t cookie = book->knowledge.next_cookie;
    assert_true(web_knowledge_room(&book->knowledge));
    web_knowledge_gave(&book->knowledge, known(book, id), what);
    return cookie;
}

static void pages(void **state)
{
    (void)state;
    struct book book;
    open_book(&book);
    expect_change(look(&book, "ab|cd"), 2, 0, 0, true);
    expect_change(look(&book, "ab|cd"), 0, 2, 0, false);
    expect_change(look(&book, "bc|d"), 1, 1, 0, true);
    assert_null(known(&book, 'a'));
    expect_change(look(&book, "c|"), 0, 1, 1, true); /* d was missed */
    expect_change(look(&book, "c|"), 0, 1, 0, false);
    expect_change(look(&book, "efg|"), 3, 0, 0, true);
    close_book(&book);
}

/* An entry lasts until its query has left the page and nothing of it is on its way. */
static void acknowledgements(void **state)
{
    (void)state;
    struct book book;
    open_book(&book);
    look(&book, "a|b");
    uint64_t a = give(&book, 'a', WEB_GAVE_END | WEB_GAVE_TEXT),
             b = give(&book, 'b', WEB_GAVE_START);
    assert_int_equal(book.checkpoint->count, 0);
    web_knowledge_acked(&book.knowledge, b);
    assert_int_equal(book.checkpoint->count, 1);
    look(&book, "b|");
    assert_non_null(known(&book, 'a'));
    web_knowledge_acked(&book.knowledge, a);
    web_knowledge_acked(&book.knowledge, 77);
    assert_int_equal(book.checkpoint->count, 2);
    look(&book, "b|");
    assert_null(known(&book, 'a'));
    assert_int_equal(book.checkpoint->count, 1);

    /* Another start: what was acknowledged is known. */
    give(&book, 'b', WEB_GAVE_END);
    web_knowledge_close(&book.knowledge);
    assert_true(web_knowledge_open(&book.knowledge, book.checkpoint, "w", "u"));
    assert_int_equal(known(&book, 'b')->given, WEB_GAVE_START);
    expect_change(look(&book, "b|"), 1, 0, 0, true);
    close_book(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list),
        cmocka_unit_test(durations),
        cmocka_unit_test(other_answers),
        cmocka_unit_test(pace),
        cmocka_unit_test(pace_after_failures),
        cmocka_unit_test(pages),
        cmocka_unit_test(acknowledgements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

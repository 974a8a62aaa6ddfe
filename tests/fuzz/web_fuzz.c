/*
 * Any bytes are a page of queries, or a statement, or are refused with a reason; what was read of
 * pages, one after the other, keeps the books in order.
 */
#include "collect/web_known.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

static void match(struct web_knowledge *knowledge, const struct web_page *page)
{
    struct web_change change;
    check(web_knowledge_match(knowledge, page, &change));
    check(change.fresh + change.common <= page->completed);
    for (size_t i = 0; i < page->count; i++) {
        struct web_known *known = web_knowledge_find(knowledge, page->queries[i].id);
        check(known != NULL && known->listed && web_knowledge_room(knowledge));
        if (known->given == 0)
            web_knowledge_gave(knowledge, known, WEB_GAVE_START);
    }
    while (knowledge->record_count > 0)
        web_knowledge_acked(knowledge, knowledge->records[0].cookie);
}

/* The page, then as if time had gone on: its first half gone. */
static void read_page(str_t text, struct arena *arena)
{
    int64_t now = 1;
    const char *message = NULL;
    struct web_page page;
    struct web_knowledge knowledge;
    if (!web_page_read(text, NULL, arena, &page, &message)) {
        check(message != NULL);
        return;
    }
    struct clock clock = clock_manual(&now);
    struct checkpoint *checkpoint = checkpoint_open("/nonexistent/positions.json", &clock);
    check(checkpoint != NULL && web_knowledge_open(&knowledge, checkpoint, "w", "u"));
    match(&knowledge, &page);
    page.queries += page.completed / 2;
    page.count -= page.completed / 2;
    page.completed -= page.completed / 2;
    match(&knowledge, &page);
    web_knowledge_close(&knowledge);
    checkpoint_close(checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct web_text text;
    const char *message = NULL;
    arena_init(&arena, 0, NULL);
    read_page(str_make((const char *)data, size), &arena);
    check(web_text_read(str_make((const char *)data, size), &arena, &text, &message) ||
          message != NULL);
    arena_release(&arena);
    return 0;
}

/* The three answers about the process itself. */
#include "run/health.h"

bool health_add(struct health *health, const char *name,
                bool (*check)(void *context, struct buf *wrong), void *context)
{
    if (health->count == HEALTH_CHECKS_MAX)
        return false;
    health->checks[health->count++] = (struct health_check){name, check, context};
    return true;
}

static void answer_metrics(void *context, const struct http_request *request,
                           struct http_answer *answer)
{
    struct health *health = context;
    (void)request;
    answer->content_type = "text/plain; version=0.0.4; charset=utf-8";
    metrics_write(health->metrics, &answer->body);
}

static void answer_alive(void *context, const struct http_request *request,
                         struct http_answer *answer)
{
    (void)context;
    (void)request;
    BUF_ADD(&answer->body, "ok\n");
}

static bool add_check(const struct health_check *check, struct buf *out)
{
    struct buf wrong;
    buf_init(&wrong, 0);
    bool well = check->check(check->context, &wrong);
    if (well)
        BUF_ADD(out, "ok ");
    buf_add(out, str_make(check->name, strlen(check->name)));
    if (!well) {
        BUF_ADD(out, ": ");
        buf_add(out, buf_str(&wrong));
    }
    buf_add_char(out, '\n');
    buf_release(&wrong);
    return well;
}

static void answer_ready(void *context, const struct http_request *request,
                         struct http_answer *answer)
{
    const struct health *health = context;
    bool ready = true;
    (void)request;
    for (size_t i = 0; i < health->count; i++)
        ready = add_check(&health->checks[i], &answer->body) && ready;
    if (health->count == 0)
        BUF_ADD(&answer->body, "ok\n");
    if (!ready)
        answer->status = 503;
}

void health_routes(struct health *health, struct http_route *routes)
{
    routes[0] =
        (struct http_route){.path = "/metrics", .handle = answer_metrics, .context = health};
    routes[1] = (struct http_route){
        .path = "/healthz", .handle = answer_alive, .context = health, .open = true};
    routes[2] = (struct http_route){
        .path = "/readyz", .handle = answer_ready, .context = health, .open = true};
}

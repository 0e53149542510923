/* A load generator for servers of the JMinesweeper protocol: epoll, one thread.
 *
 * Every connection plays the same script: the prologue once, then the cycle
 * over and over.  A step is one send and the number of whole replies that must
 * have come back before the next step.  Replies are found by parsing type and
 * length, so a server that answers too much, too little or something else is
 * an error and not a good figure.
 *
 *   loadgen HOST PORT CONNECTIONS WARMUP_S DURATION_S PROLOGUE CYCLE
 *
 * A script is `HEX:REPLIES,HEX:REPLIES,...`.  A step may end in `@OFFSET`: the
 * four bytes there become the connection's number, for what must differ between
 * connections, such as a player's key.  Prints one JSON object.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STEPS = 4096, READ_SIZE = 256 * 1024, HEADER = 5, EVENTS = 256 };
enum { SCREEN_CONTENT = 9, SCREEN_PATCH = 13 };

struct step {
    uint8_t *bytes;
    size_t size;
    unsigned replies;
    long stamp_at;          /* where the connection's number goes; -1: nowhere */
};

struct script {
    struct step steps[MAX_STEPS];
    unsigned count;
};

struct connection {
    int fd;
    uint32_t number;
    unsigned next;          /* index of the next step, prologue first */
    unsigned awaited;       /* replies still to come for the last step */
    int is_answered;
    unsigned header_size;   /* header bytes seen of the current reply */
    uint8_t header[HEADER];
    uint32_t payload_left;
    uint64_t sent_ns;
};

static struct script prologue, cycle;
static uint8_t scratch[READ_SIZE];
static uint64_t replies, reply_bytes;
static unsigned unanswered;     /* connections that have not been answered once */
static uint32_t *latencies_ns;
static uint64_t latency_count, latency_room;
static uint64_t measured_from_ns;  /* 0: not yet, or no longer */

static void die(const char *what)
{
    fprintf(stderr, "loadgen: %s: %s\n", what, errno ? strerror(errno) : "protocol");
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void parse_step(struct step *step, const char *text)
{
    const char *colon = strchr(text, ':');
    if (!colon || (colon - text) % 2)
        die("bad script");
    step->size = (size_t)(colon - text) / 2;
    step->bytes = malloc(step->size + 1);
    for (size_t i = 0; i < step->size; i++)
        if (sscanf(text + 2 * i, "%2hhx", &step->bytes[i]) != 1)
            die("bad hex in script");
    step->replies = (unsigned)atoi(colon + 1);
    const char *at = strchr(colon, '@');
    step->stamp_at = at ? atol(at + 1) : -1;
    if (at && (size_t)step->stamp_at + sizeof(uint32_t) > step->size)
        die("bad offset in script");
}

static void parse_script(struct script *script, char *text)
{
    for (char *part = strtok(text, ","); part; part = strtok(NULL, ",")) {
        if (script->count == MAX_STEPS)
            die("script too long");
        parse_step(&script->steps[script->count++], part);
    }
}

static const struct step *next_step(struct connection *c)
{
    if (c->next < prologue.count)
        return &prologue.steps[c->next];
    return &cycle.steps[(c->next - prologue.count) % cycle.count];
}

static void send_step(struct connection *c)
{
    const struct step *step = next_step(c);
    c->next++;
    if (c->next == prologue.count + cycle.count)
        c->next = prologue.count;
    c->awaited = step->replies;
    if (step->stamp_at >= 0)
        memcpy(step->bytes + step->stamp_at, &c->number, sizeof c->number);
    c->sent_ns = now_ns();
    if (send(c->fd, step->bytes, step->size, MSG_NOSIGNAL) != (ssize_t)step->size)
        die("send");
}

static void note_latency(uint64_t ns)
{
    if (latency_count == latency_room) {
        latency_room = latency_room ? latency_room * 2 : 1 << 20;
        latencies_ns = realloc(latencies_ns, latency_room * sizeof *latencies_ns);
        if (!latencies_ns)
            die("realloc");
    }
    latencies_ns[latency_count++] = ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

static void end_reply(struct connection *c)
{
    c->header_size = 0;
    if (!c->awaited) {
        errno = 0;
        die("more replies than requests");
    }
    c->awaited--;
    unanswered -= !c->is_answered;
    c->is_answered = 1;
    if (measured_from_ns)
        replies++;
    if (c->awaited)
        return;
    /* What was sent before the measured time waited for the parent, too. */
    if (measured_from_ns && c->sent_ns >= measured_from_ns)
        note_latency(now_ns() - c->sent_ns);
    send_step(c);
}

static void start_payload(struct connection *c)
{
    if (c->header[0] != SCREEN_CONTENT && c->header[0] != SCREEN_PATCH) {
        errno = 0;
        die("a reply that is not a screen");
    }
    uint32_t length;
    memcpy(&length, c->header + 1, sizeof length);
    c->payload_left = ntohl(length);
}

static void digest(struct connection *c, const uint8_t *bytes, size_t size)
{
    while (size) {
        if (c->header_size < HEADER) {
            c->header[c->header_size++] = *bytes++;
            size--;
            if (c->header_size < HEADER)
                continue;
            start_payload(c);
        }
        size_t part = size < c->payload_left ? size : c->payload_left;
        c->payload_left -= (uint32_t)part;
        bytes += part;
        size -= part;
        if (!c->payload_left)
            end_reply(c);
    }
}

static void on_readable(struct connection *c)
{
    ssize_t size = recv(c->fd, scratch, sizeof scratch, 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0) {
        errno = size ? errno : ECONNRESET;
        die("recv");
    }
    if (measured_from_ns)
        reply_bytes += (uint64_t)size;
    digest(c, scratch, (size_t)size);
}

static void open_connection(struct connection *c, const struct sockaddr_in *to)
{
    int on = 1;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0)
        die("socket");
    if (connect(c->fd, (const struct sockaddr *)to, sizeof *to))
        die("connect");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double percentile_us(double share)
{
    if (!latency_count)
        return 0;
    uint64_t at = (uint64_t)(share * (double)(latency_count - 1));
    return latencies_ns[at] / 1e3;
}

static void report(uint64_t elapsed_ns)
{
    qsort(latencies_ns, latency_count, sizeof *latencies_ns, by_value);
    printf("{\"replies\": %llu, \"seconds\": %.6f, \"reply_bytes\": %llu, "
           "\"round_trips\": %llu, \"p50_us\": %.1f, \"p99_us\": %.1f}\n",
           (unsigned long long)replies, (double)elapsed_ns / 1e9,
           (unsigned long long)reply_bytes, (unsigned long long)latency_count,
           percentile_us(0.50), percentile_us(0.99));
}

static void run(int epoll, uint64_t until_ns)
{
    struct epoll_event events[EVENTS];
    while (unanswered || now_ns() < until_ns) {
        int ready = epoll_wait(epoll, events, EVENTS, 100);
        if (ready < 0 && errno != EINTR)
            die("epoll_wait");
        for (int i = 0; i < ready; i++)
            on_readable(events[i].data.ptr);
    }
}

/* The parent samples the server's CPU time exactly when measuring starts and
 * ends: each is announced by a line, the start waits for a line from it. */
static void handshake(const char *word)
{
    char line[16];
    printf("%s\n", word);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        die("parent went away");
}

int main(int argc, char **argv)
{
    if (argc != 8) {
        fprintf(stderr, "usage: loadgen HOST PORT CONNECTIONS WARMUP_S DURATION_S "
                        "PROLOGUE CYCLE\n");
        return 2;
    }
    unsigned count = (unsigned)atoi(argv[3]);
    uint64_t warmup_ns = (uint64_t)(atof(argv[4]) * 1e9);
    uint64_t duration_ns = (uint64_t)(atof(argv[5]) * 1e9);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    inet_pton(AF_INET, argv[1], &to.sin_addr);
    parse_script(&prologue, argv[6]);
    parse_script(&cycle, argv[7]);

    int epoll = epoll_create1(0);
    struct connection *connections = calloc(count, sizeof *connections);
    for (unsigned i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
        connections[i].number = i;
        open_connection(&connections[i], &to);
        epoll_ctl(epoll, EPOLL_CTL_ADD, connections[i].fd, &event);
    }
    handshake("connected");
    if (!cycle.count)
        return 0;
    unanswered = count;
    for (unsigned i = 0; i < count; i++)
        send_step(&connections[i]);
    run(epoll, now_ns() + warmup_ns);
    handshake("warm");
    measured_from_ns = now_ns();
    run(epoll, measured_from_ns + duration_ns);
    uint64_t elapsed_ns = now_ns() - measured_from_ns;
    measured_from_ns = 0;
    handshake("done");
    report(elapsed_ns);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer, as an ordinary test: first each file
 * of the corpus folders named on the command line, then a fixed number of
 * inputs made from a fixed seed, random or mutated from the corpus.  A crash
 * names the input; "-n NUMBER" runs that one alone, "-w FILE" writes it.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_INPUTS 20000
#define INPUT_MAX 4096
#define RANDOM_MAX 256
#define CORPUS_MAX 512
#define NAME_MAX_BYTES 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    uint8_t data[INPUT_MAX];
    size_t len;
};

struct options {
    long only; /* -1 = all */
    const char *write_to;
};

static struct input corpus[CORPUS_MAX];
static size_t n_corpus;

/* What the signal handler prints. */
static char current[NAME_MAX_BYTES + 64];

/* splitmix64: one stream for each input, so that one can be made alone. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t draw_below(uint64_t *state, size_t n)
{
    return (size_t)(draw(state) % n);
}

static void on_crash(int sig)
{
    /* Nothing can be done about a failed write in here. */
    if (write(STDERR_FILENO, current, strlen(current)) < 0)
        _exit(1);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void run_input(const struct input *in)
{
    /* Of the exact size, for the address sanitizer to see reads beyond it. */
    uint8_t *copy = malloc(in->len ? in->len : 1);

    if (!copy)
        abort();
    memcpy(copy, in->data, in->len);
    LLVMFuzzerTestOneInput(copy, in->len);
    free(copy);
}

static int read_input(const char *path, struct input *out)
{
    FILE *f = fopen(path, "rb");

    if (!f)
        return -1;
    out->len = fread(out->data, 1, sizeof(out->data), f);
    fclose(f);
    return 0;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* Files in the order of their names: the inputs derived must not depend on the
 * file system.  A folder that does not exist has no files. */
static void load_corpus(const char *dir)
{
    struct dirent **names = NULL;
    int n = scandir(dir, &names, is_visible, alphasort);

    for (int i = 0; i < n; i++) {
        char path[NAME_MAX_BYTES];
        int len = snprintf(path, sizeof(path), "%s/%s", dir, names[i]->d_name);

        free(names[i]);
        if (len < 0 || (size_t)len >= sizeof(path) || n_corpus == CORPUS_MAX ||
            read_input(path, &corpus[n_corpus]))
            continue;
        snprintf(current, sizeof(current), "crashed on %s\n", path);
        run_input(&corpus[n_corpus]);
        n_corpus++;
    }
    free(names);
}

static void make_random(struct input *in, uint64_t *rng)
{
    /* Half of the inputs are printable: most targets read text. */
    int printable = draw(rng) & 1;

    in->len = draw_below(rng, RANDOM_MAX);
    for (size_t i = 0; i < in->len; i++)
        in->data[i] = (uint8_t)(printable ? ' ' + draw_below(rng, 95)
                                          : draw_below(rng, 256));
}

static void insert_bytes(struct input *in, size_t at, const uint8_t *bytes,
                         size_t n)
{
    if (n > INPUT_MAX - in->len)
        n = INPUT_MAX - in->len;
    memmove(in->data + at + n, in->data + at, in->len - at);
    memcpy(in->data + at, bytes, n);
    in->len += n;
}

static void remove_bytes(struct input *in, size_t at, size_t n)
{
    if (n > in->len - at)
        n = in->len - at;
    memmove(in->data + at, in->data + at + n, in->len - at - n);
    in->len -= n;
}

/* A piece of another file of the corpus goes in. */
static void splice(struct input *in, size_t at, uint64_t *rng)
{
    const struct input *other = &corpus[draw_below(rng, n_corpus)];
    size_t from = draw_below(rng, other->len + 1);
    size_t n = draw_below(rng, other->len - from + 1);

    insert_bytes(in, at, other->data + from, n);
}

static void mutate(struct input *in, uint64_t *rng)
{
    static const char marks[] = "'\"`$:;,.%=-+/*\\()[]{}<>&?#@!0123456789 \n";
    size_t at = draw_below(rng, in->len + 1);
    uint8_t byte = (uint8_t)draw_below(rng, 256);
    uint8_t mark = (uint8_t)marks[draw_below(rng, sizeof(marks) - 1)];

    switch (draw_below(rng, 5)) {
    case 0:
        if (at < in->len)
            in->data[at] = byte;
        break;
    case 1:
        insert_bytes(in, at, &byte, 1);
        break;
    case 2:
        insert_bytes(in, at, &mark, 1);
        break;
    case 3:
        remove_bytes(in, at, 1 + draw_below(rng, 8));
        break;
    case 4:
        splice(in, at, rng);
        break;
    default:
        break;
    }
}

static void make_input(struct input *in, long number)
{
    uint64_t rng = (uint64_t)number;
    size_t n_changes;

    if (!n_corpus || draw_below(&rng, 4) == 0) {
        make_random(in, &rng);
        return;
    }
    *in = corpus[draw_below(&rng, n_corpus)];
    n_changes = 1 + draw_below(&rng, 8);
    for (size_t i = 0; i < n_changes; i++)
        mutate(in, &rng);
}

static void run_number(long number, const char *write_to)
{
    static struct input in;
    FILE *f = NULL;

    make_input(&in, number);
    if (write_to)
        f = fopen(write_to, "wb");
    if (f) {
        fwrite(in.data, 1, in.len, f);
        fclose(f);
    }
    snprintf(current, sizeof(current), "crashed on input -n %ld\n", number);
    run_input(&in);
}

static int parse_options(int argc, char **argv, struct options *out)
{
    int c;

    while ((c = getopt(argc, argv, "n:w:")) != -1) {
        if (c == 'n')
            out->only = strtol(optarg, NULL, 10);
        else if (c == 'w')
            out->write_to = optarg;
        else
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct options opts = {.only = -1};

    if (parse_options(argc, argv, &opts)) {
        fprintf(stderr, "usage: %s [-n NUMBER [-w FILE]] CORPUS...\n", argv[0]);
        return 2;
    }
    signal(SIGABRT, on_crash);
    signal(SIGSEGV, on_crash);
    for (int i = optind; i < argc; i++)
        load_corpus(argv[i]);
    if (opts.only >= 0) {
        run_number(opts.only, opts.write_to);
        return 0;
    }
    for (long i = 0; i < N_INPUTS; i++)
        run_number(i, NULL);
    printf("%zu corpus files and %d inputs\n", n_corpus, N_INPUTS);
    return 0;
}

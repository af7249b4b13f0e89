/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/opt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NS_PER_S INT64_C(1000000000)

struct cfg {
    uint64_t vus, memory_bytes;
    int64_t ramp_up_ns;
    double max_failed;
    bool prepare, quiet;
    int home;
    const char *name, *password, *internal;
    struct opt_strs labels;
};

static const char *const homes[] = {"fixed", "spread", NULL};

static const struct opt load_opts[] = {
    OPT_CHOICE(struct cfg, home, "home", 0, "fixed", homes, "fixed|spread",
               "whether a virtual user stays with one warehouse"),
    OPT_STRS(struct cfg, labels, "label", 0, "K=V", "a label of the run"),
    OPT_SHARE(struct cfg, max_failed, "max-failed", 0, "0", "SHARE",
              "how many transactions may fail"),
    {
        .name = "ramp-up",
        .type = OPT_TYPE_DURATION,
        .offset = offsetof(struct cfg, ramp_up_ns),
        .arg = "TIME",
        .help = "discard what happens in the first TIME",
        .def = "10s",
        .max = 3600 * (uint64_t)NS_PER_S,
    },
    OPT_U64(struct cfg, vus, "vus", 'u', "4", 1, 100000, "N", "virtual users"),
    OPT_END,
};

static const struct opt other_opts[] = {
    {
        .name = "internal",
        .type = OPT_TYPE_STR,
        .offset = offsetof(struct cfg, internal),
        .help = "for tests only",
        .flags = OPT_HIDDEN,
    },
    OPT_BYTES(struct cfg, memory_bytes, "memory", 'm', "64MB", "SIZE",
              "memory of the cache"),
    OPT_STR(struct cfg, name, "name", 'n', NULL, "NAME", "name of the run"),
    {
        .name = "password",
        .type = OPT_TYPE_STR,
        .offset = offsetof(struct cfg, password),
        .arg = "TEXT",
        .help = "better put it into a file",
        .flags = OPT_SECRET,
    },
    OPT_BOOL(struct cfg, prepare, "prepare", 0, "on",
             "server-side prepared statements"),
    OPT_BOOL(struct cfg, quiet, "quiet", 'q', "off", "no progress lines"),
    OPT_END,
};

struct fixture {
    struct cfg cfg;
    struct opt_set set;
    struct err err;
    const char *args[2];
    size_t n_args;
};

static struct fixture f;

static int set_up(void **state)
{
    (void)state;
    memset(&f, 0, sizeof(f));
    opt_set_init(&f.set);
    opt_set_add(&f.set, "Load", load_opts, &f.cfg);
    opt_set_add(&f.set, "Other", other_opts, &f.cfg);
    opt_set_defaults(&f.set);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    opt_set_release(&f.set);
    return 0;
}

/* The words of one command line, ended by NULL. */
#define ARGV_MAX 8

static enum rc parse_argv(const char *const *words)
{
    char *argv[ARGV_MAX];
    int argc = 0;

    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    return opt_set_argv(&f.set, argc, argv, f.args, ARRAY_LEN(f.args),
                        &f.n_args, &f.err);
}

#define ARGV(...) parse_argv((const char *const[]){__VA_ARGS__, NULL})

static enum rc parse_config(const char *text)
{
    char path[] = "/tmp/t_opt.XXXXXX";
    const int fd = mkstemp(path);
    enum rc rc;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    rc = opt_set_config(&f.set, path, &f.err);
    unlink(path);
    /* Its name differs each time; tests compare what follows it. */
    if (strncmp(f.err.text, path, strlen(path)) == 0)
        memmove(f.err.text, f.err.text + strlen(path),
                strlen(f.err.text + strlen(path)) + 1);
    return rc;
}

static void defaults_fill_the_targets(void **state)
{
    (void)state;
    assert_int_equal(f.cfg.vus, 4);
    assert_int_equal(f.cfg.ramp_up_ns, 10 * NS_PER_S);
    assert_int_equal(f.cfg.memory_bytes, 64 << 20);
    assert_true(f.cfg.prepare);
    assert_false(f.cfg.quiet);
    assert_int_equal(f.cfg.home, 0);
    assert_null(f.cfg.name);
    assert_int_equal(f.cfg.labels.n, 0);
    assert_int_equal(opt_set_source(&f.set, "vus"), OPT_FROM_DEFAULT);
}

static void every_spelling_of_an_option_works(void **state)
{
    (void)state;
    assert_int_equal(ARGV("--vus", "5", "--ramp-up=1m"), RC_OK);
    assert_int_equal(f.cfg.vus, 5);
    assert_int_equal(f.cfg.ramp_up_ns, 60 * NS_PER_S);
    assert_int_equal(ARGV("-u", "6"), RC_OK);
    assert_int_equal(f.cfg.vus, 6);
    assert_int_equal(ARGV("-u7", "-m1GiB"), RC_OK);
    assert_int_equal(f.cfg.vus, 7);
    assert_int_equal(f.cfg.memory_bytes, 1 << 30);
    assert_int_equal(ARGV("-qu8", "--home", "spread"), RC_OK);
    assert_int_equal(f.cfg.vus, 8);
    assert_true(f.cfg.quiet);
    assert_int_equal(f.cfg.home, 1);
    assert_int_equal(ARGV("--max-failed", "5%", "-nx", "--name="), RC_OK);
    assert_true(f.cfg.max_failed == 0.05);
    assert_string_equal(f.cfg.name, "");
    assert_int_equal(opt_set_source(&f.set, "vus"), OPT_FROM_CLI);
}

static void switches_take_a_value_or_none(void **state)
{
    (void)state;
    assert_int_equal(ARGV("--quiet", "--no-prepare"), RC_OK);
    assert_true(f.cfg.quiet);
    assert_false(f.cfg.prepare);
    assert_int_equal(ARGV("--quiet", "off", "--prepare=yes"), RC_OK);
    assert_false(f.cfg.quiet);
    assert_true(f.cfg.prepare);
    assert_int_equal(ARGV("-q", "tpcc"), RC_OK);
    assert_true(f.cfg.quiet);
    assert_int_equal(f.n_args, 1);
    assert_string_equal(f.args[0], "tpcc");
}

static void what_is_no_option_is_an_argument(void **state)
{
    (void)state;
    assert_int_equal(ARGV("tpcc", "-u", "2", "-"), RC_OK);
    assert_int_equal(f.n_args, 2);
    assert_string_equal(f.args[0], "tpcc");
    assert_string_equal(f.args[1], "-");
    assert_int_equal(ARGV("--", "--vus", "-q"), RC_OK);
    assert_int_equal(f.n_args, 2);
    assert_string_equal(f.args[0], "--vus");
    assert_int_equal(ARGV("a", "b", "c"), RC_USAGE);
    assert_string_equal(f.err.text, "unexpected argument 'c'");
}

static void wrong_command_lines_say_what_is_right(void **state)
{
    static const struct {
        const char *words[3];
        const char *error;
    } cases[] = {
        {{"--vsu"}, "unknown option '--vsu'; did you mean '--vus'?"},
        {{"--rampup=5"},
         "unknown option '--rampup'; did you mean '--ramp-up'?"},
        {{"--bananas"}, "unknown option '--bananas'"},
        {{"--internals"}, "unknown option '--internals'"},
        {{"--no-vus"}, "unknown option '--no-vus'"},
        {{"--no-quiet=on"}, "--no-quiet takes no value"},
        {{"-z"}, "unknown option '-z'"},
        {{"-qz"}, "unknown option '-z'"},
        {{"--vus"}, "--vus needs a value N"},
        {{"-u"}, "--vus needs a value N"},
        {{"--vus", "--quiet"}, "--vus needs a value N"},
        {{"--internal"}, "--internal needs a value VALUE"},
        {{"--vus", "abc"}, "--vus: 'abc' is not a whole number"},
        {{"-u", "0"}, "--vus: 0 is not in 1..100000"},
        {{"--vus="}, "--vus: '' is not a whole number"},
        {{"--ramp-up", "2h"}, "--ramp-up: 2h is not in 0s..1h"},
        {{"--ramp-up", "x"},
         "--ramp-up: 'x' is not a time such as 90, 1.5s, 200ms or 1h30m"},
        {{"--home", "x"}, "--home: 'x' is none of fixed, spread"},
        {{"--home", "spred"},
         "--home: 'spred' is none of fixed, spread; did you mean 'spread'?"},
        {{"--quiet=maybe"}, "--quiet: 'maybe' is neither on nor off"},
        {{"--max-failed", "2"}, "--max-failed: 2 is not in 0..1 (0%..100%)"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        f.err = (struct err){0};
        assert_int_equal(parse_argv(cases[i].words), RC_USAGE);
        assert_string_equal(f.err.text, cases[i].error);
    }
}

static void the_environment_is_read(void **state)
{
    (void)state;
    setenv("DYNO_RAMP_UP", "3s", 1);
    setenv("DYNO_LABEL", "a=1, b=2", 1);
    setenv("DYNO_HOME", "", 1);
    setenv("DYNO_NO_SUCH_THING", "x", 1);
    assert_int_equal(opt_set_env(&f.set, &f.err), RC_OK);
    assert_int_equal(f.cfg.ramp_up_ns, 3 * NS_PER_S);
    assert_int_equal(f.cfg.labels.n, 1);
    assert_string_equal(f.cfg.labels.items[0], "a=1, b=2");
    assert_int_equal(opt_set_source(&f.set, "ramp-up"), OPT_FROM_ENV);
    assert_int_equal(opt_set_source(&f.set, "home"), OPT_FROM_DEFAULT);

    setenv("DYNO_RAMP_UP", "soon", 1);
    assert_int_equal(opt_set_env(&f.set, &f.err), RC_USAGE);
    assert_memory_equal(f.err.text, "DYNO_RAMP_UP: 'soon' is not", 27);
    unsetenv("DYNO_RAMP_UP");
    unsetenv("DYNO_LABEL");
    unsetenv("DYNO_HOME");
    unsetenv("DYNO_NO_SUCH_THING");
}

static void a_configuration_file_is_read(void **state)
{
    static const char *const texts[] = {
        "# all of it\nvus: 12\nramp_up: '5s'\nquiet: on\n"
        "name: \"null\"\nlabel: [a=1, \"b=2\"]\n",
        "{\"vus\": 12, \"ramp_up\": \"5s\", \"quiet\": true,"
        " \"name\": \"null\", \"label\": [\"a=1\", \"b=2\"]}",
        "---\nvus: 12\nramp_up: 5\nquiet: yes\nname: 'null'\n"
        "label:\n- a=1\n- b=2\n...\n",
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        if (i > 0) {
            tear_down(state);
            set_up(state);
        }
        assert_int_equal(parse_config(texts[i]), RC_OK);
        assert_int_equal(f.cfg.vus, 12);
        assert_int_equal(f.cfg.ramp_up_ns, 5 * NS_PER_S);
        assert_true(f.cfg.quiet);
        assert_string_equal(f.cfg.name, "null");
        assert_int_equal(f.cfg.labels.n, 2);
        assert_string_equal(f.cfg.labels.items[1], "b=2");
        assert_int_equal(opt_set_source(&f.set, "vus"), OPT_FROM_CONFIG);
        assert_int_equal(opt_set_source(&f.set, "home"), OPT_FROM_DEFAULT);
    }
}

static void an_empty_configuration_file_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(parse_config(""), RC_OK);
    assert_int_equal(parse_config("# later\n"), RC_OK);
    assert_int_equal(parse_config("---\n"), RC_OK);
    assert_int_equal(parse_config("{}\n"), RC_OK);
    assert_int_equal(parse_config("label: []\n"), RC_OK);
    assert_int_equal(f.cfg.vus, 4);
}

static void wrong_configuration_files_name_the_line(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"vus: 1\nramp-up: 5\n",
         ":2: unknown key 'ramp-up'; did you mean 'ramp_up'?"},
        {"\n\nwarehouses: 5\n", ":3: unknown key 'warehouses'"},
        {"vus: many\n", ":1: vus: 'many' is not a whole number"},
        {"ramp_up: 2h\n", ":1: ramp_up: 2h is not in 0s..1h"},
        {"label:\n- a\n- ~\n", ":3: 'label' has no value"},
        {"vus:\n", ":1: 'vus' has no value"},
        {"vus: null\n", ":1: 'vus' has no value"},
        {"vus: [1, 2]\n", ":1: 'vus' takes one value, not a list"},
        {"vus: {a: 1}\n", ":1: 'vus' takes plain values only"},
        {"label: [[a]]\n", ":1: 'label' takes plain values only"},
        {"name: &x a\ninternal: *x\n",
         ":2: 'internal' takes plain values only"},
        {"[a]: 1\n", ":1: a key must be a name"},
        {"vus: 1\nname: a\nvus: 2\n", ":3: 'vus' is there twice"},
        {"name: \"a\\0b\"\n", ":1: 'name' holds a NUL character"},
        {"- vus\n", ":1: expected one list of 'name: value'"},
        {"just text\n", ":1: expected one list of 'name: value'"},
        {"vus: 1\n---\nvus: 2\n", ":3: expected one list of 'name: value'"},
        {"vus: 'x\n", ":2: found unexpected end of stream"},
        {"vus: \xff\n", ":1: invalid leading UTF-8 octet"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        f.err = (struct err){0};
        assert_int_equal(parse_config(cases[i].text), RC_USAGE);
        assert_string_equal(f.err.text, cases[i].error);
    }
}

static void a_missing_configuration_file_is_named(void **state)
{
    (void)state;
    assert_int_equal(opt_set_config(&f.set, "/no/such.yaml", &f.err),
                     RC_NOT_FOUND);
    assert_string_equal(
        f.err.text, "cannot open '/no/such.yaml': No such file or directory");
}

static void the_stronger_source_wins_in_any_order(void **state)
{
    static const enum opt_source orders[][4] = {
        {OPT_FROM_DEFAULT, OPT_FROM_CONFIG, OPT_FROM_ENV, OPT_FROM_CLI},
        {OPT_FROM_CLI, OPT_FROM_ENV, OPT_FROM_CONFIG, OPT_FROM_DEFAULT},
        {OPT_FROM_ENV, OPT_FROM_CLI, OPT_FROM_DEFAULT, OPT_FROM_CONFIG},
    };
    static const char *const texts[] = {"10", "11", "12", "13"};

    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        tear_down(state);
        set_up(state);
        for (size_t k = 0; k < 4; k++) {
            const enum opt_source source = orders[i][k];

            assert_int_equal(
                opt_set_value(&f.set, "vus", texts[source], source, &f.err),
                RC_OK);
            assert_int_equal(
                opt_set_value(&f.set, "label", texts[source], source, &f.err),
                RC_OK);
        }
        assert_int_equal(f.cfg.vus, 13);
        assert_int_equal(f.cfg.labels.n, 1);
        assert_string_equal(f.cfg.labels.items[0], "13");
        assert_int_equal(opt_set_source(&f.set, "vus"), OPT_FROM_CLI);
    }
}

static void a_hidden_mistake_is_found_too(void **state)
{
    (void)state;
    assert_int_equal(ARGV("--vus", "5"), RC_OK);
    assert_int_equal(parse_config("vus: x\n"), RC_USAGE);
    assert_int_equal(f.cfg.vus, 5);
}

static void repeated_options_add_up_to_a_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPT_STRS_MAX; i++)
        assert_int_equal(ARGV("--label", "x"), RC_OK);
    assert_int_equal(f.cfg.labels.n, OPT_STRS_MAX);
    assert_int_equal(ARGV("--label", "x"), RC_USAGE);
    assert_string_equal(f.err.text, "--label: more than 64 values");
}

static void setting_by_name_knows_its_names(void **state)
{
    (void)state;
    assert_int_equal(opt_set_value(&f.set, "nope", "1", OPT_FROM_CLI, &f.err),
                     RC_USAGE);
    assert_string_equal(f.err.text, "unknown option '--nope'");
    assert_int_equal(opt_set_value(&f.set, "vus", "0", OPT_FROM_CLI, &f.err),
                     RC_USAGE);
    assert_string_equal(f.err.text, "--vus: 0 is not in 1..100000");
}

static void help_is_two_columns_of_eighty(void **state)
{
    static const char want[] =
        "Load:\n"
        "      --home fixed|spread     whether a virtual user stays with one "
        "warehouse\n"
        "                              [fixed]\n"
        "      --label K=V             a label of the run (repeatable)\n"
        "      --max-failed SHARE      how many transactions may fail [0]\n"
        "      --ramp-up TIME          discard what happens in the first TIME "
        "[10s]\n"
        "  -u, --vus N                 virtual users [4]\n"
        "\n"
        "Other:\n"
        "  -m, --memory SIZE           memory of the cache [64MB]\n"
        "  -n, --name NAME             name of the run\n"
        "      --password TEXT         better put it into a file\n"
        "      --[no-]prepare          server-side prepared statements [on]\n"
        "  -q, --quiet                 no progress lines\n";
    char got[4096] = {0};
    FILE *out = fmemopen(got, sizeof(got), "w");

    (void)state;
    assert_non_null(out);
    opt_set_help(&f.set, out);
    fclose(out);
    assert_string_equal(got, want);
    for (const char *p = got; *p; p = strchr(p, '\n') + 1)
        assert_true(strcspn(p, "\n") <= 80);
}

static void long_names_have_a_line_of_their_own(void **state)
{
    static const char *const names[] = {"one", "two", NULL};
    static const struct opt opts[] = {
        OPT_CHOICE(struct cfg, home, "transaction-isolation", 'i', "one", names,
                   "LEVEL", "what may be seen"),
        OPT_END,
    };
    char got[1024] = {0};
    FILE *out = fmemopen(got, sizeof(got), "w");
    struct opt_set set;
    struct cfg cfg = {0};

    (void)state;
    assert_non_null(out);
    opt_set_init(&set);
    opt_set_add(&set, NULL, opts, &cfg);
    opt_set_help(&set, out);
    fclose(out);
    assert_string_equal(got,
                        "  -i, --transaction-isolation LEVEL\n"
                        "                              what may be seen: one, "
                        "two [one]\n");
    opt_set_release(&set);
}

static void print_row(void *arg, const struct opt *opt, const char *value,
                      const char *source)
{
    fprintf(arg, "%s=%s (%s)\n", opt->name, value ? value : "NULL", source);
}

static void each_value_is_reported_and_secrets_are_not(void **state)
{
    static const char want[] = "home=fixed (default)\n"
                               "label=a=1, b=2 (command line)\n"
                               "max-failed=0 (default)\n"
                               "ramp-up=90 (config)\n"
                               "vus=7 (environment)\n"
                               "internal=NULL (default)\n"
                               "memory=64MB (default)\n"
                               "name=NULL (default)\n"
                               "password=*** (command line)\n"
                               "prepare=off (command line)\n"
                               "quiet=on (config)\n";
    char got[1024] = {0};
    FILE *out = fmemopen(got, sizeof(got), "w");

    (void)state;
    assert_non_null(out);
    assert_int_equal(ARGV("--label", "a=1", "--label", "b=2", "--no-prepare",
                          "--password=hunter2"),
                     RC_OK);
    assert_int_equal(opt_set_value(&f.set, "vus", "7", OPT_FROM_ENV, NULL),
                     RC_OK);
    assert_int_equal(parse_config("ramp_up: 90\nquiet: true\n"), RC_OK);
    opt_set_each(&f.set, print_row, out);
    fclose(out);
    assert_string_equal(got, want);
    assert_string_equal(f.cfg.password, "hunter2");
}

static void values_outlive_what_they_came_from(void **state)
{
    char word[] = "--name=first";
    char *argv[] = {word};

    (void)state;
    assert_int_equal(opt_set_argv(&f.set, 1, argv, NULL, 0, &f.n_args, NULL),
                     RC_OK);
    memset(word, 'x', sizeof(word) - 1);
    assert_string_equal(f.cfg.name, "first");
}

/* Each allocation in turn fails until none is left to fail. */
static void running_out_of_memory_is_reported(void **state)
{
    enum rc rc = RC_NOMEM;
    uint64_t n;

    (void)state;
    for (n = 1; rc && n < 100; n++) {
        opt_set_release(&f.set);
        mem_fail_nth(n);
        rc = parse_config("vus: 5\nlabel: [a, b]\nname: x\n");
        mem_fail_nth(0);
        assert_true(rc == RC_OK || rc == RC_NOMEM);
    }
    assert_int_equal(rc, RC_OK);
    assert_true(n > 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(defaults_fill_the_targets),
        TEST(every_spelling_of_an_option_works),
        TEST(switches_take_a_value_or_none),
        TEST(what_is_no_option_is_an_argument),
        TEST(wrong_command_lines_say_what_is_right),
        TEST(the_environment_is_read),
        TEST(a_configuration_file_is_read),
        TEST(an_empty_configuration_file_changes_nothing),
        TEST(wrong_configuration_files_name_the_line),
        TEST(a_missing_configuration_file_is_named),
        TEST(the_stronger_source_wins_in_any_order),
        TEST(a_hidden_mistake_is_found_too),
        TEST(repeated_options_add_up_to_a_limit),
        TEST(setting_by_name_knows_its_names),
        TEST(help_is_two_columns_of_eighty),
        TEST(long_names_have_a_line_of_their_own),
        TEST(each_value_is_reported_and_secrets_are_not),
        TEST(values_outlive_what_they_came_from),
        TEST(running_out_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

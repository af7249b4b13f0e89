/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/text.h"

#include <string.h>

enum {
    ALNUM = 62,
    ALNUM_PAIRS = ALNUM * ALNUM,
    /* 62^10 < 2^60, so ten characters of one draw leave a bias below 2^-4 of
     * one part in 62^10 for the whole, and far less for any few of them. */
    PAIRS_PER_DRAW = 5,
    DIGIT_PAIRS = 100,
};

#define PAIR(a, b) \
    {              \
        (a), (b)   \
    }
#define PAIRS(a)                                                              \
    PAIR(a, 'A'), PAIR(a, 'B'), PAIR(a, 'C'), PAIR(a, 'D'), PAIR(a, 'E'),     \
        PAIR(a, 'F'), PAIR(a, 'G'), PAIR(a, 'H'), PAIR(a, 'I'), PAIR(a, 'J'), \
        PAIR(a, 'K'), PAIR(a, 'L'), PAIR(a, 'M'), PAIR(a, 'N'), PAIR(a, 'O'), \
        PAIR(a, 'P'), PAIR(a, 'Q'), PAIR(a, 'R'), PAIR(a, 'S'), PAIR(a, 'T'), \
        PAIR(a, 'U'), PAIR(a, 'V'), PAIR(a, 'W'), PAIR(a, 'X'), PAIR(a, 'Y'), \
        PAIR(a, 'Z'), PAIR(a, 'a'), PAIR(a, 'b'), PAIR(a, 'c'), PAIR(a, 'd'), \
        PAIR(a, 'e'), PAIR(a, 'f'), PAIR(a, 'g'), PAIR(a, 'h'), PAIR(a, 'i'), \
        PAIR(a, 'j'), PAIR(a, 'k'), PAIR(a, 'l'), PAIR(a, 'm'), PAIR(a, 'n'), \
        PAIR(a, 'o'), PAIR(a, 'p'), PAIR(a, 'q'), PAIR(a, 'r'), PAIR(a, 's'), \
        PAIR(a, 't'), PAIR(a, 'u'), PAIR(a, 'v'), PAIR(a, 'w'), PAIR(a, 'x'), \
        PAIR(a, 'y'), PAIR(a, 'z'), DIGITS(a)
#define DIGITS(a)                                                         \
    PAIR(a, '0'), PAIR(a, '1'), PAIR(a, '2'), PAIR(a, '3'), PAIR(a, '4'), \
        PAIR(a, '5'), PAIR(a, '6'), PAIR(a, '7'), PAIR(a, '8'), PAIR(a, '9')

/* 7.5 KiB: half the multiplications of a table of single characters. */
static const char alnum_pairs[ALNUM_PAIRS][2] = {
    PAIRS('A'), PAIRS('B'), PAIRS('C'), PAIRS('D'), PAIRS('E'), PAIRS('F'),
    PAIRS('G'), PAIRS('H'), PAIRS('I'), PAIRS('J'), PAIRS('K'), PAIRS('L'),
    PAIRS('M'), PAIRS('N'), PAIRS('O'), PAIRS('P'), PAIRS('Q'), PAIRS('R'),
    PAIRS('S'), PAIRS('T'), PAIRS('U'), PAIRS('V'), PAIRS('W'), PAIRS('X'),
    PAIRS('Y'), PAIRS('Z'), PAIRS('a'), PAIRS('b'), PAIRS('c'), PAIRS('d'),
    PAIRS('e'), PAIRS('f'), PAIRS('g'), PAIRS('h'), PAIRS('i'), PAIRS('j'),
    PAIRS('k'), PAIRS('l'), PAIRS('m'), PAIRS('n'), PAIRS('o'), PAIRS('p'),
    PAIRS('q'), PAIRS('r'), PAIRS('s'), PAIRS('t'), PAIRS('u'), PAIRS('v'),
    PAIRS('w'), PAIRS('x'), PAIRS('y'), PAIRS('z'), PAIRS('0'), PAIRS('1'),
    PAIRS('2'), PAIRS('3'), PAIRS('4'), PAIRS('5'), PAIRS('6'), PAIRS('7'),
    PAIRS('8'), PAIRS('9'),
};

static const char digit_pairs[DIGIT_PAIRS][2] = {
    DIGITS('0'), DIGITS('1'), DIGITS('2'), DIGITS('3'), DIGITS('4'),
    DIGITS('5'), DIGITS('6'), DIGITS('7'), DIGITS('8'), DIGITS('9'),
};

/* Takes a number below n out of the fraction *bits / 2^64; what is left of
 * the fraction serves the next. */
static inline uint64_t take(uint64_t *bits, uint64_t n)
{
    __extension__ typedef unsigned __int128 u128;
    const u128 product = (u128)*bits * n;

    *bits = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

char *text_alnum(struct rng *r, char *out, size_t len)
{
    for (size_t i = 0; i < len; i += 2 * PAIRS_PER_DRAW) {
        uint64_t bits = rng_next(r);

        for (size_t k = 0; k < PAIRS_PER_DRAW; k++)
            memcpy(out + i + 2 * k, alnum_pairs[take(&bits, ALNUM_PAIRS)], 2);
    }
    return out + len;
}

char *text_alnum_range(struct rng *r, char *out, size_t min, size_t max)
{
    return text_alnum(r, out, min + (size_t)rng_below(r, max - min + 1));
}

char *text_digits(struct rng *r, char *out, size_t len)
{
    uint64_t bits = rng_next(r);

    for (size_t i = 0; i < len; i += 2)
        memcpy(out + i, digit_pairs[take(&bits, DIGIT_PAIRS)], 2);
    return out + len;
}

char *text_state(struct rng *r, char *out)
{
    uint64_t bits = rng_next(r);

    out[0] = (char)('A' + take(&bits, 26));
    out[1] = (char)('A' + take(&bits, 26));
    return out + 2;
}

char *text_zip(struct rng *r, char *out)
{
    memcpy(text_digits(r, out, 4), "11111", 5);
    return out + 9;
}

char *text_data(struct rng *r, char *out, size_t min, size_t max)
{
    static const char original[] = "ORIGINAL";
    const size_t n = sizeof(original) - 1;
    char *end = text_alnum_range(r, out, min, max);

    if (rng_below(r, 10) == 0) {
        const size_t places = (size_t)(end - out) - n + 1;

        memcpy(out + rng_below(r, places), original, n);
    }
    return end;
}

/* SPDX-License-Identifier: MIT */
/*
 * Included before everything else of src/workload/tpcc/input.c where that is
 * compiled for dyno_faulty: what it calls is then the faulty one.
 */
#ifndef FAULTS_FAULTS_H
#define FAULTS_FAULTS_H

#include "workload/tpcc/nurand.h"

uint64_t faulty_nurand(struct rng *r, uint64_t a, uint64_t x, uint64_t y,
                       uint64_t c);
#define nurand(...) faulty_nurand(__VA_ARGS__)

#endif

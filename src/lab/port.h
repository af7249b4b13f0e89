/* SPDX-License-Identifier: MIT */
/* Ports of 127.0.0.1. */
#ifndef LAB_PORT_H
#define LAB_PORT_H

#include "base/base.h"

/* Nobody listens there now. */
bool port_is_free(uint64_t port);
/* One that nobody has now; 0: there is none. */
uint64_t port_find_free(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Where the other end of a connection is. */
#ifndef DRIVER_PEER_H
#define DRIVER_PEER_H

#include "base/base.h"

/*
 * Whether the other end of the socket is on this machine: a unix socket, or
 * TCP from an address to the same.  A forwarded port looks so as well.
 * False for what is no connected socket.
 */
bool peer_is_here(int fd);

#endif

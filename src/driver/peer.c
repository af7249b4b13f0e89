/* SPDX-License-Identifier: MIT */
#include "driver/peer.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage room;
};

bool peer_is_here(int fd)
{
    union address own = {.any = {.sa_family = AF_UNSPEC}};
    union address peer = own;
    socklen_t own_len = sizeof(own), peer_len = sizeof(peer);

    if (getsockname(fd, &own.any, &own_len) ||
        getpeername(fd, &peer.any, &peer_len) ||
        own.any.sa_family != peer.any.sa_family)
        return false;
    switch (own.any.sa_family) {
    case AF_UNIX:
        return true;
    case AF_INET:
        return own.v4.sin_addr.s_addr == peer.v4.sin_addr.s_addr;
    case AF_INET6:
        return memcmp(&own.v6.sin6_addr, &peer.v6.sin6_addr,
                      sizeof(own.v6.sin6_addr)) == 0;
    default:
        return false;
    }
}

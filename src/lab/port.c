/* SPDX-License-Identifier: MIT */
#include "lab/port.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* The port that could be bound; 0: none. */
static uint64_t bind_port(uint64_t port)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t len = sizeof(at);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    uint64_t got = 0;

    if (fd < 0)
        return 0;
    /* As the servers do: one that has just ended does not count. */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (const struct sockaddr *)&at, sizeof(at)) == 0 &&
        getsockname(fd, (struct sockaddr *)&at, &len) == 0)
        got = ntohs(at.sin_port);
    close(fd);
    return got;
}

bool port_is_free(uint64_t port)
{
    return bind_port(port) == port;
}

uint64_t port_find_free(void)
{
    return bind_port(0);
}

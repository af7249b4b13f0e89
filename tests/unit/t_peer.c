/* SPDX-License-Identifier: MIT */
#include "driver/peer.h"

#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void the_other_end_of_a_unix_socket_is_here(void **state)
{
    int fds[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    assert_true(peer_is_here(fds[0]));
    close(fds[0]);
    close(fds[1]);
}

static void tcp_to_the_own_address_is_here(void **state)
{
    struct sockaddr_in addr = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t len = sizeof(addr);
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    const int client = socket(AF_INET, SOCK_STREAM, 0);

    (void)state;
    assert_int_equal(bind(server, (struct sockaddr *)&addr, len), 0);
    assert_int_equal(listen(server, 1), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&addr, &len), 0);
    assert_int_equal(connect(client, (struct sockaddr *)&addr, len), 0);
    assert_true(peer_is_here(client));
    close(client);
    close(server);
}

/* 127.0.0.2 is this machine too, but another address, as another machine
 * would have. */
static void tcp_to_another_address_is_not(void **state)
{
    struct sockaddr_in from = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1),
    };
    struct sockaddr_in addr = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t len = sizeof(addr);
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    const int client = socket(AF_INET, SOCK_STREAM, 0);

    (void)state;
    assert_int_equal(bind(server, (struct sockaddr *)&addr, len), 0);
    assert_int_equal(listen(server, 1), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&addr, &len), 0);
    assert_int_equal(bind(client, (struct sockaddr *)&from, sizeof(from)), 0);
    assert_int_equal(connect(client, (struct sockaddr *)&addr, len), 0);
    assert_false(peer_is_here(client));
    close(client);
    close(server);
}

static void what_is_no_connection_is_nowhere(void **state)
{
    int fds[2];
    const int lone = socket(AF_INET, SOCK_STREAM, 0);

    (void)state;
    assert_false(peer_is_here(-1));
    assert_false(peer_is_here(lone));
    assert_int_equal(pipe(fds), 0);
    assert_false(peer_is_here(fds[0]));
    close(fds[0]);
    close(fds[1]);
    close(lone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_end_of_a_unix_socket_is_here),
        cmocka_unit_test(tcp_to_the_own_address_is_here),
        cmocka_unit_test(tcp_to_another_address_is_not),
        cmocka_unit_test(what_is_no_connection_is_nowhere),
    };

    return cmocka_run_group_tests_name("peer", tests, NULL, NULL);
}

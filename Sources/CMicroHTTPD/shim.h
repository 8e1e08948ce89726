/* GNU libmicrohttpd for Swift. This header wraps the functions with variable arguments, which Swift can't call. */
#ifndef FLIPTRANSITION_CMICROHTTPD_SHIM_H
#define FLIPTRANSITION_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <sys/socket.h>

/* Called with the target of a request as it was sent; what it returns stays with the request. */
typedef void *(*flip_mhd_begin)(void *context, const char *target, struct MHD_Connection *connection);

/* What one address takes. */
struct flip_mhd_limits {
    unsigned int connections;
    /* How long a client may leave an answer unread. */
    unsigned int seconds;
    /* The memory for the head of a request. */
    size_t memory;
};

/* Serves `address` in a thread of its own; `context` is passed to the callbacks. NULL if the address can't be used. */
static inline struct MHD_Daemon *flip_mhd_start(
    const struct sockaddr *address, struct flip_mhd_limits limits, void *context, flip_mhd_begin begin,
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback change) {
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handle, context,
        MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, complete, context, MHD_OPTION_NOTIFY_CONNECTION, change, context, MHD_OPTION_END);
}

static inline int flip_mhd_port(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

static inline int flip_mhd_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

#endif

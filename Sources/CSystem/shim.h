/* What the C library is told, and what a program that is linked statically has to do differently. */
#ifndef FLIPTRANSITION_CSYSTEM_SHIM_H
#define FLIPTRANSITION_CSYSTEM_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <nss.h>
#include <sys/auxv.h>
#endif

/* Whether the program is linked statically: no loader has loaded it. */
static inline int flip_is_static(void) {
#ifdef __GLIBC__
    return getauxval(AT_BASE) == 0;
#else
    return 0;
#endif
}

/* In a program that is linked statically, has glibc look up the names of users and hosts by its own code. What else
 * nsswitch.conf names are libraries of the system's glibc, which crash in a program with another one. */
static inline void flip_look_names_up_inside(void) {
#ifdef __GLIBC__
    if (!flip_is_static()) return;
    __nss_configure_lookup("passwd", "files");
    __nss_configure_lookup("group", "files");
    __nss_configure_lookup("hosts", "files dns");
    __nss_configure_lookup("services", "files");
#endif
}

/* Has glibc's malloc serve all threads from two arenas instead of up to eight for each core. An arena keeps most of what is freed
 * in it, so a long run takes less memory with few of them. To be called before the first thread starts. */
static inline void flip_share_arenas(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 2);
#endif
}

#endif

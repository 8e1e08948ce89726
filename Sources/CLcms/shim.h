/* Little CMS for Swift. This header wraps the macros that Swift's importer can't see. */
#ifndef FLIPTRANSITION_CLCMS_SHIM_H
#define FLIPTRANSITION_CLCMS_SHIM_H

#include <lcms2.h>

/* The layout of interleaved samples in native byte order: `components` for each pixel, of `bytes` bytes each. */
static inline cmsUInt32Number flip_lcms_format(int components, int bytes) {
    return CHANNELS_SH(components) | BYTES_SH(bytes);
}

#endif

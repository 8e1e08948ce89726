// The means of intervals, by the loops for AVX2 or NEON. See kernels.h and neon.h.

#ifndef FLIPTRANSITION_MEANS_H
#define FLIPTRANSITION_MEANS_H

#include "kernels.h"
#include "neon.h"

#if defined(__x86_64__) || defined(__aarch64__)

#if defined(__x86_64__)
#define FLIP_WIDE FLIP_AVX2
#else
#define FLIP_WIDE
#endif

/// `BoxFilter.defineMeans`.
FLIP_WIDE static inline void flip_means(
    const int16_t *samples, int64_t stride, int64_t step, int64_t *seen, int64_t *sample, int16_t *distances,
    const int16_t *moves, const int16_t *spacings, int64_t count, uint16_t *lines, int64_t line_stride)
{
    // The length of what blocks see changes steadily from the first one to the last.
    const int64_t now = seen[1] - seen[0], later = now + (seen[3] - seen[2]) * (count - 1);
    const int64_t most = ((now > later ? now : later) + UINT32_MAX) >> 32;
    const int64_t least = (now < later ? now : later) >> 32;
#define FLIP_MEANS(fixed)                                                                                               \
    flip_means_of(fixed, samples, stride, step, seen, distances, moves, spacings, count, lines, line_stride)
    if (most == 1)
        FLIP_MEANS(1);
    else if (most == 2 && least >= 1)
        FLIP_MEANS(2);
    else if (most == 3 && least >= 2)
        FLIP_MEANS(3);
    else
        FLIP_MEANS(0);
#undef FLIP_MEANS
    seen[0] += seen[2] * count;
    seen[1] += seen[3] * count;
    *sample = seen[0] >> 32;
}

#endif
#endif

// Means over windows of samples for processors with AVX2: the innermost loop of bent sheets. See kernels.h.

#ifndef FLIPTRANSITION_WINDOWS_H
#define FLIPTRANSITION_WINDOWS_H

#include <string.h>

#include "kernels.h"

#if defined(__x86_64__)

/// The samples of one window, multiplied by their weights and added up to eight partial sums.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_window(
    const uint8_t *start, int64_t stride, bool deep, int taps, __m256i most, __m128i narrowing, const int16_t *weights)
{
    __m256i sums = _mm256_setzero_si256();
    if (!deep && taps == 4) {
        int32_t rows[4];
        for (int row = 0; row < 4; row++) memcpy(&rows[row], start + row * stride, 4);
        __m256i samples = _mm256_cvtepu8_epi16(_mm_setr_epi32(rows[0], rows[1], rows[2], rows[3]));
        return _mm256_madd_epi16(samples, _mm256_loadu_si256((const __m256i *)weights));
    }
    if (!deep) {
        for (int row = 0; row < 8; row += 2) {
            __m128i upper = _mm_loadl_epi64((const __m128i *)(start + row * stride));
            __m128i lower = _mm_loadl_epi64((const __m128i *)(start + (row + 1) * stride));
            __m256i samples = _mm256_cvtepu8_epi16(_mm_unpacklo_epi64(upper, lower));
            __m256i parts = _mm256_madd_epi16(samples, _mm256_loadu_si256((const __m256i *)(weights + 8 * row)));
            sums = _mm256_add_epi32(sums, parts);
        }
        return sums;
    }
    int rows = taps == 4 ? 4 : 2;
    for (int row = 0; row < taps; row += rows) {
        const uint8_t *from = start + row * stride;
        __m128i upper, lower;
        if (taps == 4) {
            upper = _mm_unpacklo_epi64(
                _mm_loadl_epi64((const __m128i *)from), _mm_loadl_epi64((const __m128i *)(from + stride)));
            lower = _mm_unpacklo_epi64(
                _mm_loadl_epi64((const __m128i *)(from + 2 * stride)),
                _mm_loadl_epi64((const __m128i *)(from + 3 * stride)));
        } else {
            upper = _mm_loadu_si128((const __m128i *)from);
            lower = _mm_loadu_si128((const __m128i *)(from + stride));
        }
        __m256i samples = _mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1);
        samples = _mm256_srl_epi16(_mm256_min_epu16(samples, most), narrowing);
        __m256i parts = _mm256_madd_epi16(samples, _mm256_loadu_si256((const __m256i *)(weights + taps * row)));
        sums = _mm256_add_epi32(sums, parts);
    }
    return sums;
}

__attribute__((target("avx2"), always_inline)) static inline void flip_windows_of(
    const uint8_t *base, int64_t stride, bool deep, int taps, __m256i most, __m128i narrowing, int32_t shift,
    const int32_t *columns, const int32_t *rows, const int32_t *places, const int16_t *weights, int64_t count,
    uint16_t *line)
{
    const __m128i half = _mm_set1_epi32(1 << (shift - 1)), down = _mm_cvtsi32_si128(shift);
    for (int64_t next = 0; next < count; next += 4) {
        const int64_t index = next < count - 4 ? next : count - 4;
        __m256i sums[4];
#pragma clang loop unroll(full)
        for (int lane = 0; lane < 4; lane++) {
            const int64_t sample = index + lane;
            const uint8_t *start = base + rows[sample] * stride + columns[sample] * (deep ? 2 : 1);
            sums[lane] = flip_window(start, stride, deep, taps, most, narrowing, weights + places[sample]);
        }
        __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
        __m128i total = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        total = _mm_srl_epi32(_mm_add_epi32(total, half), down);
        _mm_storel_epi64((__m128i *)(line + index), _mm_packus_epi32(total, total));
    }
}

/// The means of `count` windows of 4 x 4 or 8 x 8 samples, as wide samples (WindowMeans.define), for four windows or
/// more; the last four may overlap those before.
FLIP_AVX2 static inline void flip_windows(
    const uint8_t *base, int64_t stride, bool deep, int32_t most, int32_t narrowing, int32_t shift,
    const int32_t *columns, const int32_t *rows, const int32_t *places, const int16_t *weights, int32_t taps,
    int64_t count, uint16_t *line)
{
    const __m256i limit = _mm256_set1_epi16((int16_t)most);
    const __m128i narrow = _mm_cvtsi32_si128(narrowing);
    // Constant kinds give loops without branches.
    if (!deep && taps == 4)
        flip_windows_of(base, stride, false, 4, limit, narrow, shift, columns, rows, places, weights, count, line);
    else if (!deep)
        flip_windows_of(base, stride, false, 8, limit, narrow, shift, columns, rows, places, weights, count, line);
    else if (taps == 4)
        flip_windows_of(base, stride, true, 4, limit, narrow, shift, columns, rows, places, weights, count, line);
    else
        flip_windows_of(base, stride, true, 8, limit, narrow, shift, columns, rows, places, weights, count, line);
}

#endif
#endif

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

/// Sets windows that begin at these phases (WindowPlaces.set).
__attribute__((target("avx2"), always_inline)) static inline void flip_set_windows(
    __m256i column, __m256i row, __m256i table, __m128i bits, __m128i size, __m256i mask, int64_t index, int32_t *columns,
    int32_t *rows, int32_t *places)
{
    _mm256_storeu_si256((__m256i *)(columns + index), _mm256_sra_epi32(column, bits));
    _mm256_storeu_si256((__m256i *)(rows + index), _mm256_sra_epi32(row, bits));
    __m256i phase = _mm256_sll_epi32(_mm256_and_si256(row, mask), bits);
    phase = _mm256_sll_epi32(_mm256_add_epi32(phase, _mm256_and_si256(column, mask)), size);
    _mm256_storeu_si256((__m256i *)(places + index), _mm256_add_epi32(table, phase));
}

/// The positions of eight windows on a line, rounded to phases.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_line_phases(
    __m256d numbers, double start, double step)
{
    const __m256d from = _mm256_set1_pd(start), way = _mm256_set1_pd(step), magnitude = _mm256_set1_pd(0x1p52);
    const __m256d low = _mm256_add_pd(_mm256_add_pd(from, _mm256_mul_pd(way, numbers)), magnitude);
    numbers = _mm256_add_pd(numbers, _mm256_set1_pd(4));
    const __m256d high = _mm256_add_pd(_mm256_add_pd(from, _mm256_mul_pd(way, numbers)), magnitude);
    const __m256 both = _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xD8);
}

/// `WindowPlaces.define`; what it sets beyond `count`, up to a multiple of eight, means nothing.
FLIP_AVX2 static inline void flip_place_windows(
    const double *start, const double *step, int32_t bits, int32_t size, int32_t table, int64_t count, int32_t *columns,
    int32_t *rows, int32_t *places)
{
    const __m128i by = _mm_cvtsi32_si128(bits), weights = _mm_cvtsi32_si128(size);
    const __m256i mask = _mm256_set1_epi32((1 << bits) - 1), from = _mm256_set1_epi32(table);
    __m256d numbers = _mm256_setr_pd(0, 1, 2, 3);
    for (int64_t index = 0; index < count; index += 8) {
        flip_set_windows(
            flip_line_phases(numbers, start[0], step[0]), flip_line_phases(numbers, start[1], step[1]), from, by, weights,
            mask, index, columns, rows, places);
        numbers = _mm256_add_pd(numbers, _mm256_set1_pd(8));
    }
}

/// The inputs of `CurvedPlaces.define`. Rows are values along a curl's lines: the phase before them, their own, and so on
/// are `stride` apart, and `part` and `bend` are the weights of the line and of the parabola between them.
struct flip_curved {
    const float *scales, *shifts, *x, *half_x, *half_y;
    const int32_t *tables;
    int64_t scale_stride, shift_stride;
    float scale_part, shift_part, shift_bend, y;
    float viewpoint[2], normal[2], low[2], high[2], window_scale[2], window_start[2], most[2];
    int32_t bits, size;
};

/// The positions of samples along one axis: on the page, and where their windows begin.
struct flip_positions {
    __m256 margin, window, phase;
};

__attribute__((target("avx2"), always_inline)) static inline struct flip_positions flip_position(
    const struct flip_curved *curved, int axis, __m256 from_view, __m256 scale, __m256 shift)
{
    const __m256 place = _mm256_add_ps(
        _mm256_add_ps(_mm256_set1_ps(curved->viewpoint[axis]), _mm256_mul_ps(from_view, scale)),
        _mm256_mul_ps(_mm256_set1_ps(curved->normal[axis]), shift));
    const __m256 window = _mm256_add_ps(
        _mm256_mul_ps(place, _mm256_set1_ps(curved->window_scale[axis])), _mm256_set1_ps(curved->window_start[axis]));
    struct flip_positions positions;
    positions.margin = _mm256_min_ps(
        _mm256_sub_ps(_mm256_set1_ps(curved->high[axis]), place), _mm256_sub_ps(place, _mm256_set1_ps(curved->low[axis])));
    positions.window = _mm256_min_ps(_mm256_sub_ps(_mm256_set1_ps(curved->most[axis]), window), window);
    // At this magnitude, the lowest bit of a float is worth 1.
    positions.phase = _mm256_add_ps(
        _mm256_mul_ps(window, _mm256_set1_ps((float)(1 << curved->bits))), _mm256_set1_ps(0x1p23f));
    return positions;
}

/// `CurvedPlaces.define`; it reads and sets numbers beyond `count`, up to a multiple of eight, which mean nothing.
FLIP_AVX2 static inline void flip_locate(
    const struct flip_curved *curved, int64_t count, float *inner, float *outer, int32_t *columns, int32_t *rows,
    int32_t *places)
{
    const __m128i bits = _mm_cvtsi32_si128(curved->bits), size = _mm_cvtsi32_si128(curved->size);
    const __m256i mask = _mm256_set1_epi32((1 << curved->bits) - 1), digits = _mm256_set1_epi32(0x7FFFFF);
    const __m256 scale_part = _mm256_set1_ps(curved->scale_part), shift_part = _mm256_set1_ps(curved->shift_part);
    const __m256 bend = _mm256_set1_ps(curved->shift_bend), y = _mm256_set1_ps(curved->y);
    for (int64_t index = 0; index < count; index += 8) {
        const float *scales = curved->scales + index, *shifts = curved->shifts + index;
        __m256 low = _mm256_loadu_ps(scales), high = _mm256_loadu_ps(scales + curved->scale_stride);
        const __m256 scale = _mm256_add_ps(low, _mm256_mul_ps(_mm256_sub_ps(high, low), scale_part));
        low = _mm256_loadu_ps(shifts), high = _mm256_loadu_ps(shifts + curved->shift_stride);
        const __m256 before = _mm256_sub_ps(_mm256_loadu_ps(shifts - curved->shift_stride), low);
        const __m256 after = _mm256_sub_ps(_mm256_loadu_ps(shifts + 2 * curved->shift_stride), high);
        const __m256 line = _mm256_add_ps(low, _mm256_mul_ps(_mm256_sub_ps(high, low), shift_part));
        const __m256 shift = _mm256_add_ps(line, _mm256_mul_ps(_mm256_add_ps(before, after), bend));
        const struct flip_positions across = flip_position(curved, 0, _mm256_loadu_ps(curved->x + index), scale, shift);
        const struct flip_positions down = flip_position(curved, 1, y, scale, shift);
        const __m256 half_x = _mm256_loadu_ps(curved->half_x + index), half_y = _mm256_loadu_ps(curved->half_y + index);
        const __m256 inside = _mm256_min_ps(_mm256_sub_ps(across.margin, half_x), _mm256_sub_ps(down.margin, half_y));
        _mm256_storeu_ps(inner + index, _mm256_min_ps(_mm256_min_ps(across.window, down.window), inside));
        _mm256_storeu_ps(
            outer + index, _mm256_min_ps(_mm256_add_ps(across.margin, half_x), _mm256_add_ps(down.margin, half_y)));
        flip_set_windows(
            _mm256_and_si256(_mm256_castps_si256(across.phase), digits),
            _mm256_and_si256(_mm256_castps_si256(down.phase), digits),
            _mm256_loadu_si256((const __m256i *)(curved->tables + index)), bits, size, mask, index, columns, rows, places);
    }
}

#endif
#endif

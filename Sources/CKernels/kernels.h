// The rasterizer's innermost loops for processors with AVX2; neon.h has those for 64-bit ARM. They are in C because Swift can't
// express byte shuffles, and because it uses wide registers only with compiler flags that keep other packages from depending on
// this one.
//
// Each function has a counterpart in Sources/FlipRaster/Pixels, which defines what it computes and is used on all other
// processors.

#ifndef FLIPTRANSITION_KERNELS_H
#define FLIPTRANSITION_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/// Prefetches memory that will be read soon.
static inline void flip_prefetch(const uint8_t *bytes, int64_t count)
{
    for (int64_t offset = 0; offset < count; offset += 64) __builtin_prefetch(bytes + offset);
}

#if defined(__x86_64__)
#include <immintrin.h>

/// Tells the processor that the calling loop only waits.
static inline void flip_pause(void) { _mm_pause(); }

#define FLIP_AVX2 __attribute__((target("avx2")))

/// Whether this machine has the instructions that the functions below use.
static inline bool flip_has_avx2(void) { return __builtin_cpu_supports("avx2"); }

/// Prepares samples for weighting: those of 16 bits are narrowed to 15, others are clamped to `most`, the maximum of
/// their depth.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_bound(
    __m256i samples, __m256i most, bool narrows)
{
    return narrows ? _mm256_srli_epi16(samples, 1) : _mm256_min_epu16(samples, most);
}

/// How samples are prepared for weighting: those of 8 bits need nothing.
enum { FLIP_BYTES, FLIP_CLAMPED, FLIP_NARROWED };

/// Weights the samples of two pairs of columns; the result has two sums of two samples for each column.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_weigh_pairs(
    const uint8_t *row, const int32_t *places, __m256i shuffle, __m256i weights, __m256i most, int kind)
{
    __m256i bytes = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(row + places[0]))),
        _mm_loadu_si128((const __m128i *)(row + places[1])), 1);
    bytes = _mm256_shuffle_epi8(bytes, shuffle);
    return _mm256_madd_epi16(kind == FLIP_BYTES ? bytes : flip_bound(bytes, most, kind == FLIP_NARROWED), weights);
}

__attribute__((target("avx2"), always_inline)) static inline void flip_average_prepared_pairs(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t pairs, __m256i most, int kind, int32_t shift, int16_t *averages)
{
    const __m128i down = _mm_cvtsi32_si128(shift);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (int64_t pair = 0; pair < pairs; pair += 4) {
        const int32_t *place = places + pair;
        __m256i shuffle = _mm256_loadu_si256((const __m256i *)(shuffles + 16 * pair));
        __m256i weight = _mm256_loadu_si256((const __m256i *)(weights + 8 * pair));
        __m256i first = flip_weigh_pairs(row, place, shuffle, weight, most, kind);
        __m256i first_next = flip_weigh_pairs(next, place, shuffle, weight, most, kind);
        shuffle = _mm256_loadu_si256((const __m256i *)(shuffles + 16 * pair + 32));
        weight = _mm256_loadu_si256((const __m256i *)(weights + 8 * pair + 16));
        __m256i second = flip_weigh_pairs(row, place + 2, shuffle, weight, most, kind);
        __m256i second_next = flip_weigh_pairs(next, place + 2, shuffle, weight, most, kind);
        // The horizontal addition yields the columns in the order 0 1 4 5 | 2 3 6 7. They are sorted when both rows'
        // averages are in one register.
        __m256i some_bias = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)(bias + 2 * pair)), 0xD8);
        __m256i sums = _mm256_sra_epi32(_mm256_add_epi32(_mm256_hadd_epi32(first, second), some_bias), down);
        __m256i next_sums =
            _mm256_sra_epi32(_mm256_add_epi32(_mm256_hadd_epi32(first_next, second_next), some_bias), down);
        __m256i both = _mm256_permutevar8x32_epi32(_mm256_packs_epi32(sums, next_sums), order);
        _mm_storeu_si128((__m128i *)(averages + 2 * pair), _mm256_castsi256_si128(both));
        _mm_storeu_si128((__m128i *)(averages + 2 * (pairs + pair)), _mm256_extracti128_si256(both, 1));
    }
}

/// `Averages.define` for columns with four taps, for two rows. `pairs` is a multiple of four.
FLIP_AVX2 static inline void flip_average_pairs(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t pairs, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const __m256i bound = _mm256_set1_epi16((int16_t)most);
    if (narrowing)
        flip_average_prepared_pairs(
            row, next, places, shuffles, weights, bias, pairs, bound, FLIP_NARROWED, shift, averages);
    else if (most > UINT8_MAX)
        flip_average_prepared_pairs(
            row, next, places, shuffles, weights, bias, pairs, bound, FLIP_CLAMPED, shift, averages);
    else
        flip_average_prepared_pairs(
            row, next, places, shuffles, weights, bias, pairs, bound, FLIP_BYTES, shift, averages);
}

/// Weights the samples of two groups of four columns: first two taps of each column, then the other two.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_weigh_quads(
    const uint8_t *row, const int32_t *places, const __m256i *shuffles, const __m256i *weights, __m256i most, int kind)
{
    const __m256i bytes = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(row + places[0]))),
        _mm_loadu_si128((const __m128i *)(row + places[1])), 1);
    __m256i first = _mm256_shuffle_epi8(bytes, shuffles[0]), second = _mm256_shuffle_epi8(bytes, shuffles[1]);
    if (kind != FLIP_BYTES) {
        first = flip_bound(first, most, kind == FLIP_NARROWED);
        second = flip_bound(second, most, kind == FLIP_NARROWED);
    }
    return _mm256_add_epi32(_mm256_madd_epi16(first, weights[0]), _mm256_madd_epi16(second, weights[1]));
}

__attribute__((target("avx2"), always_inline)) static inline void flip_average_prepared_quads(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t columns, __m256i most, int kind, int32_t shift, int16_t *averages)
{
    const __m128i down = _mm_cvtsi32_si128(shift);
    for (int64_t column = 0; column < columns; column += 8) {
        const __m256i *order = (const __m256i *)(shuffles + 8 * column);
        const __m256i *weight = (const __m256i *)(weights + 4 * column);
        const __m256i picked[2] = {_mm256_loadu_si256(order), _mm256_loadu_si256(order + 1)};
        const __m256i weighed[2] = {_mm256_loadu_si256(weight), _mm256_loadu_si256(weight + 1)};
        const __m256i some_bias = _mm256_loadu_si256((const __m256i *)(bias + column));
        const int32_t *place = places + column / 4;
        const __m256i sums = flip_weigh_quads(row, place, picked, weighed, most, kind);
        const __m256i next_sums = flip_weigh_quads(next, place, picked, weighed, most, kind);
        const __m256i both = _mm256_permute4x64_epi64(
            _mm256_packs_epi32(
                _mm256_sra_epi32(_mm256_add_epi32(sums, some_bias), down),
                _mm256_sra_epi32(_mm256_add_epi32(next_sums, some_bias), down)),
            0xD8);
        _mm_storeu_si128((__m128i *)(averages + column), _mm256_castsi256_si128(both));
        _mm_storeu_si128((__m128i *)(averages + columns + column), _mm256_extracti128_si256(both, 1));
    }
}

/// `Averages.define` for columns with four taps of which four columns each lie within 16 bytes, for two rows. `columns`
/// is a multiple of eight.
FLIP_AVX2 static inline void flip_average_quads(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t columns, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const __m256i bound = _mm256_set1_epi16((int16_t)most);
    if (narrowing)
        flip_average_prepared_quads(
            row, next, places, shuffles, weights, bias, columns, bound, FLIP_NARROWED, shift, averages);
    else if (most > UINT8_MAX)
        flip_average_prepared_quads(
            row, next, places, shuffles, weights, bias, columns, bound, FLIP_CLAMPED, shift, averages);
    else
        flip_average_prepared_quads(
            row, next, places, shuffles, weights, bias, columns, bound, FLIP_BYTES, shift, averages);
}

/// Loads sixteen samples of a row, from sample `index` on.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_load(
    const uint8_t *samples, int64_t index, bool wide, __m256i most, bool narrows)
{
    if (!wide) return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(samples + index)));
    return flip_bound(_mm256_loadu_si256((const __m256i *)(samples + 2 * index)), most, narrows);
}

/// The weighted sums of two columns with eight taps each, as four partial sums each.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_weigh_eights(
    const uint8_t *row, bool wide, const int32_t *starts, __m256i weights, __m256i most, bool narrows)
{
    const __m128i *first = (const __m128i *)(row + starts[0] * (wide ? 2 : 1));
    const __m128i *second = (const __m128i *)(row + starts[1] * (wide ? 2 : 1));
    const __m256i samples = wide
        ? flip_bound(_mm256_loadu2_m128i(second, first), most, narrows)
        : _mm256_cvtepu8_epi16(_mm_unpacklo_epi64(_mm_loadl_epi64(first), _mm_loadl_epi64(second)));
    return _mm256_madd_epi16(samples, weights);
}

__attribute__((target("avx2"), always_inline)) static inline void flip_average_prepared_eights(
    const uint8_t *row, bool wide, const int32_t *starts, const int16_t *weights, const int32_t *bias, int64_t columns,
    __m256i most, bool narrows, int32_t shift, int16_t *averages)
{
    const __m128i down = _mm_cvtsi32_si128(shift);
    for (int64_t column = 0; column < columns; column += 8) {
        __m256i sums[4];
#pragma clang loop unroll(full)
        for (int pair = 0; pair < 4; pair++) {
            const __m256i weight = _mm256_loadu_si256((const __m256i *)(weights + 8 * (column + 2 * pair)));
            sums[pair] = flip_weigh_eights(row, wide, starts + column + 2 * pair, weight, most, narrows);
        }
        // The even columns in the lower half, the odd ones in the upper half.
        const __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
        const __m128i even = _mm256_castsi256_si128(all), odd = _mm256_extracti128_si256(all, 1);
        const __m128i *start = (const __m128i *)(bias + column);
        const __m128i low = _mm_add_epi32(_mm_unpacklo_epi32(even, odd), _mm_loadu_si128(start));
        const __m128i high = _mm_add_epi32(_mm_unpackhi_epi32(even, odd), _mm_loadu_si128(start + 1));
        _mm_storeu_si128(
            (__m128i *)(averages + column), _mm_packs_epi32(_mm_sra_epi32(low, down), _mm_sra_epi32(high, down)));
    }
}

/// `Averages.define` for columns with eight taps, for two rows. `columns` is a multiple of eight.
FLIP_AVX2 static inline void flip_average_eights(
    const uint8_t *row, const uint8_t *next, bool wide, const int32_t *starts, const int16_t *weights, const int32_t *bias,
    int64_t columns, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const __m256i bound = _mm256_set1_epi16((int16_t)most);
    for (int line = 0; line < 2; line++) {
        const uint8_t *from = line ? next : row;
        int16_t *to = averages + line * columns;
        if (wide)
            flip_average_prepared_eights(
                from, true, starts, weights, bias, columns, bound, narrowing, shift, to);
        else
            flip_average_prepared_eights(from, false, starts, weights, bias, columns, bound, false, shift, to);
    }
}

/// The weighted sum of a column's taps, as eight partial sums.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_weigh_column(
    const uint8_t *samples, bool wide, const int16_t *weights, int64_t taps, __m256i most, bool narrows)
{
    __m256i sum = _mm256_setzero_si256();
    for (int64_t tap = 0; tap < taps; tap += 16) {
        __m256i some = flip_load(samples, tap, wide, most, narrows);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(some, _mm256_loadu_si256((const __m256i *)(weights + tap))));
    }
    return sum;
}

/// `Averages.define` for columns with a multiple of sixteen taps. `columns` is a multiple of four.
FLIP_AVX2 static inline void flip_average_columns(
    const uint8_t *row, bool wide, const int32_t *starts, const int16_t *weights, const int32_t *bias, int64_t columns,
    int64_t taps, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const __m128i down = _mm_cvtsi32_si128(shift);
    const __m256i bound = _mm256_set1_epi16((int16_t)most);
    const int64_t bytes = wide ? 2 : 1;
    for (int64_t column = 0; column < columns; column += 4) {
        const int32_t *start = starts + column;
        const int16_t *weight = weights + column * taps;
        __m256i first = _mm256_hadd_epi32(
            flip_weigh_column(row + start[0] * bytes, wide, weight, taps, bound, narrowing),
            flip_weigh_column(row + start[1] * bytes, wide, weight + taps, taps, bound, narrowing));
        __m256i second = _mm256_hadd_epi32(
            flip_weigh_column(row + start[2] * bytes, wide, weight + 2 * taps, taps, bound, narrowing),
            flip_weigh_column(row + start[3] * bytes, wide, weight + 3 * taps, taps, bound, narrowing));
        __m256i halves = _mm256_hadd_epi32(first, second);
        __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
        sums = _mm_sra_epi32(_mm_add_epi32(sums, _mm_loadu_si128((const __m128i *)(bias + column))), down);
        _mm_storel_epi64((__m128i *)(averages + column), _mm_packs_epi32(sums, sums));
    }
}

/// `Averages.defineSum` for sixteen samples or more; the last sixteen may overlap those before. Rows are taken two at a
/// time: interleaving their samples makes pairs, which one instruction weights and adds. Unpacking and packing work on
/// the same halves of a register, so the samples keep their order.
__attribute__((target("avx2"), always_inline)) static inline void flip_sum_bounded_rows(
    const uint8_t *const *rows, const int16_t *weights, int64_t pairs, bool wide, int32_t bias, __m256i most, bool narrows,
    int32_t shift, int64_t count, int16_t *averages)
{
    const __m128i down = _mm_cvtsi32_si128(shift);
    const __m256i start = _mm256_set1_epi32(bias);
    for (int64_t next = 0; next < count; next += 16) {
        const int64_t x = next < count - 16 ? next : count - 16;
        __m256i low = start, high = start;
        for (int64_t pair = 0; pair < pairs; pair++) {
            int32_t pair_weights;
            __builtin_memcpy(&pair_weights, weights + 2 * pair, sizeof pair_weights);
            const __m256i weight = _mm256_set1_epi32(pair_weights);
            const __m256i some = flip_load(rows[2 * pair], x, wide, most, narrows);
            const __m256i next = flip_load(rows[2 * pair + 1], x, wide, most, narrows);
            low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(some, next), weight));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(some, next), weight));
        }
        _mm256_storeu_si256(
            (__m256i *)(averages + x), _mm256_packs_epi32(_mm256_sra_epi32(low, down), _mm256_sra_epi32(high, down)));
    }
}

FLIP_AVX2 static inline void flip_sum_rows(
    const uint8_t *const *rows, const int16_t *weights, int64_t pairs, bool wide, int32_t bias, int32_t most,
    int32_t narrowing, int32_t shift, int64_t count, int16_t *averages)
{
    const __m256i bound = _mm256_set1_epi16((int16_t)most);
    if (!wide)
        flip_sum_bounded_rows(rows, weights, pairs, false, bias, bound, false, shift, count, averages);
    else if (narrowing)
        flip_sum_bounded_rows(rows, weights, pairs, true, bias, bound, true, shift, count, averages);
    else
        flip_sum_bounded_rows(rows, weights, pairs, true, bias, bound, false, shift, count, averages);
}

/// `Wide.shade` for 8 bits, for 32 samples or more; the last 32 may overlap those before.
FLIP_AVX2 static inline void flip_shade(
    const uint8_t *source, int64_t count, uint16_t keep, uint16_t tint, uint8_t *row)
{
    const __m256i none = _mm256_setzero_si256(), kept = _mm256_set1_epi16((int16_t)keep);
    const __m256i rest = _mm256_set1_epi16((int16_t)(tint + 128));
    for (int64_t next = 0; next < count; next += 32) {
        const int64_t x = next < count - 32 ? next : count - 32;
        const __m256i samples = _mm256_loadu_si256((const __m256i *)(source + x));
        __m256i low = _mm256_mulhi_epu16(_mm256_unpacklo_epi8(none, samples), kept);
        __m256i high = _mm256_mulhi_epu16(_mm256_unpackhi_epi8(none, samples), kept);
        low = _mm256_srli_epi16(_mm256_add_epi16(low, rest), 8);
        high = _mm256_srli_epi16(_mm256_add_epi16(high, rest), 8);
        _mm256_storeu_si256((__m256i *)(row + x), _mm256_packus_epi16(low, high));
    }
}

/// What the boundary between two samples adds to the mean of sixteen lanes.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_boundary(
    __m256i previous, __m256i next, __m256i distance)
{
    const __m256i none = _mm256_setzero_si256(), all = _mm256_set1_epi16(-4096);
    const __m256i weight = _mm256_slli_epi16(_mm256_min_epi16(_mm256_max_epi16(distance, all), none), 3);
    return _mm256_mulhrs_epi16(weight, _mm256_sub_epi16(next, previous));
}

/// `BoxFilter.mean` of one block of sixteen lanes with `boundaries` boundaries, or with `fixed`, of which the last one lies
/// after sample `boundaries`; 0 if their number isn't known at compile time.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_mean(
    int fixed, const int16_t *samples, int64_t stride, int64_t boundaries, __m256i distance, __m256i spacing)
{
    __m256i previous = _mm256_loadu_si256((const __m256i *)samples), sum = _mm256_setzero_si256();
    distance = _mm256_max_epi16(distance, _mm256_set1_epi16(-4096));
#pragma clang loop unroll(full)
    for (int boundary = 1; boundary <= fixed; boundary++) {
        const int64_t offset = (boundary < fixed ? boundary : boundaries) * stride;
        const __m256i next = _mm256_loadu_si256((const __m256i *)(samples + offset));
        sum = _mm256_adds_epi16(sum, flip_boundary(previous, next, distance));
        previous = next;
        distance = _mm256_sub_epi16(distance, spacing);
    }
    if (!fixed)
        for (int64_t boundary = 1; boundary <= boundaries; boundary++) {
            samples += stride;
            const __m256i next = _mm256_loadu_si256((const __m256i *)samples);
            sum = _mm256_adds_epi16(sum, flip_boundary(previous, next, distance));
            previous = next;
            distance = _mm256_sub_epi16(distance, spacing);
        }
    sum = _mm256_max_epi16(_mm256_adds_epi16(sum, previous), _mm256_setzero_si256());
    // `Averages.wide`.
    return _mm256_add_epi16(_mm256_slli_epi16(sum, 1), _mm256_srli_epi16(sum, 14));
}

/// `flip_means` for blocks with `fixed` boundaries or one less, if that is not 0. If a block has one less, it takes the sample
/// before the last boundary for the one after it, which changes nothing: this way there is no branch to mispredict.
__attribute__((target("avx2"), always_inline)) static inline void flip_means_of(
    int fixed, const int16_t *samples, int64_t stride, int64_t step, const int64_t *seen, int16_t *distances,
    const int16_t *moves, const int16_t *spacings, int64_t count, uint16_t *lines, int64_t line_stride)
{
    __m256i distance = _mm256_loadu_si256((const __m256i *)distances);
    const __m256i move = _mm256_loadu_si256((const __m256i *)moves);
    const __m256i spacing = _mm256_loadu_si256((const __m256i *)spacings);
    int64_t lower = seen[0], upper = seen[1], current = lower >> 32;
    const int64_t lower_step = seen[2], upper_step = seen[3];
    for (int64_t block = 0; block < count; block++) {
        const __m256i mean = flip_mean(fixed, samples, stride, (upper >> 32) - current, distance, spacing);
        _mm256_storeu_si256((__m256i *)lines, mean);
        lines += line_stride;
        lower += lower_step;
        upper += upper_step;
        const int64_t passed = (lower >> 32) - current;
        current += passed;
        samples += passed * stride + step;
        distance = _mm256_add_epi16(distance, move);
        distance = _mm256_sub_epi16(distance, _mm256_mullo_epi16(spacing, _mm256_set1_epi16((int16_t)passed)));
    }
    _mm256_storeu_si256((__m256i *)distances, distance);
}

#else

static inline void flip_pause(void)
{
#if defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
#endif

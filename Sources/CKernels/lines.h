// Loops over lines of wide samples for processors with AVX2. See kernels.h.

#ifndef FLIPTRANSITION_LINES_H
#define FLIPTRANSITION_LINES_H

#include "kernels.h"

#if defined(__x86_64__)

/// `Wide.store` for 32 samples or more; the last 32 may overlap those before. Samples of 16 bits are stored as they are.
FLIP_AVX2 static inline void flip_store(const uint16_t *line, int64_t count, int32_t depth, uint8_t *row)
{
    const int32_t shift = 16 - depth, rounding = (1 << shift) >> 1;
    const __m256i half = _mm256_set1_epi16((int16_t)rounding);
    const __m128i down = _mm_cvtsi32_si128(shift);
    for (int64_t next = 0; next < count; next += 32) {
        const int64_t x = next < count - 32 ? next : count - 32;
        __m256i first = _mm256_loadu_si256((const __m256i *)(line + x));
        __m256i second = _mm256_loadu_si256((const __m256i *)(line + x + 16));
        if (depth == 8) {
            first = _mm256_srli_epi16(_mm256_add_epi16(first, half), 8);
            second = _mm256_srli_epi16(_mm256_add_epi16(second, half), 8);
            const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xD8);
            _mm256_storeu_si256((__m256i *)(row + x), bytes);
        } else {
            // Where the sum would exceed 16 bits, it is the largest number instead: the result is the same.
            first = _mm256_srl_epi16(_mm256_adds_epu16(first, half), down);
            second = _mm256_srl_epi16(_mm256_adds_epu16(second, half), down);
            _mm256_storeu_si256((__m256i *)(row + 2 * x), first);
            _mm256_storeu_si256((__m256i *)(row + 2 * x + 32), second);
        }
    }
}

/// The products of sixteen samples and their weights: those of the lower four of each half of the line, and of the upper.
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_products(
    const uint16_t *line, __m256i weights, __m256i *high)
{
    const __m256i samples = _mm256_loadu_si256((const __m256i *)line);
    const __m256i lower = _mm256_mullo_epi16(samples, weights), upper = _mm256_mulhi_epu16(samples, weights);
    *high = _mm256_unpackhi_epi16(lower, upper);
    return _mm256_unpacklo_epi16(lower, upper);
}

/// Adds the products of neighboring samples and their weights, two for each number, to `count` numbers, a multiple of
/// eight (`SliceGroups.add`).
FLIP_AVX2 static inline void flip_add_pairs(
    const uint16_t *line, const uint16_t *weights, int64_t count, uint32_t *sums)
{
    for (int64_t x = 0; x < count; x += 8) {
        __m256i high;
        const __m256i weight = _mm256_loadu_si256((const __m256i *)(weights + 2 * x));
        const __m256i low = flip_products(line + 2 * x, weight, &high);
        // The halves of `low` and `high` are those of the same half of the line, so the sums are in order.
        const __m256i all = _mm256_hadd_epi32(low, high);
        const __m256i before = _mm256_loadu_si256((const __m256i *)(sums + x));
        _mm256_storeu_si256((__m256i *)(sums + x), _mm256_add_epi32(before, all));
    }
}

/// `Wide.accumulate` for a multiple of sixteen samples.
FLIP_AVX2 static inline void flip_accumulate(const uint16_t *line, uint16_t weight, int64_t count, uint32_t *sums)
{
    const __m256i weights = _mm256_set1_epi16((int16_t)weight);
    for (int64_t x = 0; x < count; x += 16) {
        __m256i high, *first = (__m256i *)(sums + x), *second = (__m256i *)(sums + x + 8);
        const __m256i low = flip_products(line + x, weights, &high);
        const __m256i start = _mm256_permute2x128_si256(low, high, 0x20), end = _mm256_permute2x128_si256(low, high, 0x31);
        _mm256_storeu_si256(first, _mm256_add_epi32(_mm256_loadu_si256(first), start));
        _mm256_storeu_si256(second, _mm256_add_epi32(_mm256_loadu_si256(second), end));
    }
}

/// `BoxFilter.exactMean` of sixteen lanes whose intervals start `since` slopes after `starts`.
FLIP_AVX2 static inline void flip_exact_means(
    const int16_t *samples, int64_t stride, int64_t boundaries, const double *starts, const double *lengths,
    const double *slopes, double since, double boundary, uint16_t *line)
{
    const __m256d none = _mm256_setzero_pd(), all = _mm256_set1_pd(-1), most = _mm256_set1_pd(32767);
    for (int lane = 0; lane < 16; lane += 4) {
        const __m256d length = _mm256_loadu_pd(lengths + lane);
        __m256d start = _mm256_add_pd(
            _mm256_loadu_pd(starts + lane), _mm256_mul_pd(_mm256_loadu_pd(slopes + lane), _mm256_set1_pd(since)));
        start = _mm256_div_pd(_mm256_sub_pd(start, _mm256_set1_pd(boundary)), length);
        const __m256d spacing = _mm256_div_pd(_mm256_set1_pd(1), length);
        const int16_t *here = samples + lane;
#define FLIP_SAMPLES(from) _mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(from)))
        __m256d mean = _mm256_cvtepi32_pd(FLIP_SAMPLES(here + boundaries * stride));
        __m128i previous = FLIP_SAMPLES(here);
        __m256d number = none;
        for (int64_t index = 0; index < boundaries; index++) {
            here += stride;
            const __m128i next = FLIP_SAMPLES(here);
            __m256d weight = _mm256_sub_pd(start, _mm256_mul_pd(number, spacing));
            weight = _mm256_min_pd(_mm256_max_pd(weight, all), none);
            mean = _mm256_add_pd(mean, _mm256_mul_pd(weight, _mm256_cvtepi32_pd(_mm_sub_epi32(next, previous))));
            previous = next;
            number = _mm256_add_pd(number, _mm256_set1_pd(1));
        }
#undef FLIP_SAMPLES
        const __m256d rise = _mm256_and_pd(_mm256_cmp_pd(mean, _mm256_set1_pd(16384), _CMP_GE_OQ), _mm256_set1_pd(1));
        mean = _mm256_mul_pd(_mm256_min_pd(_mm256_max_pd(mean, none), most), _mm256_set1_pd(2));
        const __m256d wide = _mm256_add_pd(_mm256_add_pd(mean, rise), _mm256_set1_pd(0.5));
        const __m128i whole = _mm256_cvttpd_epi32(wide);
        _mm_storel_epi64((__m128i *)(line + lane), _mm_packus_epi32(whole, whole));
    }
}

/// Rounds sixteen numbers to whole ones and takes their lowest 16 bits (`Wide.nearest`).
__attribute__((target("avx2"), always_inline)) static inline __m256i flip_nearest(const __m256d *numbers)
{
    __m256i halves[2];
    for (int half = 0; half < 2; half++) {
        const __m256d magnitude = _mm256_set1_pd(0x1.8p52);
        const __m256d low = _mm256_add_pd(numbers[2 * half], magnitude);
        const __m256d high = _mm256_add_pd(numbers[2 * half + 1], magnitude);
        const __m256 both = _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0x88);
        halves[half] = _mm256_and_si256(_mm256_castps_si256(both), _mm256_set1_epi32(0xFFFF));
    }
    // Pairs are in the order 0 2 1 3 of each half, and packing puts the halves' own halves in turn.
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm256_permutevar8x32_epi32(_mm256_packus_epi32(halves[0], halves[1]), order);
}

__attribute__((target("avx2"), always_inline)) static inline double flip_greatest(__m256d numbers)
{
    __m128d pair = _mm_max_pd(_mm256_castpd256_pd128(numbers), _mm256_extractf128_pd(numbers, 1));
    return _mm_cvtsd_f64(_mm_max_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

/// A number with 32 fractional bits.
static inline int64_t flip_fixed(double x)
{
    x = x < -65536 ? -65536 : x;
    return (int64_t)((x > 65536 ? 65536 : x) * 0x1p32);
}

/// What `ColumnLines.defineBlock` says of sixteen intervals, and the extremes by which it decides whether the block fits its
/// lanes: of distances, spacings, moves, lags, and the lengths of what is seen.
FLIP_AVX2 static inline void flip_rebase(
    const double *starts, const double *lengths, const double *slopes, double rows, double band, double longest_band,
    int64_t *seen, int64_t *sample, int16_t *distances, int16_t *moves, int16_t *spacings, int16_t *corrections,
    double *extremes)
{
    const __m256d sign = _mm256_set1_pd(-0.0), one = _mm256_set1_pd(4096);
    __m256d ends[4];
    for (int end = 0; end < 4; end++) ends[end] = _mm256_set1_pd(-__builtin_inf());
    for (int lane = 0; lane < 16; lane += 4) {
        const __m256d start = _mm256_loadu_pd(starts + lane);
        const __m256d upper = _mm256_add_pd(start, _mm256_loadu_pd(lengths + lane));
        const __m256d way = _mm256_mul_pd(_mm256_loadu_pd(slopes + lane), _mm256_set1_pd(rows));
        ends[0] = _mm256_max_pd(ends[0], _mm256_xor_pd(start, sign));
        ends[1] = _mm256_max_pd(ends[1], upper);
        ends[2] = _mm256_max_pd(ends[2], _mm256_xor_pd(_mm256_add_pd(start, way), sign));
        ends[3] = _mm256_max_pd(ends[3], _mm256_add_pd(upper, way));
    }
    const double now[2] = {-flip_greatest(ends[0]), flip_greatest(ends[1])};
    const double later[2] = {-flip_greatest(ends[2]), flip_greatest(ends[3])};
    for (int end = 0; end < 2; end++) {
        seen[end] = flip_fixed(now[end]);
        seen[2 + end] = flip_fixed((later[end] - now[end]) / rows);
    }
    *sample = seen[0] >> 32;
    const __m256d boundary = _mm256_set1_pd((double)(*sample + 1)), none = _mm256_setzero_pd();
    __m256d farthest = none, longest = none, fastest = none, worst = none, exact[4], speeds[4], scales[4];
    for (int part = 0; part < 4; part++) {
        scales[part] = _mm256_div_pd(one, _mm256_loadu_pd(lengths + 4 * part));
        exact[part] = _mm256_mul_pd(_mm256_sub_pd(_mm256_loadu_pd(starts + 4 * part), boundary), scales[part]);
        speeds[part] = _mm256_mul_pd(_mm256_loadu_pd(slopes + 4 * part), scales[part]);
        farthest = _mm256_max_pd(farthest, exact[part]);
        longest = _mm256_max_pd(longest, scales[part]);
        fastest = _mm256_max_pd(fastest, speeds[part]);
    }
    const __m256i spacing = flip_nearest(scales), move = flip_nearest(speeds);
    _mm256_storeu_si256((__m256i *)spacings, spacing);
    _mm256_storeu_si256((__m256i *)moves, move);
    __m256d fixes[4];
    for (int part = 0; part < 4; part++) {
        const __m128i some_spacings = _mm_loadl_epi64((const __m128i *)(spacings + 4 * part));
        const __m128i some_moves = _mm_loadl_epi64((const __m128i *)(moves + 4 * part));
        const __m256d lag = _mm256_sub_pd(
            _mm256_mul_pd(
                _mm256_loadu_pd(slopes + 4 * part), _mm256_cvtepi32_pd(_mm_cvtepu16_epi32(some_spacings))),
            _mm256_cvtepi32_pd(_mm_cvtepu16_epi32(some_moves)));
        worst = _mm256_max_pd(worst, _mm256_andnot_pd(sign, lag));
        const __m256d ahead = _mm256_div_pd(_mm256_mul_pd(lag, _mm256_set1_pd(band)), _mm256_set1_pd(2));
        exact[part] = _mm256_add_pd(exact[part], ahead);
        fixes[part] = _mm256_mul_pd(lag, _mm256_set1_pd(longest_band));
    }
    _mm256_storeu_si256((__m256i *)distances, flip_nearest(exact));
    _mm256_storeu_si256((__m256i *)corrections, flip_nearest(fixes));
    extremes[0] = flip_greatest(farthest);
    extremes[1] = flip_greatest(longest);
    extremes[2] = flip_greatest(fastest);
    extremes[3] = flip_greatest(worst);
    extremes[4] = now[1] - now[0] > later[1] - later[0] ? now[1] - now[0] : later[1] - later[0];
}

#endif
#endif

// The innermost loops that take most of the time, for 64-bit ARM processors, all of which have NEON. See kernels.h, which has
// functions of the same names. On this processor, all other loops are their definitions.
//
// All numbers are integers: some compilers fuse multiplications of floats with additions, which would change results.

#ifndef FLIPTRANSITION_NEON_H
#define FLIPTRANSITION_NEON_H

#if defined(__aarch64__)
#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>

#define FLIP_INLINE __attribute__((always_inline)) static inline

/// How samples are prepared for weighting: those of 16 bits are narrowed to 15, those of 9 to 15 bits are clamped to the maximum
/// of their depth, and those of 8 bits need nothing.
enum { FLIP_BYTES, FLIP_CLAMPED, FLIP_NARROWED };

FLIP_INLINE int flip_kind(bool wide, int32_t narrowing)
{
    return !wide ? FLIP_BYTES : narrowing ? FLIP_NARROWED : FLIP_CLAMPED;
}

FLIP_INLINE int16x8_t flip_bound(uint16x8_t samples, uint16x8_t most, int kind)
{
    if (kind == FLIP_NARROWED) samples = vshrq_n_u16(samples, 1);
    if (kind == FLIP_CLAMPED) samples = vminq_u16(samples, most);
    return vreinterpretq_s16_u16(samples);
}

/// Loads eight samples of a row, from sample `index` on.
FLIP_INLINE int16x8_t flip_load(const uint8_t *row, int64_t index, uint16x8_t most, int kind)
{
    if (kind == FLIP_BYTES) return vreinterpretq_s16_u16(vmovl_u8(vld1_u8(row + index)));
    return flip_bound(vld1q_u16((const uint16_t *)(row + 2 * index)), most, kind);
}

/// Adds the products of eight samples and their weights to four sums: each gets one of the lower four and one of the upper four.
FLIP_INLINE int32x4_t flip_weigh(int32x4_t sums, int16x8_t samples, int16x8_t weights)
{
    return vmlal_high_s16(vmlal_s16(sums, vget_low_s16(samples), vget_low_s16(weights)), samples, weights);
}

/// The four sums of four numbers each.
FLIP_INLINE int32x4_t flip_add_across(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d)
{
    return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
}

/// Stores the averages of four weighted sums. `up` is the shift, which is down.
FLIP_INLINE void flip_store_averages(int16_t *averages, int32x4_t sums, const int32_t *bias, int32x4_t up)
{
    vst1_s16(averages, vqmovn_s32(vshlq_s32(vaddq_s32(sums, vld1q_s32(bias)), up)));
}

/// Calls `function` with a constant kind as its last argument, which gives loops without branches.
#define FLIP_OF_KIND(kind, function, ...)                                                                               \
    do {                                                                                                                \
        if (kind == FLIP_BYTES)                                                                                         \
            function(__VA_ARGS__, FLIP_BYTES);                                                                          \
        else if (kind == FLIP_CLAMPED)                                                                                  \
            function(__VA_ARGS__, FLIP_CLAMPED);                                                                        \
        else                                                                                                            \
            function(__VA_ARGS__, FLIP_NARROWED);                                                                       \
    } while (0)

/// The weighted sums of a pair of columns, as two partial sums each.
FLIP_INLINE int32x4_t flip_weigh_pair(
    const uint8_t *row, int32_t place, uint8x16_t shuffle, int16x8_t weights, uint16x8_t most, int kind)
{
    const uint8x16_t bytes = vqtbl1q_u8(vld1q_u8(row + place), shuffle);
    const int16x8_t samples = flip_bound(vreinterpretq_u16_u8(bytes), most, kind);
    return vpaddq_s32(vmull_s16(vget_low_s16(samples), vget_low_s16(weights)), vmull_high_s16(samples, weights));
}

FLIP_INLINE void flip_average_prepared_pairs(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t pairs, uint16x8_t most, int32x4_t up, int16_t *averages, int kind)
{
    for (int64_t pair = 0; pair < pairs; pair += 2) {
        const uint8x16_t shuffle[2] = {vld1q_u8(shuffles + 16 * pair), vld1q_u8(shuffles + 16 * pair + 16)};
        const int16x8_t weight[2] = {vld1q_s16(weights + 8 * pair), vld1q_s16(weights + 8 * pair + 8)};
        const int32_t *place = places + pair;
        for (int line = 0; line < 2; line++) {
            const uint8_t *from = line ? next : row;
            const int32x4_t first = flip_weigh_pair(from, place[0], shuffle[0], weight[0], most, kind);
            const int32x4_t second = flip_weigh_pair(from, place[1], shuffle[1], weight[1], most, kind);
            flip_store_averages(
                averages + 2 * (line * pairs + pair), vpaddq_s32(first, second), bias + 2 * pair, up);
        }
    }
}

/// `Averages.define` for columns with four taps, for two rows. `pairs` is a multiple of four.
static inline void flip_average_pairs(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t pairs, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const int kind = flip_kind(most > UINT8_MAX, narrowing);
    FLIP_OF_KIND(
        kind, flip_average_prepared_pairs, row, next, places, shuffles, weights, bias, pairs,
        vdupq_n_u16((uint16_t)most), vdupq_n_s32(-shift), averages);
}

FLIP_INLINE void flip_average_prepared_quads(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t columns, uint16x8_t most, int32x4_t up, int16_t *averages, int kind)
{
    for (int64_t column = 0; column < columns; column += 4) {
        // The shuffles and weights of two groups of columns take turns.
        const int64_t start = 8 * column - 4 * (column & 4);
        const uint8x16_t shuffle = vld1q_u8(shuffles + start), other = vld1q_u8(shuffles + start + 32);
        const int16x8_t weight = vld1q_s16(weights + start / 2), other_weight = vld1q_s16(weights + start / 2 + 16);
        for (int line = 0; line < 2; line++) {
            const uint8x16_t bytes = vld1q_u8((line ? next : row) + places[column / 4]);
            const int16x8_t first = flip_bound(vreinterpretq_u16_u8(vqtbl1q_u8(bytes, shuffle)), most, kind);
            const int16x8_t second = flip_bound(vreinterpretq_u16_u8(vqtbl1q_u8(bytes, other)), most, kind);
            const int32x4_t low = vmull_s16(vget_low_s16(first), vget_low_s16(weight));
            const int32x4_t high = vmull_high_s16(first, weight);
            const int32x4_t sums = vpaddq_s32(
                vmlal_s16(low, vget_low_s16(second), vget_low_s16(other_weight)),
                vmlal_high_s16(high, second, other_weight));
            flip_store_averages(averages + line * columns + column, sums, bias + column, up);
        }
    }
}

/// `Averages.define` for columns with four taps of which four columns each lie within 16 bytes, for two rows. `columns`
/// is a multiple of eight.
static inline void flip_average_quads(
    const uint8_t *row, const uint8_t *next, const int32_t *places, const uint8_t *shuffles, const int16_t *weights,
    const int32_t *bias, int64_t columns, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const int kind = flip_kind(most > UINT8_MAX, narrowing);
    FLIP_OF_KIND(
        kind, flip_average_prepared_quads, row, next, places, shuffles, weights, bias, columns,
        vdupq_n_u16((uint16_t)most), vdupq_n_s32(-shift), averages);
}

/// For columns with a multiple of eight taps, for one row.
FLIP_INLINE void flip_average_prepared_columns(
    const uint8_t *row, const int32_t *starts, const int16_t *weights, const int32_t *bias, int64_t columns, int64_t taps,
    uint16x8_t most, int32x4_t up, int16_t *averages, int kind)
{
    for (int64_t column = 0; column < columns; column += 4) {
        int32x4_t sums[4];
        for (int lane = 0; lane < 4; lane++) {
            sums[lane] = vdupq_n_s32(0);
            const int32_t start = starts[column + lane];
            const int16_t *weight = weights + (column + lane) * taps;
            for (int64_t tap = 0; tap < taps; tap += 8)
                sums[lane] = flip_weigh(sums[lane], flip_load(row, start + tap, most, kind), vld1q_s16(weight + tap));
        }
        flip_store_averages(
            averages + column, flip_add_across(sums[0], sums[1], sums[2], sums[3]), bias + column, up);
    }
}

/// `Averages.define` for columns with eight taps, for two rows. `columns` is a multiple of eight.
static inline void flip_average_eights(
    const uint8_t *row, const uint8_t *next, bool wide, const int32_t *starts, const int16_t *weights, const int32_t *bias,
    int64_t columns, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const int kind = flip_kind(wide, narrowing);
    for (int line = 0; line < 2; line++)
        FLIP_OF_KIND(
            kind, flip_average_prepared_columns, line ? next : row, starts, weights, bias, columns, 8,
            vdupq_n_u16((uint16_t)most), vdupq_n_s32(-shift), averages + line * columns);
}

/// `Averages.define` for columns with a multiple of sixteen taps. `columns` is a multiple of four.
static inline void flip_average_columns(
    const uint8_t *row, bool wide, const int32_t *starts, const int16_t *weights, const int32_t *bias, int64_t columns,
    int64_t taps, int32_t most, int32_t narrowing, int32_t shift, int16_t *averages)
{
    const int kind = flip_kind(wide, narrowing);
    FLIP_OF_KIND(
        kind, flip_average_prepared_columns, row, starts, weights, bias, columns, taps, vdupq_n_u16((uint16_t)most),
        vdupq_n_s32(-shift), averages);
}

FLIP_INLINE void flip_sum_prepared_rows(
    const uint8_t *const *rows, const int16_t *weights, int64_t count, int32_t bias, uint16x8_t most, int32x4_t up,
    int64_t samples, int16_t *averages, int kind)
{
    for (int64_t next = 0; next < samples; next += 16) {
        const int64_t x = next < samples - 16 ? next : samples - 16;
        int32x4_t sums[4];
        for (int part = 0; part < 4; part++) sums[part] = vdupq_n_s32(bias);
        for (int64_t row = 0; row < count; row++) {
            const int16x8_t weight = vdupq_n_s16(weights[row]);
            for (int half = 0; half < 2; half++) {
                const int16x8_t some = flip_load(rows[row], x + 8 * half, most, kind);
                sums[2 * half] = vmlal_s16(sums[2 * half], vget_low_s16(some), vget_low_s16(weight));
                sums[2 * half + 1] = vmlal_high_s16(sums[2 * half + 1], some, weight);
            }
        }
        for (int part = 0; part < 4; part++) vst1_s16(averages + x + 4 * part, vqmovn_s32(vshlq_s32(sums[part], up)));
    }
}

/// `Averages.defineSum` for sixteen samples or more; the last sixteen may overlap those before.
static inline void flip_sum_rows(
    const uint8_t *const *rows, const int16_t *weights, int64_t pairs, bool wide, int32_t bias, int32_t most,
    int32_t narrowing, int32_t shift, int64_t count, int16_t *averages)
{
    const int kind = flip_kind(wide, narrowing);
    FLIP_OF_KIND(
        kind, flip_sum_prepared_rows, rows, weights, 2 * pairs, bias, vdupq_n_u16((uint16_t)most), vdupq_n_s32(-shift),
        count, averages);
}

/// `BoxFilter.mean` of eight lanes with `boundaries` boundaries, of which `steps` are gone through: as many, or one more, which
/// lies after the same sample as the one before it and changes nothing.
FLIP_INLINE uint16x8_t flip_mean(
    int64_t steps, const int16_t *samples, int64_t stride, int64_t boundaries, int16x8_t distance, int16x8_t spacing)
{
    const int16x8_t none = vdupq_n_s16(0), all = vdupq_n_s16(-4096);
    int16x8_t previous = vld1q_s16(samples), sum = none;
    distance = vmaxq_s16(distance, all);
    for (int64_t step = 1; step <= steps; step++) {
        const int16x8_t next = vld1q_s16(samples + (step < steps ? step : boundaries) * stride);
        const int16x8_t weight = vshlq_n_s16(vminq_s16(vmaxq_s16(distance, all), none), 3);
        // Differences are above -32768, so no product has to be saturated.
        sum = vqaddq_s16(sum, vqrdmulhq_s16(weight, vsubq_s16(next, previous)));
        previous = next;
        distance = vsubq_s16(distance, spacing);
    }
    const uint16x8_t mean = vreinterpretq_u16_s16(vmaxq_s16(vqaddq_s16(sum, previous), none));
    // `Averages.wide`.
    return vsraq_n_u16(vshlq_n_u16(mean, 1), mean, 14);
}

/// `flip_means` for blocks with `fixed` boundaries or one less, if that is not 0. All of them go through as many, so that
/// there is no branch to mispredict.
FLIP_INLINE void flip_means_of(
    int64_t fixed, const int16_t *samples, int64_t stride, int64_t step, const int64_t *seen, int16_t *distances,
    const int16_t *moves, const int16_t *spacings, int64_t count, uint16_t *lines, int64_t line_stride)
{
    int16x8_t distance[2] = {vld1q_s16(distances), vld1q_s16(distances + 8)};
    const int16x8_t move[2] = {vld1q_s16(moves), vld1q_s16(moves + 8)};
    const int16x8_t spacing[2] = {vld1q_s16(spacings), vld1q_s16(spacings + 8)};
    int64_t lower = seen[0], upper = seen[1], current = lower >> 32;
    const int64_t lower_step = seen[2], upper_step = seen[3];
    for (int64_t block = 0; block < count; block++) {
        const int64_t boundaries = (upper >> 32) - current, steps = fixed ? fixed : boundaries;
        vst1q_u16(lines, flip_mean(steps, samples, stride, boundaries, distance[0], spacing[0]));
        vst1q_u16(lines + 8, flip_mean(steps, samples + 8, stride, boundaries, distance[1], spacing[1]));
        lines += line_stride;
        lower += lower_step;
        upper += upper_step;
        const int64_t passed = (lower >> 32) - current;
        current += passed;
        samples += passed * stride + step;
        for (int half = 0; half < 2; half++)
            distance[half] = vmlsq_n_s16(vaddq_s16(distance[half], move[half]), spacing[half], (int16_t)passed);
    }
    vst1q_s16(distances, distance[0]);
    vst1q_s16(distances + 8, distance[1]);
}

/// The samples of one window, multiplied by their weights and added up to four partial sums.
FLIP_INLINE int32x4_t flip_window(
    const uint8_t *start, int64_t stride, int taps, uint16x8_t most, const int16_t *weights, int kind)
{
    int32x4_t sums = vdupq_n_s32(0);
    if (taps == 8) {
        for (int row = 0; row < 8; row++)
            sums = flip_weigh(sums, flip_load(start + row * stride, 0, most, kind), vld1q_s16(weights + 8 * row));
        return sums;
    }
    for (int row = 0; row < 4; row += 2) {
        const uint8_t *upper = start + row * stride, *lower = upper + stride;
        int16x8_t samples;
        if (kind == FLIP_BYTES) {
            uint32_t rows[2];
            __builtin_memcpy(&rows[0], upper, 4);
            __builtin_memcpy(&rows[1], lower, 4);
            samples = flip_load((const uint8_t *)rows, 0, most, kind);
        } else {
            samples = flip_bound(
                vcombine_u16(vld1_u16((const uint16_t *)upper), vld1_u16((const uint16_t *)lower)), most, kind);
        }
        sums = flip_weigh(sums, samples, vld1q_s16(weights + 4 * row));
    }
    return sums;
}

FLIP_INLINE void flip_windows_of(
    const uint8_t *base, int64_t stride, int taps, uint16x8_t most, int32_t shift, const int32_t *columns,
    const int32_t *rows, const int32_t *places, const int16_t *weights, int64_t count, uint16_t *line, int kind)
{
    const int32x4_t half = vdupq_n_s32(1 << (shift - 1)), up = vdupq_n_s32(-shift);
    for (int64_t next = 0; next < count; next += 4) {
        const int64_t index = next < count - 4 ? next : count - 4;
        int32x4_t sums[4];
        for (int lane = 0; lane < 4; lane++) {
            const int64_t sample = index + lane;
            const uint8_t *start = base + rows[sample] * stride + columns[sample] * (kind == FLIP_BYTES ? 1 : 2);
            sums[lane] = flip_window(start, stride, taps, most, weights + places[sample], kind);
        }
        const int32x4_t total = flip_add_across(sums[0], sums[1], sums[2], sums[3]);
        vst1_u16(line + index, vqmovun_s32(vshlq_s32(vaddq_s32(total, half), up)));
    }
}

/// The means of `count` windows of 4 x 4 or 8 x 8 samples, as wide samples (WindowMeans.define), for four windows or
/// more; the last four may overlap those before.
static inline void flip_windows(
    const uint8_t *base, int64_t stride, bool deep, int32_t most, int32_t narrowing, int32_t shift,
    const int32_t *columns, const int32_t *rows, const int32_t *places, const int16_t *weights, int32_t taps,
    int64_t count, uint16_t *line)
{
    const int kind = flip_kind(deep, narrowing);
    const uint16x8_t limit = vdupq_n_u16((uint16_t)most);
    if (taps == 4)
        FLIP_OF_KIND(
            kind, flip_windows_of, base, stride, 4, limit, shift, columns, rows, places, weights, count, line);
    else
        FLIP_OF_KIND(
            kind, flip_windows_of, base, stride, 8, limit, shift, columns, rows, places, weights, count, line);
}

#endif
#endif

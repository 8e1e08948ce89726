/*
 * fliptransition: frames of page flips, folds and card flips between two pictures, drawn on the CPU.
 *
 *     fliptransition *flip = fliptransition_open();
 *     fliptransition_set(flip, "style", "fold");
 *     fliptransition_set(flip, "mode", "cubic");
 *     fliptransition_set_format(flip, "rgb24", width, height);
 *     fliptransition_render(flip, 0.4, &from, &to, &into);
 *     fliptransition_close(flip);
 *
 * Threads: any function may be called from any thread. Calls on one handle take turns; handles do not know each other, so
 * threads that draw at the same time have a handle each. A handle draws with threads of its own where `threads` says so.
 *
 * Errors: functions that can fail return a status, which is 0 where they did not; fliptransition_error has the sentence.
 * A call that fails changes nothing, neither the handle nor a picture.
 */
#ifndef FLIPTRANSITION_H
#define FLIPTRANSITION_H

#include <stddef.h>

#define FLIPTRANSITION_VERSION_MAJOR 0
#define FLIPTRANSITION_VERSION_MINOR 1
#define FLIPTRANSITION_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* A transition: its look, and the format and size of its pictures. */
typedef struct fliptransition fliptransition;

typedef enum fliptransition_status {
    FLIPTRANSITION_OK = 0,
    /* A pointer is missing, progress or time is not in 0...1, strides or pictures overlap, no format has been set. */
    FLIPTRANSITION_INVALID_ARGUMENT = 1,
    /* No option has this name, its value is out of range, or options contradict each other. */
    FLIPTRANSITION_INVALID_OPTION = 2,
    /* Pixel formats that are unknown or not drawn, sizes outside 1...16384. */
    FLIPTRANSITION_UNSUPPORTED_FORMAT = 3
} fliptransition_status;

/*
 * A picture in the caller's memory, in the layout that FFmpeg has under the pixel format's name: planes[0] of packed formats
 * is all of it, nv12 has two planes, yuv420p three, planar formats with alpha four.
 *
 * planes[i] is the first byte of the topmost row, strides[i] the bytes from one row down to the next, negative where the
 * picture is stored bottom up. Samples of more than 8 bits have the machine's byte order and lie at even addresses.
 * Alpha is straight: colours are not multiplied by it.
 */
typedef struct fliptransition_picture {
    void *planes[4];
    ptrdiff_t strides[4];
} fliptransition_picture;

/* The version of the library that is running, such as "0.1.0". */
const char *fliptransition_version(void);

/* The name of style `index`, counted from 0; NULL after the last. */
const char *fliptransition_style_name(int index);

/* Whether pictures of FFmpeg's pixel format `name` are drawn: 1 or 0. */
int fliptransition_supports_format(const char *name);

/* A page flip with the style's defaults, and no format yet. Close it. */
fliptransition *fliptransition_open(void);

/* Frees a handle that no call uses any more; NULL is nothing to free. */
void fliptransition_close(fliptransition *flip);

/*
 * Sets an option to a value, both written as on the command line, without the dashes; NULL as the value sets it back.
 *
 *     style, look, direction, orientation, reverse (true|false), mode, creases, easing, perspective, viewpoint, spine,
 *     shadow, shadow-strength, shadow-color, corner-radius, pull-back, background, threads (1...256, 1 unless set)
 *
 * and three that say what samples mean, for Y'CbCr and gray formats:
 *
 *     range             limited (unless set), full
 *     matrix            bt709 (unless set), bt601, bt2020: for colours of shadows and of the background
 *     chroma-location   left (unless set), center, topleft, top, bottomleft, bottom
 *
 * The order does not matter. What an option takes is checked here, whether options fit each other when they are used.
 * The background is black unless set, and transparent in pictures with alpha.
 */
fliptransition_status fliptransition_set(fliptransition *flip, const char *name, const char *value);

/*
 * Sets the pixel format of all three pictures by FFmpeg's name, and their size in pixels, each 1...16384.
 *
 *     planar   yuv420p, yuv422p, yuv444p, yuv440p, yuv411p, yuva420p, yuva422p, yuva444p, gbrp, gbrap, gray, with 9, 10, 12,
 *              14 or 16 bits as well where FFmpeg has them: yuv420p10le
 *     packed   rgb24, bgr24, rgba, bgra, argb, abgr, rgb0, bgr0, 0rgb, 0bgr, rgb48le, bgr48le, rgba64le, bgra64le, ya8, ya16le
 *     both     nv12, nv21, nv16, nv24, nv42
 *
 * Refused: palettes, floating point, the other byte order, and formats that pack pixels into words or share chroma within a
 * plane (rgb565, x2rgb10, yuyv422, v210, p010).
 */
fliptransition_status fliptransition_set_format(
    fliptransition *flip, const char *pixel_format, int width, int height);

/* Stores in `progress` how far the transition is at `time`, both 0...1, by its easing. */
fliptransition_status fliptransition_ease(fliptransition *flip, double time, double *progress);

/*
 * Draws the frame at `progress` (0...1, after easing) into `into`. 0 is exactly `from`, 1 exactly `to`. All three have the format
 * and size that were set. The result is the same for any number of threads.
 *
 * No byte of `into` belongs to one of the other two pictures, or to two of its planes. Rows may lie between each other: parts of
 * one larger picture and the two fields of a frame are pictures of their own.
 *
 * A sample with more bits than its format has counts as the largest sample of that format.
 */
fliptransition_status fliptransition_render(
    fliptransition *flip, double progress, const fliptransition_picture *from, const fliptransition_picture *to,
    const fliptransition_picture *into);

/*
 * Copies what the last call that failed on this handle, by whichever thread, has to say: one sentence in UTF-8, cut off
 * where `size` bytes do not hold it and its terminating 0. `size` may be 0.
 *
 * Returns the bytes that the whole sentence needs, its terminating 0 included; 0 where nothing has failed.
 */
size_t fliptransition_error(fliptransition *flip, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif

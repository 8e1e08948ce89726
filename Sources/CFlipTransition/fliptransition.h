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
 * Threads: any function may be called from any thread. Calls on one handle are serialized. Handles are independent of
 * each other, so threads that draw at the same time need a handle each. A handle draws with several threads of its own
 * if the option `threads` is greater than 1.
 *
 * Errors: functions that can fail return a status, which is 0 for success; fliptransition_error gives the message.
 * A call that fails changes neither the handle's settings nor a picture.
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

/* A handle for a transition: its look, and the pixel format and size of its pictures. */
typedef struct fliptransition fliptransition;

typedef enum fliptransition_status {
    FLIPTRANSITION_OK = 0,
    /*
     * A pointer is NULL, progress or time is outside 0...1, a stride is too small, samples are misaligned, pictures or
     * planes overlap, or no format has been set.
     */
    FLIPTRANSITION_INVALID_ARGUMENT = 1,
    /* An option is unknown, its value is out of range, or options exclude each other. */
    FLIPTRANSITION_INVALID_OPTION = 2,
    /* The pixel format is unknown or not supported, or a dimension is outside 1...16384. */
    FLIPTRANSITION_UNSUPPORTED_FORMAT = 3
} fliptransition_status;

/*
 * A picture in the caller's memory, in FFmpeg's layout for the pixel format: packed formats have one plane, nv12 has
 * two, yuv420p three, and planar formats with alpha have four.
 *
 * planes[i] points to the first byte of the topmost row. strides[i] is the number of bytes from one row to the row
 * below it, negative if the picture is stored bottom up. Samples of more than 8 bits are in native byte order, at even
 * addresses. Alpha is straight: colors are not multiplied by it.
 */
typedef struct fliptransition_picture {
    void *planes[4];
    ptrdiff_t strides[4];
} fliptransition_picture;

/* The version of the running library, such as "0.1.0". */
const char *fliptransition_version(void);

/* The name of style `index`, counted from 0; NULL after the last. */
const char *fliptransition_style_name(int index);

/*
 * The catalog of styles as JSON in UTF-8: an array with an object for each style, which has its options, their values,
 * ranges and defaults, and its named looks. The objects are those that `fliptransition styles --json` prints, without
 * the fields `schema` and `program`.
 */
const char *fliptransition_styles(void);

/* Whether FFmpeg's pixel format `name` is supported: 1 or 0. */
int fliptransition_supports_format(const char *name);

/* One plane of a picture, without padding: a row has columns * components * sample_bytes bytes. */
typedef struct fliptransition_plane {
    int rows;
    /* The number of places in a row, each of which has a sample of every component of the plane. */
    int columns;
    /* 3 for rgb24, 2 for the chroma of nv12, 1 where a component has a plane of its own. Padding counts as one. */
    int components;
    /* The bytes of a sample: 1, or 2 if the format has more than 8 bits. */
    int sample_bytes;
} fliptransition_plane;

/*
 * Stores the planes of pictures of a pixel format and size, as fliptransition_set_format takes them, and returns their
 * number, 1...4; or returns 0 if the format or the size is not supported. `planes` may be NULL.
 */
int fliptransition_planes(const char *pixel_format, int width, int height, fliptransition_plane planes[4]);

/* Opens a handle: a page flip with the style's defaults, and no format yet. Free it with fliptransition_close. */
fliptransition *fliptransition_open(void);

/* Frees a handle, which no call may be using anymore; NULL is ignored. */
void fliptransition_close(fliptransition *flip);

/*
 * Sets an option to a value, both written as on the command line without the dashes. NULL as the value resets the
 * option to its default.
 *
 *     style, look, direction, orientation, reverse (true|false), mode, creases, easing, shutter, perspective, viewpoint,
 *     spine, bend, shadow, shadow-strength, shadow-color, corner-radius, pull-back, through, radius, angle, paper,
 *     paper-opacity, strips, stagger, softness, background, threads (1...256, default 1)
 *
 * and four that say how samples are interpreted, three of which mean nothing for R'G'B':
 *
 *     range             limited (default), full
 *     matrix            bt709 (default), bt601, bt2020: for the colors of shadows and of the background
 *     transfer          sdr (default), pq, hlg: for the paper and the highlights of bent pages (R'G'B', too)
 *     chroma-location   left (default), center, topleft, top, bottomleft, bottom
 *
 * Options may be set in any order. Each value is checked here; whether options fit each other is checked when they are
 * used. The default background is black, or transparent in formats with alpha.
 */
fliptransition_status fliptransition_set(fliptransition *flip, const char *name, const char *value);

/*
 * Sets the pixel format of all three pictures by FFmpeg's name, and their width and height in pixels, each 1...16384.
 *
 *     planar        yuv420p, yuv422p, yuv444p, yuv440p, yuv411p, yuva420p, yuva422p, yuva444p, gbrp, gbrap, gray;
 *                   also with 9, 10, 12, 14 or 16 bits where FFmpeg has them, such as yuv420p10le
 *     packed        rgb24, bgr24, rgba, bgra, argb, abgr, rgb0, bgr0, 0rgb, 0bgr, rgb48le, bgr48le, rgba64le, bgra64le,
 *                   ya8, ya16le
 *     semi-planar   nv12, nv21, nv16, nv24, nv42
 *
 * Not supported are palettes, floating point, non-native byte order, and formats that pack samples into words (rgb565,
 * x2rgb10, v210), interleave luma and chroma in one plane (yuyv422), or keep samples in the upper bits of words (p010).
 */
fliptransition_status fliptransition_set_format(
    fliptransition *flip, const char *pixel_format, int width, int height);

/* Stores in `progress` the progress after easing at `time`, both 0...1. */
fliptransition_status fliptransition_ease(fliptransition *flip, double time, double *progress);

/*
 * Stores in `progress` the progress after easing of frame `index`, counted from 0, of a transition that lasts for `count`
 * frames, as `fliptransition join` draws it: that at the time (index + 1) / (count + 1).
 */
fliptransition_status fliptransition_progress(fliptransition *flip, int index, int count, double *progress);

/*
 * Draws the moment at `progress` (0...1, after easing) into `into`; 0 gives exactly `from`, 1 exactly `to`. All three
 * pictures have the format and size that were set. The result is the same for any number of threads. The option `shutter`
 * does not matter here, since a moment has no motion.
 *
 * No byte of `into` may belong to one of the other two pictures, or to two of its planes. The rows of pictures may be
 * interleaved in memory, so that parts of one larger picture, or the two fields of a frame, can be used as pictures.
 *
 * A sample value beyond its format's bit depth counts as the largest value of that depth.
 */
fliptransition_status fliptransition_render(
    fliptransition *flip, double progress, const fliptransition_picture *from, const fliptransition_picture *to,
    const fliptransition_picture *into);

/*
 * Draws frame `index`, counted from 0, of a transition that lasts for `count` frames, as `fliptransition join` draws it: at
 * the progress that fliptransition_progress stores or, with the option `shutter`, with motion blur. The pictures are as
 * for fliptransition_render.
 */
fliptransition_status fliptransition_render_frame(
    fliptransition *flip, int index, int count, const fliptransition_picture *from, const fliptransition_picture *to,
    const fliptransition_picture *into);

/*
 * Copies the error message of the last call that failed on this handle, in any thread, to `text`: one sentence in
 * UTF-8, truncated if it and its terminating 0 do not fit into `size` bytes. `size` may be 0.
 *
 * Returns the number of bytes that the whole message needs, including its terminating 0; or 0 if no call has failed.
 */
size_t fliptransition_error(fliptransition *flip, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif

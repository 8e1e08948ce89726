// GStreamer's interface for elements that mix pictures, and functions in place of its macros, which Swift can't import.

#pragma once

#include <gst/gst.h>
#include <gst/video/gstvideoaggregator.h>
#include <gst/video/video.h>

/// An instance of the element: GStreamer's part, then a retained reference to the object that draws.
typedef struct {
    GstVideoAggregator base;
    gpointer object;
} flip_gst_element;

/// The flags of a property that is read and written, and that applications may animate if `is_animated` is set.
static inline GParamFlags flip_gst_property_flags(gboolean is_animated) {
    return (GParamFlags)(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING
                         | (is_animated ? GST_PARAM_CONTROLLABLE : 0));
}

static inline GType flip_gst_type_child_proxy(void) { return GST_TYPE_CHILD_PROXY; }

static inline GstCaps *flip_gst_make_writable(GstCaps *caps) { return gst_caps_make_writable(caps); }

/// Marks caps as never freed.
static inline GstCaps *flip_gst_kept(GstCaps *caps) {
    GST_MINI_OBJECT_FLAG_SET(caps, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
    return caps;
}

static inline gboolean flip_gst_has_time(const GstBuffer *buffer) { return GST_BUFFER_PTS_IS_VALID(buffer); }

/// The format of `info`, which is 0 (unknown) before there are caps.
static inline GstVideoFormat flip_gst_format(const GstVideoInfo *info) {
    return info->finfo ? info->finfo->format : GST_VIDEO_FORMAT_UNKNOWN;
}

/// A copy of what GStreamer's class knows of an input's pictures.
static inline GstVideoInfo flip_gst_pad_info(GstVideoAggregatorPad *pad) {
    GST_OBJECT_LOCK(pad);
    GstVideoInfo info = pad->info;
    GST_OBJECT_UNLOCK(pad);
    return info;
}

/// The time in the stream of the output's frame at the running position `time`.
static inline GstClockTime flip_gst_stream_time(GstAggregator *aggregator, GstClockTime time) {
    GST_OBJECT_LOCK(aggregator->srcpad);
    time = gst_segment_to_stream_time(&GST_AGGREGATOR_PAD_CAST(aggregator->srcpad)->segment, GST_FORMAT_TIME, time);
    GST_OBJECT_UNLOCK(aggregator->srcpad);
    return time;
}

/// The memory of plane `index` of a mapped frame, and the bytes from one of its rows to the next.
static inline gpointer flip_gst_plane(const GstVideoFrame *frame, guint index) { return frame->data[index]; }
static inline gint flip_gst_stride(const GstVideoFrame *frame, guint index) { return frame->info.stride[index]; }
static inline guint flip_gst_plane_count(const GstVideoFrame *frame) { return GST_VIDEO_FRAME_N_PLANES(frame); }


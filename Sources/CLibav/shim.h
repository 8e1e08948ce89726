/* FFmpeg's libraries for Swift. This header wraps what Swift's importer can't see (macros, sentinels) and hides all
 * differences between FFmpeg 5.1, 6.x and 7.x from the Swift sources. */
#ifndef FLIPTRANSITION_CLIBAV_SHIM_H
#define FLIPTRANSITION_CLIBAV_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/buffer.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* Sentinels and error codes. */

static const int64_t flip_nopts = AV_NOPTS_VALUE;
static const int flip_error_eof = AVERROR_EOF;
static const int flip_error_again = AVERROR(EAGAIN);
static const int flip_error_invalid_data = AVERROR_INVALIDDATA;
static const int flip_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int flip_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int flip_error_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int flip_error_option_not_found = AVERROR_OPTION_NOT_FOUND;
static const int flip_error_permission = AVERROR(EPERM);
static const int flip_error_external = AVERROR_EXTERNAL;

/* The positive errno inside a libav error code, or 0 if the code is one of libav's own. */
static inline int flip_errno(int error) {
    int code = AVUNERROR(error);
    return code > 0 && code < 4096 ? code : 0;
}

/* A number that identifies the calling thread. */
static inline uintptr_t flip_thread(void) {
    return (uintptr_t)pthread_self();
}

/* Keeps SVT-AV1 from writing anything but errors to standard error. It reads the variable only once, at first use. */
static inline void flip_silence_svt(void) {
    setenv("SVT_LOG", "1", 0);
}

/* Frames. */

static inline int64_t flip_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline int flip_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

static inline int flip_frame_shows_top_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}

static inline void flip_frame_set_interlaced(AVFrame *frame, int top_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags |= AV_FRAME_FLAG_INTERLACED;
    if (top_first) frame->flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
    else frame->flags &= ~AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    frame->interlaced_frame = 1;
    frame->top_field_first = top_first;
#endif
}

static inline void flip_frame_set_progressive(AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
#else
    frame->interlaced_frame = 0;
    frame->top_field_first = 0;
#endif
}

/* The frame's own array of plane pointers, whose address can't be taken in Swift. */
static inline uint8_t **flip_frame_planes(AVFrame *frame) {
    return frame->data;
}

static inline const int *flip_frame_strides(const AVFrame *frame) {
    return frame->linesize;
}

/* Whether the frame was decoded without others. */
static inline int flip_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

/* Whether the frame is damaged, even if the decoder concealed that. */
static inline int flip_frame_is_damaged(const AVFrame *frame) {
    return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}

/* Side data of a stream, or NULL if there is none of at least `size` bytes. */
static inline const void *flip_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    const AVPacketSideData *data =
        av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    return data && data->size >= size ? data->data : NULL;
#else
    size_t found = 0;
    const uint8_t *data = av_stream_get_side_data(stream, type, &found);
    return data && found >= size ? data : NULL;
#endif
}

static inline const void *flip_frame_side_data(const AVFrame *frame, enum AVFrameSideDataType type, size_t size) {
    const AVFrameSideData *side = frame ? av_frame_get_side_data(frame, type) : NULL;
    return side && side->size >= size ? side->data : NULL;
}

/* The nine numbers of the display matrix (fixed point, 16.16 and in the last column 2.30): the container's if it has
 * one, else the frame's, or NULL. */
static inline const int32_t *flip_display_matrix(const AVStream *stream, const AVFrame *frame) {
    const void *data = flip_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
    return (const int32_t *)(data ? data : flip_frame_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t)));
}

/* HDR metadata, the container's if it has any, else the frame's, or NULL. */
static inline const AVMasteringDisplayMetadata *flip_mastering_display(const AVStream *stream, const AVFrame *frame) {
    const size_t size = sizeof(AVMasteringDisplayMetadata);
    const void *data = flip_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, size);
    return (const AVMasteringDisplayMetadata *)(
        data ? data : flip_frame_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, size));
}

static inline const AVContentLightMetadata *flip_content_light(const AVStream *stream, const AVFrame *frame) {
    const size_t size = sizeof(AVContentLightMetadata);
    const void *data = flip_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, size);
    return (const AVContentLightMetadata *)(
        data ? data : flip_frame_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, size));
}

/* What the container says of Dolby Vision, or NULL. */
static inline const AVDOVIDecoderConfigurationRecord *flip_dolby_vision(const AVStream *stream) {
    return (const AVDOVIDecoderConfigurationRecord *)flip_stream_side_data(
        stream, AV_PKT_DATA_DOVI_CONF, sizeof(AVDOVIDecoderConfigurationRecord));
}

/* What the container says of pictures that surround the viewer, and of views for each eye, or NULL. */
static inline const AVSphericalMapping *flip_spherical(const AVStream *stream) {
    return (const AVSphericalMapping *)flip_stream_side_data(stream, AV_PKT_DATA_SPHERICAL, sizeof(AVSphericalMapping));
}

static inline const AVStereo3D *flip_stereo(const AVStream *stream) {
    return (const AVStereo3D *)flip_stream_side_data(stream, AV_PKT_DATA_STEREO3D, sizeof(AVStereo3D));
}

/* Adds `size` bytes of side data, all 0, to an output stream. Returns NULL if memory ran out. */
static inline void *flip_add_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
    return data ? memset(data->data, 0, size) : NULL;
#else
    uint8_t *data = av_stream_new_side_data(stream, type, size);
    return data ? memset(data, 0, size) : NULL;
#endif
}

static inline AVMasteringDisplayMetadata *flip_add_mastering_display(AVStream *stream) {
    return (AVMasteringDisplayMetadata *)flip_add_side_data(
        stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, sizeof(AVMasteringDisplayMetadata));
}

static inline AVContentLightMetadata *flip_add_content_light(AVStream *stream) {
    return (AVContentLightMetadata *)flip_add_side_data(
        stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof(AVContentLightMetadata));
}

static inline AVDOVIDecoderConfigurationRecord *flip_add_dolby_vision(AVStream *stream) {
    return (AVDOVIDecoderConfigurationRecord *)flip_add_side_data(
        stream, AV_PKT_DATA_DOVI_CONF, sizeof(AVDOVIDecoderConfigurationRecord));
}

/* Adds a display matrix of nine numbers, all 0. */
static inline int32_t *flip_add_display_matrix(AVStream *stream) {
    return (int32_t *)flip_add_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
}

/* Whether the Matroska muxer writes the turn of a display matrix, as it does from FFmpeg 7.0 on. */
static inline int flip_matroska_writes_turns(void) { return avformat_version() >= AV_VERSION_INT(61, 0, 0); }

/* Encoders. */

static const enum AVPixelFormat flip_pix_fmt_p010 = AV_PIX_FMT_P010;

/* Sets the options that the context and its codec have, and takes them out of the dictionary. */
static inline int flip_set_options(AVCodecContext *context, AVDictionary **options) {
    return av_opt_set_dict2(context, options, AV_OPT_SEARCH_CHILDREN);
}

/* What an encoder accepts: lists terminated by -1 (formats) or 0 (rates), or NULL if it accepts anything. */

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
static inline const void *flip_encoder_config(const AVCodec *codec, enum AVCodecConfig config) {
    const void *list = NULL;
    return avcodec_get_supported_config(NULL, codec, config, 0, &list, NULL) < 0 ? NULL : list;
}
#define FLIP_ENCODER_LIST(codec, config, field) flip_encoder_config(codec, config)
#else
#define FLIP_ENCODER_LIST(codec, config, field) (codec)->field
#endif

static inline const enum AVPixelFormat *flip_encoder_pixel_formats(const AVCodec *codec) {
    return (const enum AVPixelFormat *)FLIP_ENCODER_LIST(codec, AV_CODEC_CONFIG_PIX_FORMAT, pix_fmts);
}

static inline const enum AVSampleFormat *flip_encoder_sample_formats(const AVCodec *codec) {
    return (const enum AVSampleFormat *)FLIP_ENCODER_LIST(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, sample_fmts);
}

static inline const int *flip_encoder_sample_rates(const AVCodec *codec) {
    return (const int *)FLIP_ENCODER_LIST(codec, AV_CODEC_CONFIG_SAMPLE_RATE, supported_samplerates);
}

/* Terminated by a layout of 0 channels. */
static inline const AVChannelLayout *flip_encoder_layouts(const AVCodec *codec) {
    return (const AVChannelLayout *)FLIP_ENCODER_LIST(codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT, ch_layouts);
}

/* Containers. */

static const uint32_t flip_tag_hvc1 = MKTAG('h', 'v', 'c', '1');
static const uint32_t flip_tag_gpmd = MKTAG('g', 'p', 'm', 'd');

/* Whether the Matroska muxer writes CodecDelay for every codec and shifts the blocks by it, so that readers place the
 * priming before 0. Older versions write the element for Opus only and don't shift the blocks. */
static inline int flip_matroska_applies_codec_delay(void) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(59, 31, 100)
    return 1;
#else
    return 0;
#endif
}

/* Filters. */

/* Whether the `buffer` source accepts (and needs) the frames' color matrix and range. */
static inline int flip_buffer_takes_color(void) {
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(10, 0, 100)
    return 1;
#else
    return 0;
#endif
}

#endif

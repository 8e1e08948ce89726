// What VapourSynth and a plugin exchange, in the memory layout of version 4 of the interface. Only functions that the plugin
// calls have types; the others are counted, so that these lie at their offsets.

#ifndef FLIPTRANSITION_VAPOURSYNTH_ABI_H
#define FLIPTRANSITION_VAPOURSYNTH_ABI_H

#include <stddef.h>
#include <stdint.h>

struct flip_vs_api;
struct flip_vs_core;
struct flip_vs_frame;
struct flip_vs_frame_context;
struct flip_vs_map;
struct flip_vs_node;
struct flip_vs_plugin;

struct flip_vs_video_format {
    /// 0: undefined, since the clip's format varies; 1: gray; 2: RGB; 3: Y'CbCr.
    int color_family;
    /// 0: integers; 1: floating point.
    int sample_type;
    int bits_per_sample;
    int bytes_per_sample;
    /// The binary logarithms of the luma columns and rows for each sample of chroma.
    int subsampling_x, subsampling_y;
    int plane_count;
};

struct flip_vs_video_info {
    struct flip_vs_video_format format;
    /// The frame rate; 0/1 if it varies.
    int64_t rate_numerator, rate_denominator;
    /// 0 if the size varies.
    int width, height;
    int frame_count;
};

struct flip_vs_dependency {
    struct flip_vs_node *node;
    /// 1: no frame of the node is requested twice; 2: frame n of the node, and no other, for frame n.
    int request_pattern;
};

/// Makes a filter from arguments: the node goes into `result` under the key "clip", or else an error does.
typedef void (*flip_vs_function)(
    const struct flip_vs_map *arguments, struct flip_vs_map *result, void *data, struct flip_vs_core *core,
    const struct flip_vs_api *api);

/// Called for frame `n` with reason 0, to request other frames, and with 1 when those have arrived; -1 for an error.
typedef const struct flip_vs_frame *(*flip_vs_get_frame)(
    int n, int reason, void *instance, void **frame_data, struct flip_vs_frame_context *context,
    struct flip_vs_core *core, const struct flip_vs_api *api);

typedef void (*flip_vs_free)(void *instance, struct flip_vs_core *core, const struct flip_vs_api *api);

/// What a plugin is given to describe itself.
struct flip_vs_plugin_api {
    int (*api_version)(void);
    int (*configure)(
        const char *identifier, const char *name_space, const char *name, int plugin_version, int api_version, int flags,
        struct flip_vs_plugin *plugin);
    int (*register_function)(
        const char *name, const char *arguments, const char *results, flip_vs_function function, void *data,
        struct flip_vs_plugin *plugin);
};

struct flip_vs_api {
    void (*create_video_filter)(
        struct flip_vs_map *result, const char *name, const struct flip_vs_video_info *info,
        flip_vs_get_frame get_frame, flip_vs_free free, int mode, const struct flip_vs_dependency *dependencies,
        int dependency_count, void *instance, struct flip_vs_core *core);
    void *unused_1_to_6[6];
    void (*free_node)(struct flip_vs_node *node);
    void *unused_8_to_9[2];
    const struct flip_vs_video_info *(*get_video_info)(struct flip_vs_node *node);
    void *unused_11;
    struct flip_vs_frame *(*new_video_frame)(
        const struct flip_vs_video_format *format, int width, int height, const struct flip_vs_frame *properties_source,
        struct flip_vs_core *core);
    void *unused_13_to_15[3];
    void (*free_frame)(const struct flip_vs_frame *frame);
    void *unused_17_to_18[2];
    const struct flip_vs_map *(*get_frame_properties)(const struct flip_vs_frame *frame);
    void *unused_20;
    ptrdiff_t (*get_stride)(const struct flip_vs_frame *frame, int plane);
    const uint8_t *(*get_read_pointer)(const struct flip_vs_frame *frame, int plane);
    uint8_t *(*get_write_pointer)(struct flip_vs_frame *frame, int plane);
    void *unused_24_to_29[6];
    /// Writes up to 32 bytes.
    int (*get_video_format_name)(const struct flip_vs_video_format *format, char *name);
    void *unused_31_to_37[7];
    const struct flip_vs_frame *(*get_frame_filter)(
        int n, struct flip_vs_node *node, struct flip_vs_frame_context *context);
    void (*request_frame_filter)(int n, struct flip_vs_node *node, struct flip_vs_frame_context *context);
    void *unused_40_to_41[2];
    void (*set_filter_error)(const char *message, struct flip_vs_frame_context *context);
    void *unused_43_to_50[8];
    void (*map_set_error)(struct flip_vs_map *map, const char *message);
    void *unused_52_to_55[4];
    /// The number of a key's values; -1 if there is no such key.
    int (*map_count)(const struct flip_vs_map *map, const char *key);
    void *unused_57_to_58[2];
    int64_t (*map_get_int)(const struct flip_vs_map *map, const char *key, int index, int *error);
    void *unused_60_to_63[4];
    double (*map_get_float)(const struct flip_vs_map *map, const char *key, int index, int *error);
    void *unused_65_to_68[4];
    const char *(*map_get_data)(const struct flip_vs_map *map, const char *key, int index, int *error);
    int (*map_get_data_size)(const struct flip_vs_map *map, const char *key, int index, int *error);
    void *unused_71_to_72[2];
    struct flip_vs_node *(*map_get_node)(const struct flip_vs_map *map, const char *key, int index, int *error);
};

#endif

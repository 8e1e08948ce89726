// The structures that a host and a frei0r plugin exchange, in the memory layout of version 1 of the interface.

#ifndef FLIPTRANSITION_FREI0R_ABI_H
#define FLIPTRANSITION_FREI0R_ABI_H

#include <stdint.h>

/// Filled in by f0r_get_plugin_info. The strings belong to the plugin and are never freed.
struct flip_f0r_plugin_info {
    const char *name;
    const char *author;
    /// 0: filter, with one input picture; 2: mixer, with two.
    int32_t plugin_type;
    /// 1: RGBA8888, one byte each for R, G, B and alpha, in this order in memory.
    int32_t color_model;
    int32_t frei0r_version;
    int32_t major_version;
    int32_t minor_version;
    int32_t parameter_count;
    const char *explanation;
};

/// Filled in by f0r_get_param_info.
struct flip_f0r_parameter_info {
    const char *name;
    /// 0: bool, a double that is 0 or 1; 1: a double; 2: a color, three floats; 4: a string.
    int32_t type;
    const char *explanation;
};

/// The value of a color parameter, each component 0...1.
struct flip_f0r_color {
    float red, green, blue;
};

#endif

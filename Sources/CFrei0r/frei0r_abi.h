// What passes between a host and a frei0r plugin, as version 1 of the interface lays it out in memory.

#ifndef FLIPTRANSITION_FREI0R_ABI_H
#define FLIPTRANSITION_FREI0R_ABI_H

#include <stdint.h>

/// What f0r_get_plugin_info fills in. Texts are the plugin's and stay.
struct flip_f0r_plugin_info {
    const char *name;
    const char *author;
    /// 0: one picture in; 2: two.
    int32_t plugin_type;
    /// 1: R, G, B and alpha, a byte each in this order in memory.
    int32_t color_model;
    int32_t frei0r_version;
    int32_t major_version;
    int32_t minor_version;
    int32_t parameter_count;
    const char *explanation;
};

/// What f0r_get_param_info fills in.
struct flip_f0r_parameter_info {
    const char *name;
    /// 0: bool, a double that is 0 or 1; 1: a double; 2: three floats; 4: a text.
    int32_t type;
    const char *explanation;
};

/// The value of a colour: each 0...1.
struct flip_f0r_color {
    float red, green, blue;
};

#endif

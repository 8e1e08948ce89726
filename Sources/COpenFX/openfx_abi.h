// The structures that a host and an OpenFX image effect plugin exchange, in the memory layout of version 1 of its suites.
// All handles are opaque pointers of the host.

#ifndef FLIPTRANSITION_OPENFX_ABI_H
#define FLIPTRANSITION_OPENFX_ABI_H

#include <stddef.h>

/// What most functions return: 0 is success.
typedef int flip_ofx_status;

enum {
    FLIP_OFX_OK = 0,
    FLIP_OFX_FAILED = 1,
    FLIP_OFX_MISSING_HOST_FEATURE = 4,
    FLIP_OFX_UNSUPPORTED = 5,
    FLIP_OFX_FORMAT = 7,
    FLIP_OFX_BAD_HANDLE = 9,
    FLIP_OFX_BAD_INDEX = 10,
    FLIP_OFX_VALUE = 11,
    FLIP_OFX_REPLY_DEFAULT = 14,
};

/// A rectangle in canonical coordinates, whose y runs upward.
typedef struct flip_ofx_rectangle {
    double x1, y1, x2, y2;
} flip_ofx_rectangle;

/// What a host offers.
typedef struct flip_ofx_host {
    void *properties;
    /// Returns the functions of a suite, or NULL.
    const void *(*fetch_suite)(void *properties, const char *name, int version);
} flip_ofx_host;

/// What a plugin is; it is never freed.
typedef struct flip_ofx_plugin {
    const char *api;
    int api_version;
    const char *identifier;
    unsigned int major_version;
    unsigned int minor_version;
    void (*set_host)(flip_ofx_host *host);
    flip_ofx_status (*main_entry)(const char *action, const void *handle, void *in_arguments, void *out_arguments);
} flip_ofx_plugin;

/// "OfxPropertySuite", version 1.
typedef struct flip_ofx_properties {
    flip_ofx_status (*set_pointer)(void *set, const char *name, int index, void *value);
    flip_ofx_status (*set_string)(void *set, const char *name, int index, const char *value);
    flip_ofx_status (*set_double)(void *set, const char *name, int index, double value);
    flip_ofx_status (*set_int)(void *set, const char *name, int index, int value);
    flip_ofx_status (*set_pointers)(void *set, const char *name, int count, void *const *values);
    flip_ofx_status (*set_strings)(void *set, const char *name, int count, const char *const *values);
    flip_ofx_status (*set_doubles)(void *set, const char *name, int count, const double *values);
    flip_ofx_status (*set_ints)(void *set, const char *name, int count, const int *values);
    flip_ofx_status (*get_pointer)(void *set, const char *name, int index, void **value);
    flip_ofx_status (*get_string)(void *set, const char *name, int index, char **value);
    flip_ofx_status (*get_double)(void *set, const char *name, int index, double *value);
    flip_ofx_status (*get_int)(void *set, const char *name, int index, int *value);
    flip_ofx_status (*get_pointers)(void *set, const char *name, int count, void **values);
    flip_ofx_status (*get_strings)(void *set, const char *name, int count, char **values);
    flip_ofx_status (*get_doubles)(void *set, const char *name, int count, double *values);
    flip_ofx_status (*get_ints)(void *set, const char *name, int count, int *values);
    flip_ofx_status (*reset)(void *set, const char *name);
    flip_ofx_status (*get_dimension)(void *set, const char *name, int *count);
} flip_ofx_properties;

/// "OfxImageEffectSuite", version 1.
typedef struct flip_ofx_effects {
    flip_ofx_status (*get_property_set)(void *effect, void **set);
    flip_ofx_status (*get_parameter_set)(void *effect, void **parameters);
    flip_ofx_status (*define_clip)(void *effect, const char *name, void **set);
    flip_ofx_status (*get_clip)(void *effect, const char *name, void **clip, void **set);
    flip_ofx_status (*get_clip_properties)(void *clip, void **set);
    flip_ofx_status (*get_image)(void *clip, double time, const flip_ofx_rectangle *region, void **image);
    flip_ofx_status (*release_image)(void *image);
    flip_ofx_status (*get_clip_region)(void *clip, double time, flip_ofx_rectangle *bounds);
    int (*abort)(void *effect);
    flip_ofx_status (*allocate_memory)(void *effect, size_t bytes, void **memory);
    flip_ofx_status (*free_memory)(void *memory);
    flip_ofx_status (*lock_memory)(void *memory, void **address);
    flip_ofx_status (*unlock_memory)(void *memory);
} flip_ofx_effects;

/// "OfxParameterSuite", version 1. Functions with `...` take pointers to the values, or the values themselves.
typedef struct flip_ofx_parameters {
    flip_ofx_status (*define)(void *parameters, const char *type, const char *name, void **set);
    flip_ofx_status (*get)(void *parameters, const char *name, void **parameter, void **set);
    flip_ofx_status (*get_set_properties)(void *parameters, void **set);
    flip_ofx_status (*get_properties)(void *parameter, void **set);
    /// (void *parameter, ...)
    void *get_value;
    /// (void *parameter, double time, ...)
    void *get_value_at_time;
    /// The rest of the functions, which nothing here calls.
    void *others[12];
} flip_ofx_parameters;

// Swift can't call functions with variable arguments, so these do.

/// Reads the value, one `int`, of a parameter at a time.
static inline flip_ofx_status flip_ofx_get_int(
    const flip_ofx_parameters *suite, void *parameter, double time, int *value) {
    return ((flip_ofx_status (*)(void *, double, ...))suite->get_value_at_time)(parameter, time, value);
}

/// Reads the value, one `double`, of a parameter at a time.
static inline flip_ofx_status flip_ofx_get_double(
    const flip_ofx_parameters *suite, void *parameter, double time, double *value) {
    return ((flip_ofx_status (*)(void *, double, ...))suite->get_value_at_time)(parameter, time, value);
}

/// Reads the value of a parameter of type RGB at a time, into three numbers.
static inline flip_ofx_status flip_ofx_get_color(
    const flip_ofx_parameters *suite, void *parameter, double time, double *values) {
    return ((flip_ofx_status (*)(void *, double, ...))suite->get_value_at_time)(
        parameter, time, values, values + 1, values + 2);
}

#endif

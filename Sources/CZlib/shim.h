#include <zlib.h>

// A macro with a cast, which Swift can't see.
static inline int flip_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

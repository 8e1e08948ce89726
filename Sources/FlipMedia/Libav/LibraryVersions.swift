import CLibav
import FlipFiles

/// The versions of the libraries that this process runs with; the bytes of an output depend on them.
package enum LibraryVersions {
    /// The versions by library: `ffmpeg` as FFmpeg's own version string, `libavcodec` and its siblings as
    /// major.minor.micro, `libx264` and `libx265` as their build number, present only if libavcodec has loaded them.
    package static let all: [String: String] = {
        var versions = [
            "ffmpeg": String(cString: av_version_info()),
            "libavcodec": text(avcodec_version()), "libavformat": text(avformat_version()),
            "libavfilter": text(avfilter_version()), "libavutil": text(avutil_version()),
            "libswscale": text(swscale_version()), "libswresample": text(swresample_version()),
        ]
        // These two state the build number only in the names of their entry points.
        versions["libx264"] = build(before: "x264_encoder_open_")
        versions["libx265"] = build(before: "x265_api_get_")
        return versions
    }()

    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }

    private static func build(before name: String) -> String? {
        guard let program = dlopen(nil, RTLD_NOW) else { return nil }
        defer { dlclose(program) }
        return (50...999).first { dlsym(program, "\(name)\($0)") != nil }.map { "\($0)" }
    }
}

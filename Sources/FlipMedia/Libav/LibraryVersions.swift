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

    /// The licence under which FFmpeg was built, such as "GPL version 2 or later". A program that is distributed with it is under
    /// that licence as a whole.
    package static let license = String(cString: avcodec_license())

    /// The instruction set that the libraries use on this machine, as a level of x86-64 or as the name of the
    /// architecture. Measured with FFmpeg 5.1 and x264 164: scaling (libswscale) and AAC give other bytes with SSE4.2
    /// than with AVX2, x264 with SSE2 than with SSSE3, and nothing differs between AVX2 and AVX-512.
    package static let processor: String = {
        #if arch(x86_64)
            let flags = av_get_cpu_flags()
            if flags & AV_CPU_FLAG_AVX2 != 0 { return "x86-64-v3" }
            return flags & AV_CPU_FLAG_SSE42 != 0 ? "x86-64-v2" : "x86-64"
        #elseif arch(arm64)
            return "arm64"
        #else
            return "other"
        #endif
    }()

    private static func text(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }

    private static func build(before name: String) -> String? {
        guard let program = dlopen(nil, RTLD_NOW) else { return nil }
        defer { dlclose(program) }
        return (50...999).first { dlsym(program, "\(name)\($0)") != nil }.map { "\($0)" }
    }
}

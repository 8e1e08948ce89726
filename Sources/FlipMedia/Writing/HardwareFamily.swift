/// A family of encoders that work in hardware, by the ending of their names in libav.
package struct HardwareFamily: Sendable {
    /// What follows the codec in the encoders' names, such as "_nvenc".
    package let ending: String
    /// What a machine needs for them, as docs/OUTPUT.md says it.
    package let needs: String
    /// The entries of `--video-options` that ask for a constant quality, of which an encoder has the first that it
    /// knows; empty if there are none.
    package let qualities: [String]

    package static let all = [
        HardwareFamily(ending: "_nvenc", needs: "an NVIDIA GPU with NVIDIA's driver", qualities: ["cq=23"]),
        HardwareFamily(
            ending: "_vaapi", needs: "an Intel or AMD GPU with a VA-API driver",
            qualities: ["qp=23", "global_quality=23"]),
        HardwareFamily(
            ending: "_qsv", needs: "an Intel GPU with the Quick Sync runtime", qualities: ["global_quality=23"]),
        // 65 of 100, in units of FF_QP2LAMBDA (118), as ffmpeg's -q:v 65 sets it.
        HardwareFamily(ending: "_videotoolbox", needs: "macOS", qualities: ["flags=+qscale:global_quality=7670"]),
        HardwareFamily(ending: "_vulkan", needs: "a GPU with Vulkan's video extensions", qualities: ["qp=23"]),
        HardwareFamily(ending: "_amf", needs: "an AMD GPU with AMD's runtime", qualities: ["rc=cqp:qp_i=23:qp_p=23"]),
        HardwareFamily(ending: "_v4l2m2m", needs: "a V4L2 encoder device, as small boards have", qualities: []),
    ]

    /// The family of an encoder; nil for an encoder of no known family.
    package static func of(encoder name: String) -> HardwareFamily? { all.first { name.hasSuffix($0.ending) } }

    /// libav's name of the default software encoder for a codec; nil for codecs that have none here.
    package static func software(for codec: String) -> String? {
        [
            "h264": "libx264", "hevc": "libx265", "av1": "libsvtav1", "vp9": "libvpx-vp9", "vp8": "libvpx",
            "mpeg2video": "mpeg2video", "mpeg4": "mpeg4", "mjpeg": "mjpeg", "h263": "h263", "prores": "prores_ks",
        ][codec]
    }
}

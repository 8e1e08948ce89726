import TestSupport
import Testing

/// Pipelines of GStreamer with the element in them, and pictures that go through them.
enum GStreamer {
    /// Runs a program whose GStreamer finds the element. A registry of its own keeps the machine's plugins apart.
    static func run(_ words: [String], _ folder: TemporaryFolder, variables: [String] = []) throws -> ToolRun {
        let own = [
            "GST_PLUGIN_PATH=\(try #require(Places.gstreamer))", "GST_REGISTRY=\(folder / "registry")",
            "GST_DEBUG_NO_COLOR=1",
        ]
        return try Tool.run("env", own + variables + words, timeout: 120)
    }

    /// Runs a pipeline in gst-launch-1.0's notation, without spaces in words.
    static func launch(_ pipeline: String, _ folder: TemporaryFolder, variables: [String] = []) throws -> ToolRun {
        try run(
            ["gst-launch-1.0", "-q"] + pipeline.split(separator: " ").map(String.init), folder, variables: variables)
    }

    /// Runs a pipeline that has to end without a word.
    static func play(_ pipeline: String, _ folder: TemporaryFolder) throws {
        let run = try launch(pipeline, folder)
        #expect(run.status == 0 && run.messages.isEmpty, "\(pipeline): \(run.messages)")
    }

    /// A pixel format by GStreamer's and FFmpeg's names, and the planar one in which the program writes its samples.
    struct Format: CustomStringConvertible {
        let host: String
        let name: String
        let planar: String

        init(_ host: String, _ name: String, _ planar: String? = nil) {
            (self.host, self.name, self.planar) = (host, name, planar ?? name)
        }

        var description: String { host }
        var hasAlpha: Bool { planar.contains("gbrap") || planar.contains("yuva") }
        var isRGB: Bool { planar.hasPrefix("gbr") }
    }

    static let formats = [
        Format("I420", "yuv420p"), Format("I420_10LE", "yuv420p10le"), Format("I420_12LE", "yuv420p12le"),
        Format("Y42B", "yuv422p"), Format("I422_10LE", "yuv422p10le"), Format("I422_12LE", "yuv422p12le"),
        Format("Y444", "yuv444p"), Format("Y444_10LE", "yuv444p10le"), Format("Y444_12LE", "yuv444p12le"),
        Format("Y444_16LE", "yuv444p16le"), Format("Y41B", "yuv411p"), Format("NV12", "nv12", "yuv420p"),
        Format("NV21", "nv21", "yuv420p"), Format("NV16", "nv16", "yuv422p"), Format("NV24", "nv24", "yuv444p"),
        Format("A420", "yuva420p"), Format("A420_10LE", "yuva420p10le"), Format("A422_10LE", "yuva422p10le"),
        Format("A444_10LE", "yuva444p10le"), Format("GRAY8", "gray"), Format("GRAY16_LE", "gray16le"),
        Format("GBR", "gbrp"), Format("GBR_10LE", "gbrp10le"), Format("GBR_12LE", "gbrp12le"),
        Format("GBRA", "gbrap"), Format("GBRA_10LE", "gbrap10le"), Format("GBRA_12LE", "gbrap12le"),
        Format("RGBA", "rgba", "gbrap"), Format("BGRA", "bgra", "gbrap"), Format("ARGB", "argb", "gbrap"),
        Format("ABGR", "abgr", "gbrap"), Format("RGBx", "rgb0", "gbrp"), Format("BGRx", "bgr0", "gbrp"),
        Format("xRGB", "0rgb", "gbrp"), Format("xBGR", "0bgr", "gbrp"), Format("RGB", "rgb24", "gbrp"),
        Format("BGR", "bgr24", "gbrp"), Format("RGBA64_LE", "rgba64le", "gbrap16le"),
        Format("BGRA64_LE", "bgra64le", "gbrap16le"),
    ]

    /// The length of a frame is a binary fraction, so that times are the same in nanoseconds and in seconds.
    static let rate = 32
    static let (width, height) = (96, 72)

    /// Frames of two clips.
    static func pair(_ format: Format, count: Int, second: Int? = nil) throws -> (
        a: (raw: String, file: String), b: (raw: String, file: String)
    ) {
        try (pictures("testsrc2", format, count: count), pictures("mandelbrot", format, count: second ?? count))
    }

    /// Frames of ffmpeg's generator `source`, as raw video in `format`, and as a file for the program.
    static func pictures(_ source: String, _ format: Format, count: Int) throws -> (raw: String, file: String) {
        let size = ["-s", "\(Self.width)x\(Self.height)", "-r", "\(Self.rate)"]
        let alpha = format.hasAlpha ? "format=gbrap,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'," : ""
        let planes = try Clips.shared.get().make(
            "gstreamer-\(source)-\(format.planar)-\(count).raw", "-f lavfi -i",
            "\(source)=s=\(Self.width)x\(Self.height):r=\(Self.rate) -frames:v \(count)",
            "-vf format=gbrp,\(alpha)format=\(format.planar) -f rawvideo")
        let given = ["-f", "rawvideo", "-pix_fmt", format.planar] + size + ["-i", planes]
        let file = try Clips.shared.get().make(
            "gstreamer-\(source)-\(format.planar)-\(count).nut", given + ["-c:v", "rawvideo"])
        if format.host == "NV16" {
            let samples = interleaved(try Data(contentsOf: planes))
            try samples.write(to: planes + ".nv16")
            return (planes + ".nv16", file)
        }
        let raw = try Clips.shared.get().make(
            "gstreamer-\(source)-\(format.name)-\(count).bin", "\(given) -pix_fmt \(format.name) -f rawvideo")
        return (raw, file)
    }

    /// Raw video in yuv422p with the samples of both chroma planes in turns, as in NV16, which swscale doesn't know.
    static func interleaved(_ data: Data) -> Data {
        let size = Self.width * Self.height
        var result = Data(capacity: data.count)
        for start in stride(from: 0, to: data.count, by: 2 * size) {
            result += data[start..<start + size]
            for index in start + size..<start + size * 3 / 2 { result += [data[index], data[index + size / 2]] }
        }
        return result
    }

    /// The elements that read raw video and say what its samples mean, up to the input `sink`. Without tags, the program
    /// takes the matrix of pictures of this size to be that of BT.601.
    static func source(_ raw: String, _ format: Format, to sink: Int, colorimetry: String = "bt601") -> String {
        let nick = format.host.lowercased().replacing("_", with: "-")
        let caps =
            "video/x-raw,colorimetry=\(colorimetry)" + (format.planar.contains("444") ? "" : ",chroma-site=mpeg2")
        return "filesrc location=\(raw) ! rawvideoparse format=\(nick) width=\(Self.width) height=\(Self.height) "
            + "framerate=\(Self.rate)/1 ! " + (format.isRGB ? "" : "capssetter caps=\(caps) ! ") + "m.sink_\(sink)"
    }

    /// The samples of raw video in the planar format, or as they are where swscale doesn't convert to that exactly.
    static func samples(_ raw: String, _ format: Format) throws -> Data {
        if format.hasAlpha || format.host == "NV16" { return try Data(contentsOf: raw) }
        return try Tool.ffmpeg(
            "-f rawvideo -pix_fmt \(format.name) -s \(Self.width)x\(Self.height) -i \(raw) -pix_fmt \(format.planar)",
            "-f rawvideo -"
        ).output
    }
}

import CVapourSynth
import FlipFrame

/// The format and size of a clip's frames.
struct ClipFormat: Sendable {
    /// FFmpeg's name of the pixel format.
    let name: String
    let width: Int
    let height: Int
    let isRGB: Bool
    /// The host's plane for each plane of the pixel format. The host has R'G'B' in this order, FFmpeg G'B'R'.
    private let order: [Int32]

    /// FFmpeg's name of chroma, by the binary logarithms of columns and rows for each sample of it.
    private static let chroma: [[Int32]: String] = [
        [1, 1]: "yuv420p", [1, 0]: "yuv422p", [0, 0]: "yuv444p", [0, 1]: "yuv440p", [2, 0]: "yuv411p",
    ]

    /// The format of the clips that `info` describes. Throws if it varies, or if it is not one that can be drawn; the
    /// error message calls it `title`.
    init(_ info: flip_vs_video_info, title: String) throws(FrameError) {
        let format = info.format
        guard format.color_family != 0, info.width > 0, info.height > 0 else {
            throw FrameError(
                .unsupportedFormat, "the clips' format or size varies (give them one with a function of core.resize)")
        }
        let family: String? =
            switch format.color_family {
            case 1: "gray"
            case 2: "gbrp"
            case 3: Self.chroma[[format.subsampling_x, format.subsampling_y]]
            default: nil
            }
        let name = family.map { $0 + (format.bits_per_sample == 8 ? "" : String(format.bits_per_sample)) }
        guard let name, format.sample_type == 0, FrameFormat.supports(name) else {
            throw FrameError(
                .unsupportedFormat,
                "format \(title) is not drawn (expected gray, RGB, or YUV 4:2:0, 4:2:2, 4:4:4, 4:4:0 or 4:1:1 with "
                    + "integers of 8 to 16 bits; convert the clips with a function of core.resize)")
        }
        self.name = name
        width = Int(info.width)
        height = Int(info.height)
        isRGB = format.color_family == 2
        order = isRGB ? [1, 2, 0] : Array(0..<format.plane_count)
    }

    /// A frame that is read.
    func picture(_ frame: OpaquePointer, api: flip_vs_api) throws(FrameError) -> FramePicture {
        try picture(frame, api) { UnsafeMutableRawPointer(mutating: api.get_read_pointer(frame, $0)) }
    }

    /// A frame that is written.
    func picture(writing frame: OpaquePointer, api: flip_vs_api) throws(FrameError) -> FramePicture {
        try picture(frame, api) { api.get_write_pointer(frame, $0).map { UnsafeMutableRawPointer($0) } }
    }

    private func picture(
        _ frame: OpaquePointer, _ api: flip_vs_api, _ start: (Int32) -> UnsafeMutableRawPointer?
    ) throws(FrameError) -> FramePicture {
        var planes: [FramePicture.Plane] = []
        for plane in order {
            guard let start = start(plane) else {
                throw FrameError(.invalidArgument, "a frame lies in the memory of a GPU (download it first)")
            }
            planes.append(FramePicture.Plane(start, stride: api.get_stride(frame, plane)))
        }
        return FramePicture(planes)
    }
}

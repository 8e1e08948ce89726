import CLibav
import CSystem
import FlipBase
import FlipFiles

/// Draws the captions of files over frames, by libass.
package final class CaptionFilter {
    private let files: [(path: String, style: String?)]
    private let threads: Int
    /// The filter for frames of one shape.
    private var made: (shape: PictureShape, graph: FilterGraph)?

    /// Throws `missingCodec` if this FFmpeg was built without libass, or if there is no font.
    package static func check() throws(MediaError) {
        if avfilter_get_by_name("subtitles") == nil {
            throw MediaError(.missingCodec, "this FFmpeg can't draw captions: it was built without libass")
        }
        guard hasFont else {
            throw MediaError(
                .missingCodec,
                "there is no font to draw texts and captions with (install one, such as Debian's \(fontPackage))")
        }
    }

    /// A package of Debian and Ubuntu with a font for most alphabets.
    package static let fontPackage = "fonts-dejavu-core"

    /// Whether the system has any font. Without one, libass draws nothing and doesn't fail.
    package static let hasFont: Bool = (try? drawsLetters()) ?? true

    /// Names the folders where fonts usually are, by a file beside the program, where it is linked statically and the system has
    /// no configuration of fontconfig.
    private static let fontFolders: Void = {
        guard flip_is_static() != 0, access("/etc/fonts/fonts.conf", R_OK) != 0,
            let program = realpath("/proc/self/exe", nil)
        else { return }
        defer { free(program) }
        let prefix = String(cString: program).split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        let path = prefix + "/share/fliptransition/fonts.conf"
        if access(path, R_OK) == 0 { setenv("FONTCONFIG_FILE", path, 0) }
    }()

    private static func drawsLetters() throws(MediaError) -> Bool {
        fontFolders
        let script = try NamelessFile()
        try script.append(Array("1\n00:00:00,000 --> 00:00:01,000\nX\n".utf8))
        var color = ColorDescription()
        (color.matrix, color.isFullRange) = ("gbr", true)
        let black = VideoConform(
            width: 256, height: 256, frameRate: Rational(25), pixelFormat: .planarRGB(depth: 8), color: color)
        let drawn = try CaptionFilter([(script.location, nil)], threads: 1).draw(over: try black.blankFrame(), at: 500)
        let (base, stride) = drawn.plane(0)
        for y in 0..<drawn.height {
            let line = (base + y * stride).assumingMemoryBound(to: UInt8.self)
            if (0..<drawn.width).contains(where: { line[$0] > 0 }) { return true }
        }
        return false
    }

    /// - Parameter files: SRT or ASS files, whose paths have no characters that mean something to libavfilter, and the
    ///   fields of the captions' styles that are changed; nil for none. Each is drawn over those before it.
    package init(_ files: [(path: String, style: String?)], threads: Int) {
        (self.files, self.threads) = (files, threads)
    }

    /// A copy of the frame with the captions that are shown at `time`, in milliseconds.
    package func draw(over frame: VideoFrame, at time: Int) throws(MediaError) -> VideoFrame {
        guard let shape = PictureShape(frame.frame, sampleAspectRatio: Rational(1)) else {
            throw MediaError(.internalFault, "got a frame without a size for captions")
        }
        let graph: FilterGraph
        if let made, made.shape == shape {
            graph = made.graph
        } else {
            let filters = files.map { path, style in
                "subtitles=filename='\(path)'" + (style.map { ":force_style='\($0)'" } ?? "")
            }
            graph = try FilterGraph(
                videoSources: [shape.sourceArguments],
                chain: (filters + ["format=\(shape.pixelFormat)"]).joined(separator: ","), threads: threads)
            made = (shape, graph)
        }
        let reference = try frame.frame.newReference()
        reference.pointer.pointee.pts = Int64(time)
        try graph.send(reference)
        guard let drawn = try graph.receive() else {
            throw MediaError(.internalFault, "drawing captions returned no frame")
        }
        shape.color.tag(drawn.pointer)
        return VideoFrame(drawn)
    }
}

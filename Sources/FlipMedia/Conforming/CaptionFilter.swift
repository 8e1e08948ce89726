import CLibav
import FlipBase

/// Draws the captions of files over frames, by libass.
package final class CaptionFilter {
    private let files: [(path: String, style: String?)]
    private let threads: Int
    /// The filter for frames of one shape.
    private var made: (shape: PictureShape, graph: FilterGraph)?

    /// Throws `missingCodec` if this FFmpeg was built without libass.
    package static func check() throws(MediaError) {
        if avfilter_get_by_name("subtitles") == nil {
            throw MediaError(.missingCodec, "this FFmpeg can't draw captions: it was built without libass")
        }
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
        return VideoFrame(drawn, isShared: true)
    }
}

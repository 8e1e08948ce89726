import FlipBase
public import FlipGeometry
import FlipRaster

/// Draws frames of transitions between two pictures in memory into a third one, exactly as the program does.
///
///     let format = try FrameFormat("bgra", width: 640, height: 360)
///     let fold = try FrameTransition(Styles.fold, .mode(.cubic))
///     let renderer = try FrameRenderer(format)
///     try renderer.draw(fold, progress: fold.progress(at: 0.4), from: a, to: b, into: c)
///
/// A renderer keeps its buffers from frame to frame and draws one frame at a time; to draw several at once, use one
/// renderer for each thread. Frames don't depend on those before them. No files are opened.
public final class FrameRenderer {
    /// The format and size of all three pictures.
    public let format: FrameFormat
    private let layout: PixelLayout
    private let renderer: TransitionRenderer
    /// The background that was asked for; nil if none was.
    package var givenBackground: Color?

    /// The numbers of threads that can be asked for.
    public static let threadLimits = Limits.threads

    /// Creates a renderer for pictures of `format`.
    ///
    /// - Parameters:
    ///   - background: the color that shows where there is no page; nil means the look's own, or else black, or
    ///     transparent if the format has alpha.
    ///   - threads: the threads that draw each frame, the caller's among them: 1 creates none, and more than 1 creates
    ///     all others at once, which sleep between frames and end with the renderer. Frames are the same for any number.
    /// - Throws: `FrameError` of kind `invalidArgument` if `threads` is outside 1...256.
    public init(_ format: FrameFormat, background: Color? = nil, threads: Int = 1) throws(FrameError) {
        try FrameRenderer.checkThreads(threads)
        self.format = format
        layout = format.layout
        givenBackground = background
        renderer = TransitionRenderer(
            layout: layout, width: format.width, height: format.height, background: .black, threads: threads)
    }

    /// Draws the moment of `transition` at `progress`, 0...1 after easing; 0 gives exactly `from`, and 1 exactly `to`. The
    /// transition's shutter doesn't matter, since a moment has no motion.
    ///
    /// No byte of `into` may belong to one of the other two pictures, or to two of its planes; `from` and `to` may be the
    /// same. A sample value beyond its format's bit depth counts as the largest value of that depth.
    ///
    /// - Throws: `FrameError` of kind `invalidArgument`; nothing has been drawn then.
    public func draw(
        _ transition: FrameTransition, progress: Double, from: FramePicture, to: FramePicture, into: FramePicture
    ) throws(FrameError) {
        try FrameRenderer.checkProgress(progress)
        let (from, to, into) = try checked(from, to, into)
        prepare(transition)
        renderer.render(transition.look, progress: progress, from: from, to: to, into: into)
    }

    /// Draws frame `index`, counted from 0, of a `transition` that lasts for `count` frames, with its easing and its shutter.
    /// The pictures are as in the other function.
    ///
    /// - Throws: `FrameError` of kind `invalidArgument`, also unless `index` is in 0..<`count`; nothing has been drawn then.
    public func draw(
        _ transition: FrameTransition, frame index: Int, of count: Int, from: FramePicture, to: FramePicture,
        into: FramePicture
    ) throws(FrameError) {
        guard count > 0, (0..<count).contains(index) else {
            throw FrameError(.invalidArgument, "invalid frame \(index) of \(count) (they are counted from 0)")
        }
        try draw(
            transition, at: TransitionTime.ofFrame(index, in: count), spacing: TransitionTime.spacing(of: count),
            progress: { transition.progress(at: $0) }, from: from, to: to, into: into)
    }

    /// Draws the frame at `time`, 0...1, of a transition whose frames follow one another after `spacing` of it.
    package func draw(
        _ transition: FrameTransition, at time: Double, spacing: Double, progress: (Double) -> Double,
        from: FramePicture, to: FramePicture, into: FramePicture
    ) throws(FrameError) {
        let (from, to, into) = try checked(from, to, into)
        prepare(transition)
        renderer.render(
            transition.look, at: time, spacing: spacing, progress: progress, from: from, to: to, into: into)
    }

    private func prepare(_ transition: FrameTransition) {
        renderer.background = transition.look.background(given: givenBackground, orElse: defaultBackground)
    }

    /// The views of three pictures, of which the last one is drawn into.
    private func checked(
        _ from: FramePicture, _ to: FramePicture, _ into: FramePicture
    ) throws(FrameError) -> (PictureView, PictureView, PictureView) {
        let from = try checked("from", from)
        let to = try checked("to", to)
        let into = try checked("into", into)
        for (name, source) in [("from", from), ("to", to)] where source.overlaps(into) {
            throw FrameError.sharedMemory(name)
        }
        if let (first, second) = into.overlappingPlanes {
            throw FrameError(
                .invalidArgument, "planes \(first) and \(second) of 'into' share memory (give each plane its own)")
        }
        return (from.view, to.view, into.view)
    }

    /// Fills `into` with the background, as where there is neither picture. Throws as `draw` does.
    package func drawBackground(into: FramePicture) throws(FrameError) {
        let into = try checked("into", into)
        renderer.background = givenBackground ?? defaultBackground
        renderer.renderBackground(into: into.view)
    }

    /// The background if neither the caller nor the look has one.
    private var defaultBackground: Color { layout.format.hasAlpha ? .transparent : .black }

    /// Throws if a frame can't be drawn by this many threads.
    static func checkThreads(_ threads: Int) throws(FrameError) {
        guard threadLimits.contains(threads) else {
            throw FrameError(.invalidArgument, "invalid threads \(threads) (expected \(threadLimits))")
        }
    }

    /// Throws if there is no frame at `progress`.
    static func checkProgress(_ progress: Double) throws(FrameError) {
        guard (0...1).contains(progress) else {
            throw FrameError(.invalidArgument, "invalid progress \(progress) (expected 0...1)")
        }
    }

    private func checked(_ name: String, _ picture: FramePicture) throws(FrameError) -> CheckedPicture {
        try CheckedPicture(name, picture, layout, width: format.width, height: format.height)
    }
}

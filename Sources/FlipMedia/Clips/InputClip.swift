import FlipBase

/// A clip of an output: what its frames come from, and which of them are used.
package struct InputClip: Sendable {
    package enum Source: Sendable {
        /// A media file, as it was measured.
        case file(MediaInfo)
        /// A page of a document, which is drawn when it is needed.
        case page(DocumentPage)
        /// A gap in a timeline: frames of the background, and silence.
        case gap
        /// A file that is still coming in through a pipe and can't be opened again.
        case live(MediaInfo, any LiveSource)
    }

    package var source: Source
    package var use: ClipUse

    package init(_ source: Source, _ use: ClipUse) { (self.source, self.use) = (source, use) }

    /// The frames of all clips are repeated where the clip is shown for longer than it lasts; those of stills always.
    package var isStill: Bool { source.video?.isStill ?? true }

    /// The path at which the input was given.
    package var path: String { source.path }

    /// The page of a document; nil for other inputs.
    package var page: DocumentPage? {
        guard case .page(let page) = source else { return nil }
        return page
    }

    /// The name in messages.
    package var name: String { source.info?.name ?? source.path }

    package var info: MediaInfo? { source.info }

    /// Nil for a gap.
    package var video: VideoInfo? { source.video }

    package var audio: AudioInfo? { source.info?.audio }

    /// The stream time, in seconds, at which the used part begins; for audio as well as for video.
    package var usedStart: Rational { (source.video?.start ?? .zero) + use.span.start }

    /// The number of the first used frame; nil if the used part begins between two frames or the rate is variable.
    package var firstUsedFrame: Int? {
        guard let video, !video.isVariableFrameRate else { return nil }
        let frame = use.span.start * video.frameRate
        return frame.denominator == 1 ? frame.numerator : nil
    }

    /// The same clip, of which only `frames` are used, counted from the start of what was used before.
    /// - Parameter rate: the frames per second at which they are counted; nil for the clip's own rate, which must be
    ///   constant then.
    package func using(frames: Range<Int>, at rate: Rational? = nil) -> InputClip {
        guard let video else { return self }
        return InputClip(source, use.frames(frames, at: rate ?? video.frameRate, of: video))
    }

    /// The same clip, of which so many more output frames are used before and after what was used before.
    /// - Parameter conform: the form of the output frames.
    package func extended(by handles: (head: Int, tail: Int), _ conform: VideoConform) -> InputClip {
        if handles == (0, 0) { return self }
        guard let video, !isStill else {
            // One picture is shown for longer, and so is nothing.
            let more = Rational(handles.head + handles.tail) / conform.frameRate
            return InputClip(source, ClipUse(span: TimeSpan(start: use.span.start, duration: use.span.duration + more)))
        }
        let frames = -handles.head..<conform.frameCount(of: use) + handles.tail
        return InputClip(source, use.frames(frames, at: conform.frameRate, of: video))
    }

    /// The same clip without the index of its file's packets.
    package var withoutPackets: InputClip { InputClip(source.withoutPackets, use) }

    /// One sentence for each thing in the file that can't be used.
    package var complaints: [String] {
        guard let info else { return [] }
        let skipsEnd =
            info.video.map { !$0.isStill && use.timing == nil && use.span.end < $0.duration } ?? false
        return info.complaints(skipsEnd: skipsEnd)
    }
}

extension InputClip.Source {
    package var path: String {
        switch self {
        case .file(let info), .live(let info, _): info.path
        case .page(let page): page.name
        case .gap: "gap"
        }
    }

    /// What was measured; nil for a page and a gap, which have no file.
    package var info: MediaInfo? {
        switch self {
        case .file(let info), .live(let info, _): info
        case .page, .gap: nil
        }
    }

    /// The tags that say something of the film: those of the file, or of the page's document.
    package var tags: [String: String] {
        switch self {
        case .file(let info), .live(let info, _): info.metadata
        case .page(let page): page.tags
        case .gap: [:]
        }
    }

    /// Nil for a gap.
    package var video: VideoInfo? {
        switch self {
        case .file(let info), .live(let info, _): info.video
        case .page(let page): page.video
        case .gap: nil
        }
    }

    /// The same source without the index of its file's packets.
    package var withoutPackets: InputClip.Source {
        guard case .file(var info) = self else { return self }
        info.packets = nil
        return .file(info)
    }

    /// A live clip with the length that it turned out to have, and any other clip as it is. To be used after the last
    /// frame was read.
    package var measured: InputClip.Source {
        guard case .live(var info, let input) = self, let video = info.video else { return self }
        info.video = input.measured(video)
        return .live(info, input)
    }
}

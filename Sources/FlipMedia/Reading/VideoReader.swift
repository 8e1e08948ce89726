import CLibav
import FlipBase
import FlipFiles

/// Reads the frames of a video, converted as a `VideoConform` says and at its frame rate.
///
/// Slots are frames of the output; slot 0 is where the used part of the clip begins. Frames of other or variable rates
/// are assigned to slots by time: slot k shows the last frame whose time, rounded to slots, is at most k; under a
/// `ClipTiming` and with `KeptTimes`, the last frame whose time is not after the one that slot k asks for. Frames that are not
/// shown are not converted, and those shown repeatedly are converted once.
package final class VideoReader: @unchecked Sendable {
    private let video: VideoInfo
    private let use: ClipUse
    private let path: String
    /// The file's size in bytes when it was probed; nil for a page, a live clip and what another program makes, which
    /// have no file that could change.
    private let byteCount: Int?
    /// The file that a page was drawn into, or that another program has made; nil for other clips.
    private let drawn: NamelessFile?
    private let conform: VideoConform
    private let threads: Int
    private let clocks: ReadingClocks
    private let reader: StreamReader
    /// The number of frames to give; nil for a live clip until it has ended.
    private var slotCount: Int?
    private let live: LiveInput?
    private var clock: FrameClock
    private let deinterlaces: Bool
    private var deinterlacer: Deinterlacer?
    private var converter: (shape: PictureShape, converter: PictureConverter)?

    private struct Timed {
        var frame: Frame
        var slot: Int
    }
    private var current: Timed?
    private var upcoming: Timed?
    private var hasEnded = false
    private var converted: VideoFrame?
    private var nextSlot = 0

    /// - Parameters:
    ///   - clip: a clip with video, that is not a gap.
    ///   - threads: the number of frames decoded, and of slices converted, at a time.
    ///   - clocks: measure demuxing, decoding and conforming.
    package init(
        _ clip: InputClip, conform: VideoConform, threads: Int, clocks: ReadingClocks = ReadingClocks()
    ) throws(MediaError) {
        guard let video = clip.video else { throw MediaError(.badInput, "'\(clip.name)' has no video") }
        self.video = video
        use = clip.use
        self.conform = conform
        // The programs that make films may flag any frame as interlaced.
        let mayHaveFields = clip.info?.made == nil || video.isInterlaced
        deinterlaces = conform.deinterlaces && mayHaveFields && !conform.keepsFields(of: clip)
        (self.threads, self.clocks) = (threads, clocks)
        path = clip.path
        live = clip.source.live
        byteCount = if case .file(let info) = clip.source, info.made == nil { info.byteCount } else { nil }
        drawn = try clocks.decoding.measure { () throws(MediaError) in
            if case .page(let page) = clip.source { try page.draw() } else { try clip.info?.made?.file() }
        }
        slotCount = live == nil ? conform.frameCount(of: clip.use) : nil
        let isPositioned: Bool
        (reader, isPositioned) = try Self.open(drawn?.location ?? clip.path, clip, video, threads, clocks)
        clock = FrameClock(video: video, timeBase: reader.timeBase, isPositioned: isPositioned)
    }

    /// Opens the clip at a keyframe before its used part, or at its start if that isn't possible; `isPositioned` is
    /// then false.
    private static func open(
        _ path: String, _ clip: InputClip, _ video: VideoInfo, _ threads: Int, _ clocks: ReadingClocks
    ) throws(MediaError) -> (reader: StreamReader, isPositioned: Bool) {
        let (stream, jumps) = (video.streamIndex, clip.info?.jumps)
        let open = { (live: LiveInput?) throws(MediaError) in
            try StreamReader(
                path: path, live: live, streamIndex: stream, jumps: jumps, threads: threads, clocks: clocks)
        }
        let reader = try open(clip.source.live)
        // A deinterlacer looks at the frame before as well.
        let first = clip.usedStart - (video.isInterlaced ? (video.frameRate / Rational(2)).inverse : .zero)
        guard let point = video.seekPoint(before: first, timeBase: reader.timeBase) else { return (reader, false) }
        // A seek that leads too far is followed by one that leads no further, and that by reading everything.
        if reader.file.seeksByPresentation, try reader.seek(to: point.time, latest: point.time) {
            return (reader, true)
        }
        if try reader.seek(to: point.position, latest: point.time) { return (reader, true) }
        return (try open(nil), false)
    }

    /// The number of damaged packets and frames so far, which were concealed or skipped.
    package var decodeErrors: Int { reader.errorCount }

    /// Whether the file turned out to be damaged or to end earlier than it should.
    package var isCutOff: Bool { reader.isCutOff }

    /// Whether the file's size has changed since it was probed.
    package var hasChanged: Bool { byteCount.map { $0 != reader.file.byteCount } ?? false }

    /// Returns the frame of the next slot, from 0 on; nil after `conform.frameCount(of:)` frames. If the file ends
    /// before that, its last frame is held.
    package func next() throws(MediaError) -> VideoFrame? {
        if let slotCount, nextSlot >= slotCount { return nil }
        while !hasEnded, upcoming.map({ $0.slot <= nextSlot }) ?? true { try advance() }
        if hasEnded, slotCount == nil, let live {
            let count = conform.frameCount(of: ClipUse(all: live.measured(video)))
            slotCount = count
            if nextSlot >= count { return nil }
        }
        guard let current else {
            throw MediaError(.badInput, "no picture could be decoded from stream \(video.streamIndex) of '\(path)'")
        }
        nextSlot += 1
        if let converted { return converted }
        let result = try conforming { () throws(MediaError) in try convert(current.frame) }
        clocks.conforming.countOne()
        converted = result
        return result
    }

    /// Makes the upcoming frame the current one and reads one more.
    private func advance() throws(MediaError) {
        if let next = upcoming {
            current = next
            converted = nil
        }
        upcoming = try nextTimed()
        if live != nil, let next = upcoming, let slot = current?.slot { try checkPause(next.slot.minus(slot)) }
        if upcoming == nil { hasEnded = true }
        // The first frame is also shown in slots before its time.
        if current == nil, let first = upcoming { current = first }
    }

    /// Throws if a live clip pauses for longer than `InputLimits.maxLivePause`: its length isn't known before it is
    /// rendered, and the frame would be repeated all the while.
    private func checkPause(_ slots: Int) throws(MediaError) {
        let pause = Rational(slots) / conform.frameRate
        guard pause > InputLimits.maxLivePause else { return }
        throw MediaError(
            .badInput,
            "\(MediaInfo.name(of: path)): there are \(pause.rounded()) s between two frames; in a pipe at most "
                + "\(InputLimits.maxLivePause.rounded()) s are allowed (save it to a file first if that is intended)"
        )
    }

    private func nextTimed() throws(MediaError) -> Timed? {
        while true {
            if let deinterlacer,
                let (frame, time) = try conforming({ () throws(MediaError) in try deinterlacer.receive() })
            {
                return timed(frame, time)
            }
            guard let frame = try reader.next() else {
                return try deinterlacer?.finish().map { timed($0.frame, $0.time) }
            }
            let time = clock.time(ofTicks: frame.timestamp)
            frame.usePlainFormat()
            // Some clips are interlaced only in parts, so the deinterlacer is set up at the first interlaced frame.
            if deinterlacer == nil, deinterlaces, frame.isInterlaced {
                let fresh = Deinterlacer(threads: threads)
                if let before = current?.frame { try fresh.begin(after: before) }
                deinterlacer = fresh
            }
            guard let deinterlacer else { return timed(frame, time) }
            try conforming { () throws(MediaError) in try deinterlacer.send(frame, time: time) }
        }
    }

    private func conforming<Value>(_ work: () throws(MediaError) -> Value) throws(MediaError) -> Value {
        try clocks.conforming.measure(work)
    }

    private func timed(_ frame: Frame, _ time: Rational) -> Timed {
        if let kept = use.kept { return Timed(frame: frame, slot: kept.chosen.partitioningIndex { $0 >= time }) }
        guard let timing = use.timing else {
            return Timed(frame: frame, slot: ((time - use.span.start) * conform.frameRate).rounded())
        }
        // Some containers round times to milliseconds; without this margin, a frame could be shown one slot late.
        let time = video.isVariableFrameRate ? time - Rational(1, 1000) : time
        return Timed(frame: frame, slot: timing.slot(ofPictureAt: time, rate: conform.frameRate))
    }

    private func convert(_ decoded: Frame) throws(MediaError) -> VideoFrame {
        let frame = try ProfileConverter.convert(decoded, inks: reader.file.inks, threads: threads)
        let aspect = reader.sampleAspectRatio(of: frame)
        guard var shape = PictureShape(frame, sampleAspectRatio: aspect) else {
            throw MediaError(.badInput, "stream \(video.streamIndex) of '\(path)' has a picture of unknown format")
        }
        shape.peakLuminance = video.hdr?.peakLuminance
        if let converter, converter.shape == shape { return try converter.converter.convert(frame) }
        let fresh = try PictureConverter(from: shape, transform: video.transform, to: conform, threads: threads)
        converter = (shape, fresh)
        return try fresh.convert(frame)
    }
}

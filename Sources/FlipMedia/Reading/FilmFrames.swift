import CLibav
import FlipBase

/// Decodes the frames of a film one after another, as they are coded, from any place on.
package final class FilmFrames: @unchecked Sendable {
    private let info: MediaInfo
    private let video: VideoInfo
    private let threads: Int
    private var reader: StreamReader
    private var converter: (shape: PictureShape, converter: PictureConverter)?

    /// A decoded frame.
    package struct Decoded: Sendable {
        /// When it is shown, in ticks of the stream's time base; nil if the decoder knows no time.
        package let ticks: Int?
        /// The picture as it is coded.
        package let picture: VideoFrame
        fileprivate let frame: Frame

        /// Whether the frame is damaged, even if the decoder concealed that.
        package var isDamaged: Bool { frame.isDamaged }

        /// Whether it was decoded without others.
        package var isKey: Bool { frame.isKey }
    }

    /// - Parameters:
    ///   - info: a file with video.
    ///   - threads: the number of frames decoded at a time.
    package init(_ info: MediaInfo, threads: Int) throws(MediaError) {
        guard let video = info.video else { throw MediaError(.badInput, "\(info.name) has no video stream") }
        (self.info, self.video, self.threads) = (info, video, threads)
        reader = try Self.open(info, video, threads)
    }

    private static func open(
        _ info: MediaInfo, _ video: VideoInfo, _ threads: Int
    ) throws(MediaError) -> StreamReader {
        try StreamReader(path: info.path, streamIndex: video.streamIndex, jumps: info.jumps, threads: threads)
    }

    /// Goes to where decoding has to begin for the frame shown at `ticks`, or farther back.
    /// - Returns: whether that is the film's start.
    package func seek(before ticks: Int) throws(MediaError) -> Bool {
        if let point = start(before: ticks) {
            if try reader.seek(to: point.position, latest: point.time) { return false }
        }
        try restart()
        return true
    }

    /// Goes to the film's start.
    package func restart() throws(MediaError) { reader = try Self.open(info, video, threads) }

    /// The place at which decoding has to begin for the frame shown at `ticks`; nil for the film's start.
    package func start(before ticks: Int) -> SeekPoint? {
        video.seekPoint(before: video.timeBase.scaled(count: ticks), timeBase: video.timeBase)
    }

    /// The next frame; nil at the end.
    package func next() throws(MediaError) -> Decoded? {
        guard let frame = try reader.next() else { return nil }
        // What the packet says counts for more than the decoder's guess.
        let stated = frame.pointer.pointee.pts
        return Decoded(
            ticks: stated == flip_nopts ? frame.timestamp : Int(stated), picture: VideoFrame(frame),
            frame: frame)
    }

    /// The number of damaged packets and frames since the film was last opened.
    package var errorCount: Int { reader.errorCount }

    /// The frame as `conform` says.
    package func converted(_ decoded: Decoded, to conform: VideoConform) throws(MediaError) -> VideoFrame {
        let frame = try decoded.frame.newReference()
        frame.usePlainFormat()
        guard var shape = PictureShape(frame, sampleAspectRatio: reader.sampleAspectRatio(of: frame)) else {
            throw MediaError(.badInput, "stream \(video.streamIndex) of '\(info.path)' has a picture of unknown format")
        }
        shape.peakLuminance = video.hdr?.peakLuminance
        if let converter, converter.shape == shape { return try converter.converter.convert(frame) }
        let fresh = try PictureConverter(from: shape, transform: video.transform, to: conform, threads: threads)
        converter = (shape, fresh)
        return try fresh.convert(frame)
    }
}

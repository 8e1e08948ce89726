import FlipBase
import FlipFiles
import FlipMedia

/// Encodes one segment of a video into a packet file. The encoder is fresh, begins with a keyframe and is drained, so
/// nothing in the file refers to anything outside it, and its bytes depend on its frames alone.
package final class SegmentWriter {
    private let track: TrackAssembler
    private let file: PacketFile
    /// The number of frames in the segment.
    private let count: Int
    /// The number of frames so far.
    private var frames = 0

    /// Opens the encoder for `count` frames.
    /// - Parameter parts: `.stored` or `.storedBesideCopies`, as the output requires.
    package init(
        _ encoding: VideoEncoding, in container: Container, count: Int,
        of parts: TrackAssembler.Parts = .stored(withHolds: false), into file: PacketFile,
        clocks: WritingClocks = WritingClocks()
    ) throws {
        self.file = file
        self.count = count
        track = try TrackAssembler(encoding, in: container, of: parts, clocks: clocks)
        try file.begin(track.head(recipe: encoding.recipe(in: container), count: count))
        track.connect { packet in
            try clocks.muxing.measure { () throws(MediaError) in try file.append(packet) }
        }
    }

    /// Encodes the next frame, which is shown for the time of `count` frames.
    /// - Parameter body: called once for each of these, as soon as it is done. An error that it throws ends the work.
    package func write(_ frame: VideoFrame, count: Int = 1, _ body: () throws -> Void = {}) throws {
        precondition(frames + count <= self.count)
        try track.encode(frame, at: frames..<frames + count) { end in
            while frames < end {
                frames += 1
                try body()
            }
        }
    }

    /// Drains the encoder after the last frame. Throws `SpliceFailure` unless each frame became one packet, and the
    /// first one a keyframe.
    package func finish() throws {
        let written = try track.finish()
        guard frames == count, written?.frames == count, written?.starts.first?.frame == 0,
            written?.keys.contains(0) == true
        else {
            throw SpliceFailure(
                "the encoder '\(track.video.encoder.name)' made \(written?.frames ?? 0) packets of \(count) frames, or "
                    + "no keyframe first")
        }
        try file.finish()
    }
}

extension AudioAssembler {
    /// Opens an encoder that writes the whole audio of an output, `count` samples per channel, into a packet file.
    package convenience init(
        _ encoding: AudioEncoding, in container: Container, count: Int, into file: PacketFile, clock: StageClock
    ) throws(MediaError) {
        try self.init(encoding, in: container, clock: clock) { (packet: AudioPacket) throws(MediaError) in
            try file.append(packet.packet)
        }
        try file.begin(model.head(recipe: encoding.recipe(in: container), count: count))
    }
}

/// The audio of a whole output, encoded and stored before.
package final class StoredAudio {
    /// An encoder that is opened only for the stream parameters that the container needs.
    package let model: StreamEncoder
    private let recipe: String
    private var reader: PacketReader?

    package init(_ encoding: AudioEncoding, in container: Container) throws(MediaError) {
        model = try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: try container.wantsGlobalHeaders)
        recipe = encoding.recipe(in: container)
    }

    /// Opens the file with the audio, `count` samples per channel.
    /// - Throws: `badInput` if the file holds other audio or was made with other settings.
    package func open(_ file: PacketFile, count: Int) throws(MediaError) {
        let reader = try PacketReader(file)
        guard reader.head == model.head(recipe: recipe, count: count) else { throw file.isForeign }
        self.reader = reader
    }

    /// The next packet; nil after the last, or if no file was opened.
    package func next() throws(MediaError) -> AudioPacket? {
        try reader?.next().map { AudioPacket(packet: $0, isCopied: false) }
    }
}

extension StreamEncoder {
    /// The head of a packet file that holds the encoder's packets.
    fileprivate func head(recipe: String, count: Int) -> PacketFile.Head {
        PacketFile.Head(recipe: recipe, header: header, reorderDepth: reorderDepth, count: count)
    }
}

extension PacketFile {
    /// The error for a file that can't become part of an output.
    var isForeign: MediaError {
        MediaError(
            .badInput, "the segment '\(name)' was made for another output or by another encoder (render it again)")
    }
}

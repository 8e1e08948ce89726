import FlipBase
import FlipBitstream
import FlipMedia

/// Shortens the encoding of holds (frames shown for long): the encoder gets only a hold's first frames, in which the
/// picture reaches its full quality; generated packets that repeat the picture stand for the others. The next frame
/// that the encoder gets is a keyframe.
package struct HeldFrames {
    /// The extradata for the container: the encoder's, and the PPS that the repeating packets refer to.
    package let header: [UInt8]
    private var picture: RepeatedPicture
    /// The ranges of frames that the encoder doesn't get and that have no packets yet, ascending.
    private var gaps: [Range<Int>] = []

    /// The number of a hold's frames that are encoded: more than the ten of lookahead in x264's fast presets.
    private static let settling = 16

    /// Returns nil if holds can't be shortened: for encoders other than libx264, for a given bit rate (which the
    /// encoder would miss, not knowing of the repeated frames), or for given options, whose effect on the stream is
    /// unknown.
    package init?(_ encoding: VideoEncoding, _ encoder: StreamEncoder) {
        guard Self.isPossible(encoding, by: encoder.name),
            let picture = RepeatedPicture(after: encoder.header)
        else { return nil }
        self.picture = picture
        header = encoder.header + [0, 0, 0, 1] + picture.pictureParameterSet
    }

    /// Whether holds can be shortened in a file of `container`, unless the encoder's header can't be parsed.
    package static func isPossible(_ encoding: VideoEncoding, in container: Container) -> Bool {
        (try? container.wantsGlobalHeaders) == true && container.storesDecodingTimes
            && isPossible(encoding, by: encoding.codec ?? container.defaultVideoCodec)
    }

    private static func isPossible(_ encoding: VideoEncoding, by name: String) -> Bool {
        name == "libx264" && encoding.bitrate == nil && encoding.options.isEmpty
    }

    /// For how many more frames a hold of `count` frames can be shown by packets that repeat its last ones.
    package static func repeatable(after count: Int) -> Int {
        guard let last = parts(of: 0..<count).last, !last.repeated.isEmpty else { return 0 }
        return last.encoded.lowerBound + Encoders.defaultKeyframeInterval - count
    }

    /// Registers that the frames `hold` are all the same.
    /// - Returns: the ranges of them that have to be encoded.
    package mutating func hold(_ hold: Range<Int>) -> [Range<Int>] {
        let parts = HeldFrames.parts(of: hold)
        gaps += parts.map(\.repeated).filter { !$0.isEmpty }
        return parts.map(\.encoded)
    }

    /// How the frames of a hold are made, one keyframe interval after another: the first ones are encoded, and the
    /// others, which may be none, repeat the last of these.
    package static func parts(of hold: Range<Int>) -> [(encoded: Range<Int>, repeated: Range<Int>)] {
        stride(from: hold.lowerBound, to: hold.upperBound, by: Encoders.defaultKeyframeInterval).map { first in
            let end = min(first + Encoders.defaultKeyframeInterval, hold.upperBound)
            let settled = min(first + HeldFrames.settling, end)
            return (first..<settled, settled..<end)
        }
    }

    /// Whether frame `index` has to be a keyframe, because the frames right before it are not encoded.
    package func needsKey(_ index: Int) -> Bool { gaps.contains { $0.upperBound == index } }

    /// The frames that need repeating packets before that of `frame`; nil if there are none. They count as done then.
    /// - Parameter frame: the frame of the encoder's next packet; nil after the last.
    package mutating func gap(before frame: Int?) -> Range<Int>? {
        guard let gap = gaps.first, gap.upperBound <= frame ?? .max else { return nil }
        return gaps.removeFirst()
    }

    /// Takes note of an encoder's packet that may have to be repeated. Returns false if it can't be parsed.
    package mutating func note(_ packet: Packet, frame: Int) -> Bool {
        gaps.isEmpty || picture.note(packet.bytes, time: frame)
    }

    /// A packet that repeats the picture that is shown last; nil if it is not a reference picture.
    package mutating func repeated() -> [UInt8]? { picture.next() }
}

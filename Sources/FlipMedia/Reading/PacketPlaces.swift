import FlipBase

/// Where the packets read so far lie in a file, which tells whether it breaks off within one. All places are in bytes
/// from the start of the file.
package struct PacketPlaces {
    /// The start of the packet that lies last in the file so far.
    private var lastStart = 0
    /// The end of the packets so far.
    package private(set) var end = 0
    /// Whether the demuxer flagged the last packet of the file as shorter than its header says. libav's log says the
    /// same, but where the reading position is by then differs between FFmpeg versions.
    package private(set) var lastIsCorrupt = false
    /// The greatest common divisor of all distances between packet starts; nil before the second packet.
    private var pitch: Int?
    /// The stream of the last packet.
    private var lastStream = 0
    /// For each stream, the fewest bytes from the end of a packet's data to the next packet of any stream.
    private var minGaps: [Int: Int] = [:]

    package init() {}

    /// Adds the next packet of the file.
    /// - Parameter start: below 0 if unknown.
    package mutating func add(stream: Int, start: Int, size: Int, isCorrupt: Bool) {
        let distance = abs(start - lastStart)
        if start >= 0, end > 0, distance > 0 { pitch = Rational.greatestCommonDivisor(pitch ?? 0, distance) }
        if start >= end, end > 0 { minGaps[lastStream] = min(minGaps[lastStream] ?? .max, start - end) }
        lastStream = stream
        if start >= lastStart { lastIsCorrupt = isCorrupt }
        lastStart = max(lastStart, start)
        end = max(end, start &+ size)
    }

    /// Whether a file that ends at `position` ends within a frame in a way that libav's demuxer `format` doesn't
    /// report.
    package func endsWithinFrame(at position: Int, format: String) -> Bool {
        let rest = position - end
        switch format {
        case "yuv4mpegpipe": return rest > 0
        // The demuxer shortens the last frame to the bytes that are there. A complete file ends with headers or an
        // index, both of which are longer than a frame's header.
        case "nut": return rest < Self.minTrailer
        // An FLV file is a sequence of tags. A packet's data is followed by the end of its tag and by further tags.
        case "flv":
            let more = rest - (minGaps[lastStream] ?? rest)
            return more < 0 || (1..<Self.minTag).contains(more)
        // A transport stream consists of packets of one size: 188 bytes, 192 with a time stamp before, or 204 with
        // check bytes after.
        case "mpegts":
            return [188, 192, 204].allSatisfy { size in (pitch ?? 0) % size != 0 || (position - lastStart) % size != 0 }
        default: return false
        }
    }

    /// The size in bytes of the shortest NUT index: start code, length, one syncpoint, its own length and a checksum.
    private static let minTrailer = 24
    /// The size in bytes of an FLV tag's header and of the tag's length after it.
    private static let minTag = 11 + 4
}

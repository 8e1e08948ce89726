import FlipBase
import FlipBitstream
import FlipMedia

/// Cuts a stream of subtitle pictures, whose packets change what is on the screen until the next one comes.
struct PictureSubtitles {
    private let format: PictureSubtitleSet.Format
    /// The packets from the last complete one on that came before the first one that is wanted.
    private var before: [Packet] = []
    /// Whether a wanted packet has come.
    private var hasBegun = false
    /// The display set that was shown last.
    private var last: PictureSubtitleSet?
    /// The packets of a display set that isn't finished.
    private var part: (bytes: [UInt8], start: Int)?

    /// Returns nil for formats whose packets say how long they are shown.
    init?(_ codec: String) {
        switch codec {
        case "hdmv_pgs_subtitle": format = .pgs
        case "dvb_subtitle": format = .dvb
        default: return nil
        }
    }

    /// The packets to write once `packet` has come, with their times in the output.
    /// - Parameters:
    ///   - start: the packet's time in the output, in milliseconds.
    ///   - lower: the time from which packets are wanted.
    mutating func add(
        _ packet: Packet, at start: Int, from lower: Int
    ) throws(MediaError) -> [(start: Int, packet: Packet)] {
        var (bytes, start, packet) = (Array(packet.bytes), start, packet)
        if let part { (bytes, start) = (part.bytes + bytes, part.start) }
        guard let set = PictureSubtitleSet(bytes, format) else {
            part = nil
            return []
        }
        if set.isUnfinished {
            part = (bytes, start)
            return []
        }
        if part != nil {
            packet = try Packet(bytes)
            part = nil
        }
        if start < lower {
            before = set.isComplete ? [packet] : before + [packet]
            if !set.isShown { before = [] }
            last = set
            return []
        }
        var made = hasBegun || start == lower ? [] : before.map { (start: lower, packet: $0) }
        before = []
        hasBegun = true
        made.append((start, packet))
        last = set
        return made
    }

    /// The packets to write when no more come: those that were shown at `lower` if none came since, and one that clears
    /// the screen if anything is on it.
    func clearing(from lower: Int) throws(MediaError) -> (shown: [Packet], clear: Packet?) {
        guard let last, last.isShown, hasBegun || !before.isEmpty else { return ([], nil) }
        return (hasBegun ? [] : before, try Packet(last.clearing))
    }
}

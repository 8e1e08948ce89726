import FlipBase
import FlipBitstream

/// The packets of a video stream in decoding order, as one pass over the file found them.
package struct PacketIndex: Sendable {
    /// A packet. Times are in ticks of the stream's time base.
    package struct Entry: Sendable {
        private var pts: Int
        private var dts: Int
        private var ticks: Int
        private var byte: Int
        private var flags: Flags
        /// What the packet means for cutting the stream; `.other` if the packets weren't parsed.
        package internal(set) var role = PacketRole.other

        private struct Flags: OptionSet, Sendable {
            let rawValue: UInt8
            static let key = Flags(rawValue: 1)
            static let hidden = Flags(rawValue: 2)
            static let discarded = Flags(rawValue: 4)
            static let corrupt = Flags(rawValue: 8)
            static let changesHeader = Flags(rawValue: 16)
        }

        /// Stands for a number that is not known: entries are many, and optionals take twice the memory.
        private static let unknown = Int.min

        init(_ packet: Packet, isHidden: Bool) {
            pts = packet.presentationTime ?? Self.unknown
            dts = packet.decodingTime ?? Self.unknown
            ticks = packet.duration ?? Self.unknown
            byte = packet.position ?? Self.unknown
            flags = []
            if packet.isKey { flags.insert(.key) }
            if isHidden { flags.insert(.hidden) }
            if packet.isDiscarded { flags.insert(.discarded) }
            if packet.isCorrupt { flags.insert(.corrupt) }
            if packet.changesHeader { flags.insert(.changesHeader) }
        }

        private static func known(_ number: Int) -> Int? { number == unknown ? nil : number }

        /// The PTS; nil if there is none.
        package var presentation: Int? { Self.known(pts) }
        /// The DTS; nil if there is none.
        package var decoding: Int? { Self.known(dts) }
        /// Nil if unknown.
        package var duration: Int? { Self.known(ticks) }
        /// The position in the file, in bytes from the start; nil if unknown.
        package var position: Int? { Self.known(byte) }
        /// Whether the file marks it as a keyframe.
        package var isKey: Bool { flags.contains(.key) }
        /// Whether it is decoded but not shown, because of an edit list.
        package var isDiscarded: Bool { flags.contains(.discarded) }
        /// Whether its frame is shown, as far as packets tell.
        var isShown: Bool { flags.isDisjoint(with: [.hidden, .discarded]) }
        package var isCorrupt: Bool { flags.contains(.corrupt) }
        /// Whether it brings new extradata.
        package var changesHeader: Bool { flags.contains(.changesHeader) }

        /// Adds `ticks` to the times that are known.
        mutating func move(by ticks: Int) {
            if let presentation { pts = presentation.plus(ticks) }
            if let decoding { dts = decoding.plus(ticks) }
        }
    }

    package internal(set) var entries: [Entry] = []
    /// Whether the file was read to its end, which is neither damaged nor missing.
    package internal(set) var isWhole = false
    /// The stream's header with what its packets have added; nil if the packets weren't parsed, or if the header is
    /// damaged.
    package internal(set) var header: CodedHeader?
    /// The extradata as the file has it.
    package internal(set) var extradata: [UInt8] = []
    /// libav's number of the profile; negative if unknown.
    package internal(set) var profile = -1
    /// The first packet that can't be copied, and why; nil if parsing found none.
    package internal(set) var refusal: (packet: Int, reason: CopyRefusal)?
}

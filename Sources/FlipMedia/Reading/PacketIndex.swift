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
        package var role = PacketRole.other

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

        package init(
            presentation: Int?, decoding: Int?, duration: Int?, position: Int?, isKey: Bool, isHidden: Bool,
            isDiscarded: Bool, isCorrupt: Bool, changesHeader: Bool
        ) {
            pts = presentation ?? Self.unknown
            dts = decoding ?? Self.unknown
            ticks = duration ?? Self.unknown
            byte = position ?? Self.unknown
            flags = []
            if isKey { flags.insert(.key) }
            if isHidden { flags.insert(.hidden) }
            if isDiscarded { flags.insert(.discarded) }
            if isCorrupt { flags.insert(.corrupt) }
            if changesHeader { flags.insert(.changesHeader) }
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
        package var isShown: Bool { flags.isDisjoint(with: [.hidden, .discarded]) }
        package var isCorrupt: Bool { flags.contains(.corrupt) }
        /// Whether it brings new extradata.
        package var changesHeader: Bool { flags.contains(.changesHeader) }

        /// Sets the PTS that the file leaves out.
        mutating func restore(_ presentation: Int) { pts = presentation }

        /// Adds `ticks` to the times that are known.
        package mutating func move(by ticks: Int) {
            if let presentation { pts = presentation.plus(ticks) }
            if let decoding { dts = decoding.plus(ticks) }
        }
    }

    package var entries: [Entry] = []
    /// The PTS that the file leaves out and `restoreTimes` has found, by the packets' numbers.
    package internal(set) var restored: [Int: Int] = [:]
    /// Whether the file was read to its end, which is neither damaged nor missing.
    package var isWhole = false
    /// The stream's header with what its packets have added; nil if the packets weren't parsed, or if the header is
    /// damaged.
    package var header: CodedHeader?
    /// The extradata as the file has it.
    package var extradata: [UInt8] = []
    /// libav's number of the profile; negative if unknown.
    package var profile = -1
    /// The first packet that can't be copied, and why; nil if parsing found none.
    package var refusal: (packet: Int, reason: CopyRefusal)?

    package init() {}
}

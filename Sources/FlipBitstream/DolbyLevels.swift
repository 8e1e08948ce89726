/// What a packet of AC-3 or E-AC-3 says of how loud it is to be played (ETSI TS 102 366 4.4.2, 5.3.1 and E.1.2.2).
package struct DolbyLevels: Sendable, Hashable {
    /// How far the mean level of speech lies below full scale, 1...31 dB. Players make the sound quieter by what it lacks of 31.
    package let dialogue: Int
    /// The codes of the levels at which center and surround channels are mixed into two, where there are such channels.
    package private(set) var center: Int?
    package private(set) var surround: Int?
    /// The codes of the level and the room in which the sound was mixed; nil if the packet doesn't say.
    package private(set) var mixing: Int?
    package private(set) var room: Int?

    /// Whether packets of the codec, or of the encoder, that libav calls `name` say how loud they are to be played.
    package static func areStated(by name: String) -> Bool { name == "ac3" || name == "eac3" }

    /// Returns nil for anything but a packet of the two codecs.
    package init?(_ bytes: some Collection<UInt8>) {
        var reader = BitReader(Array(bytes.prefix(16)))
        guard reader.bits(16) == 0x0B77 else { return nil }
        reader.skip(24)
        guard let version = reader.bits(5) else { return nil }
        if version > 10 {
            // E-AC-3 has all of the channels' forms before it.
            guard version <= 16, let dialogue = reader.bits(5) else { return nil }
            self.dialogue = Self.decibels(dialogue)
            return
        }
        guard reader.bits(3) != nil, let mode = reader.bits(3) else { return nil }
        if mode & 1 == 1, mode != 1 { center = reader.bits(2) }
        if mode & 4 == 4 { surround = reader.bits(2) }
        if mode == 2 { reader.skip(2) }
        guard reader.bit() != nil, let dialogue = reader.bits(5) else { return nil }
        self.dialogue = Self.decibels(dialogue)
        for _ in 0..<2 where reader.bit() == 1 { reader.skip(8) }
        if reader.bit() == 1 { (mixing, room) = (reader.bits(5), reader.bits(2)) }
    }

    /// 0 is reserved, and players take it for 31.
    private static func decibels(_ code: Int) -> Int { code == 0 ? 31 : code }

    /// The options with which libavcodec's encoders write the same, with their defaults for what isn't said.
    package var options: [(String, String)] {
        func level(_ code: Int?, _ levels: [String], _ standard: String) -> String {
            code.flatMap { levels.indices.contains($0) ? levels[$0] : nil } ?? standard
        }
        return [
            ("dialnorm", "\(-dialogue)"),
            ("center_mixlev", level(center, ["0.707107", "0.594604", "0.5"], "0.594604")),
            ("surround_mixlev", level(surround, ["0.707107", "0.5", "0"], "0.5")),
            ("mixing_level", "\(mixing.map { $0 + 80 } ?? -1)"),
            ("room_type", "\(mixing == nil ? -1 : min(2, room ?? 0))"),
        ]
    }
}

/// A display set of subtitles that consist of pictures: everything that changes on the screen at one time.
package struct PictureSubtitleSet: Sendable {
    package enum Format: Sendable {
        /// Presentation graphics of Blu-ray Disc ("PGS"), as described in US patent 2009/0185789.
        case pgs
        /// DVB subtitles (ETSI EN 300 743).
        case dvb
    }

    /// Whether anything is on the screen afterwards.
    package let isShown: Bool
    /// Whether it can be decoded without what came before.
    package let isComplete: Bool
    /// Whether more packets belong to the set.
    package let isUnfinished: Bool
    /// A set that clears the screen after this one.
    package let clearing: [UInt8]

    /// Returns nil if `bytes` hold no page or presentation composition.
    package init?(_ bytes: [UInt8], _ format: Format) {
        switch format {
        case .pgs: self.init(pgs: bytes)
        case .dvb: self.init(dvb: bytes)
        }
    }

    /// Segments of a type, a length in two bytes and content. A presentation composition has the size of the video, a
    /// number in bytes 5 and 6, its state in byte 7, the palette in byte 9, and the number of objects in byte 10.
    private init?(pgs bytes: [UInt8]) {
        let segments = Self.segments(of: bytes, head: 3) { bytes[$0] }
        guard let composition = segments.last(where: { $0.type == 0x16 })?.content, composition.count >= 11 else {
            return nil
        }
        isShown = composition[10] > 0
        isComplete = composition[7] & 0xC0 != 0
        isUnfinished = segments.last?.type != 0x80
        let number = (Int(composition[5]) << 8 | Int(composition[6])) + 1
        let cleared =
            Array(composition[..<5]) + [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), 0, 0, composition[9], 0]
        let windows = segments.last { $0.type == 0x17 }?.content ?? [0]
        clearing =
            [0x16, 0, 11] + cleared + [0x17, UInt8(windows.count >> 8), UInt8(windows.count & 0xFF)] + windows
            + [0x80, 0, 0]
    }

    /// Segments of a sync byte, a type, a page in two bytes, a length in two bytes and content. A page composition has
    /// a timeout, the version and state in byte 1, and six bytes for each region.
    private init?(dvb bytes: [UInt8]) {
        let segments = Self.segments(of: bytes, head: 6) { bytes[$0] == 0x0F ? bytes[$0 + 1] : nil }
        guard let page = segments.last(where: { $0.type == 0x10 }), page.content.count >= 2 else { return nil }
        isShown = page.content.count > 2
        isComplete = page.content[1] & 0x0C != 0
        isUnfinished = false
        let head = Array(bytes[page.start + 2..<page.start + 4])
        let version = (page.content[1] >> 4 &+ 1) << 4
        clearing = [0x0F, 0x10] + head + [0, 2, page.content[0], version] + [0x0F, 0x80] + head + [0, 0]
    }

    /// The segments of `bytes`. The last two bytes of a head of `head` bytes are the content's length.
    private static func segments(
        of bytes: [UInt8], head: Int, type: (Int) -> UInt8?
    ) -> [(type: UInt8, start: Int, content: [UInt8])] {
        var list: [(type: UInt8, start: Int, content: [UInt8])] = []
        var place = 0
        while place + head <= bytes.count, let type = type(place) {
            let length = Int(bytes[place + head - 2]) << 8 | Int(bytes[place + head - 1])
            let end = place + head + length
            guard end <= bytes.count else { break }
            list.append((type, place, Array(bytes[place + head..<end])))
            place = end
        }
        return list
    }
}

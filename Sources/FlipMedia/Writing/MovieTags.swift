import FlipBase
import FlipFiles

/// The tags of an mp4 or mov file that libav's muxer does not write: user data as cameras write it (the place and what made the
/// recording), and QuickTime's list of keys and values, which holds any tag ("Metadata" in Apple's QuickTime File Format).
///
/// libav writes a box of the same size in their stead, of which they take the place when the file is complete, so that nothing
/// else in it moves.
struct MovieTags {
    /// The tags to be given to libav; one of them becomes the box that holds the place.
    let given: [String: String]
    /// The boxes for the film's user data, and those that follow it.
    private let texts: [UInt8]
    private let rest: [UInt8]
    private let placeholder: [UInt8]

    /// Boxes of user data by the names of tags. GoPro's firmware is a bare text; others begin with its length and language.
    private static let boxes: [(tag: String, type: [UInt8], isBare: Bool)] = [
        ("location", [0xA9] + "xyz".utf8, false), ("make", [0xA9] + "mak".utf8, false),
        ("model", [0xA9] + "mod".utf8, false), ("firmware", Array("FIRM".utf8), true),
    ]
    /// What libav writes into mp4 and mov files.
    private static let known: [String: Set<String>] = [
        "mp4": [
            "title", "artist", "album_artist", "composer", "album", "date", "comment", "genre", "copyright", "grouping",
            "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords", "creation_time",
            "timecode",
        ],
        "mov": ["title", "artist", "album", "date", "comment", "genre", "copyright", "creation_time", "timecode"],
    ]

    /// Nil if libav writes all tags itself.
    init?(_ tags: [String: String], in container: Container) {
        guard let known = Self.known[container.name], !tags.keys.allSatisfy(known.contains) else { return nil }
        var texts: [UInt8] = []
        for (tag, type, isBare) in Self.boxes {
            guard let text = tags[tag] else { continue }
            // The code of "eng" (ISO/IEC 14496-12 8.4.2.3), as phones write it.
            let head = isBare ? [] : Bytes.of(text.utf8.count, 2) + Bytes.of(0x15C7, 2)
            texts += Bytes.box(type, head + text.utf8)
        }
        let others = tags.filter { name, _ in !known.contains(name) && !Self.boxes.contains { $0.tag == name } }
        var rest = others.isEmpty ? [] : Self.list(others)
        // libav's boxes have a smallest size.
        let shortfall = 48 - texts.count - rest.count
        if shortfall > 0 { rest += Bytes.box(Array("free".utf8), [UInt8](repeating: 0, count: shortfall)) }
        let size = texts.count + rest.count
        var given = tags.filter { known.contains($0.key) }
        if container.name == "mp4" {
            // A place on the earth, with a name as long as necessary (3GPP TS 26.244 8.10).
            given["location"] = "+0+0/" + String(repeating: "x", count: size - 35)
            placeholder = Bytes.of(size, 4) + "loci".utf8
        } else {
            given["xmp"] = String(repeating: "x", count: size - 8)
            placeholder = Bytes.of(size, 4) + "XMP_".utf8
        }
        (self.given, self.texts, self.rest) = (given, texts, rest)
    }

    /// The tags by the names that QuickTime has for them, for a list of keys and values.
    static func named(_ tags: [String: String]) -> [String: String] {
        Dictionary(
            tags.map { name, value in (name.hasSuffix(".iso6709") ? name.dropLast(7) + "ISO6709" : name, value) },
            uniquingKeysWith: { one, _ in one })
    }

    /// A box of keys and values. It doesn't begin with a version, in mp4 files neither: so cameras and phones write it.
    private static func list(_ tags: [String: String]) -> [UInt8] {
        let sorted = named(tags).sorted { $0.key < $1.key }
        var (keys, values) = (Bytes.of(0, 4) + Bytes.of(sorted.count, 4), [UInt8]())
        for (index, (key, value)) in sorted.enumerated() {
            keys += Bytes.box(Array("mdta".utf8), Array(key.utf8))
            // Types 23 and 1 are a float, as which Android reads this number, and text in UTF-8.
            let number = key == "com.android.capture.fps" ? Float(value) : nil
            let content = number.map { Bytes.of(23, 4) + Bytes.of(0, 4) + Bytes.of(Int($0.bitPattern), 4) }
            values += Bytes.box(
                Bytes.of(index + 1, 4),
                Bytes.box(Array("data".utf8), content ?? Bytes.of(1, 4) + Bytes.of(0, 4) + value.utf8))
        }
        let handler = Bytes.of(0, 8) + "mdta".utf8 + [UInt8](repeating: 0, count: 13)
        return Bytes.box(
            Array("meta".utf8),
            Bytes.box(Array("hdlr".utf8), handler) + Bytes.box(Array("keys".utf8), keys)
                + Bytes.box(Array("ilst".utf8), values))
    }

    /// Writes the tags into the complete file at `path`.
    func write(into path: String) throws(MediaError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw MediaError.system(.io, "write", path) }
        defer { close(descriptor) }
        guard let movie = Self.find("moov", in: 0..<Int(lseek(descriptor, 0, SEEK_END)), of: descriptor),
            let data = Self.find("udta", in: movie, of: descriptor), data.upperBound == movie.upperBound
        else { throw MediaError(.internalFault, "there is no user data at the end of the header of '\(path)'") }
        var bytes = [UInt8](repeating: 0, count: data.count)
        guard pread(descriptor, &bytes, bytes.count, off_t(data.lowerBound)) == bytes.count else {
            throw MediaError.system(.io, "read", path)
        }
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: placeholder) }) else {
            throw MediaError(.internalFault, "the tags have no place in '\(path)'")
        }
        bytes.removeSubrange(place..<place + texts.count + rest.count)
        bytes += texts
        let head = Bytes.of(8 + bytes.count, 4) + "udta".utf8
        bytes = head + bytes + rest
        guard pwrite(descriptor, bytes, bytes.count, off_t(data.lowerBound - 8)) == bytes.count else {
            throw MediaError.system(.io, "write", path)
        }
    }

    /// Where in the file the content of the first box of a type lies, among the boxes of `range`.
    private static func find(_ type: String, in range: Range<Int>, of descriptor: Int32) -> Range<Int>? {
        var start = range.lowerBound
        var head = [UInt8](repeating: 0, count: 16)
        while start + 8 <= range.upperBound, pread(descriptor, &head, 16, off_t(start)) >= 8 {
            // A size of 1 stands for one of 64 bits.
            let isLong = Bytes.number(head[0..<4]) == 1
            let size = isLong ? Bytes.number(head[8..<16]) : Bytes.number(head[0..<4])
            let content = start + (isLong ? 16 : 8)
            guard size >= content - start, size <= range.upperBound - start else { return nil }
            if head[4..<8].elementsEqual(type.utf8) { return content..<start + size }
            start += size
        }
        return nil
    }
}

/// Big-endian numbers and boxes of ISO/IEC 14496-12.
private enum Bytes {
    static func of(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        // What doesn't fit into an Int is larger than any file.
        bytes.reduce(0) { $0 > Int.max >> 8 ? Int.max >> 8 : $0 << 8 | Int($1) }
    }

    static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] { of(8 + content.count, 4) + type + content }
}

import FlipBase
import FlipBitstream
import FlipFiles

/// What libav's muxer does not write into the header of an mp4 or mov file:
///
/// - tags: user data as cameras write it (the place and what made the recording), and QuickTime's list of keys and values, which
///   holds any tag ("Metadata" in Apple's QuickTime File Format);
/// - the sample entries of data tracks, which say what the tracks hold. libav writes one of the type `gpmd` for all of them.
///
/// In place of all this, libav writes one box that is as large, so that the header keeps its size when the file is complete.
struct MovieHeader {
    /// The tags to be given to libav; one of them becomes the box that holds the place.
    let given: [String: String]
    /// The boxes for the film's user data, and those that follow it.
    private let texts: [UInt8]
    private let rest: [UInt8]
    /// The beginning of the box that holds the place, and its size in bytes.
    private let placeholder: [UInt8]
    private let size: Int
    /// The sample entries of all data tracks in order.
    private let entries: [[UInt8]]

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

    /// Nil if libav writes all of it itself.
    /// - Parameter entries: the sample entries of all data tracks in order.
    init?(_ tags: [String: String], entries: [[UInt8]], in container: Container) {
        guard let known = Self.known[container.name] else { return nil }
        let growth = entries.reduce(0) { $0 + $1.count - Self.entrySize }
        let isGeneral = entries.allSatisfy { $0.dropFirst(4).starts(with: Self.entryType) }
        guard !tags.keys.allSatisfy(known.contains) || !isGeneral else { return nil }
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
        let shortfall = 48 - texts.count - rest.count - growth
        if shortfall > 0 { rest += Bytes.box(Array("free".utf8), [UInt8](repeating: 0, count: shortfall)) }
        size = texts.count + rest.count + growth
        var given = tags.filter { known.contains($0.key) }
        if container.name == "mp4" {
            // A place on the earth, with a name as long as necessary (3GPP TS 26.244 8.10).
            given["location"] = "+0+0/" + String(repeating: "x", count: size - 35)
            placeholder = Bytes.of(size, 4) + "loci".utf8
        } else {
            given["xmp"] = String(repeating: "x", count: size - 8)
            placeholder = Bytes.of(size, 4) + "XMP_".utf8
        }
        (self.given, self.texts, self.rest, self.entries) = (given, texts, rest, entries)
    }

    /// The type and the size in bytes of the sample entry that libav writes for all data tracks.
    private static let entryType = Array(GPMF.tag.utf8)
    private static let entrySize = 20

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

    /// Writes what is missing into the complete file at `path`.
    func write(into path: String) throws(MediaError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw MediaError.system(.io, "write", path) }
        defer { close(descriptor) }
        let file = MovieBoxes { place, count in
            [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
                read = max(0, pread(descriptor, bytes.baseAddress, count, off_t(place)))
            }
        }
        guard let place = file.find(["moov"], in: 0..<Int(lseek(descriptor, 0, SEEK_END))) else {
            throw MediaError(.internalFault, "there is no header in '\(path)'")
        }
        let before = file.read(place.lowerBound, place.count)
        guard before.count == place.count else { throw MediaError.system(.io, "read", path) }
        let movie = try complete(before)
        guard movie.count == place.count else {
            throw MediaError(.internalFault, "the header of '\(path)' would change its size")
        }
        guard pwrite(descriptor, movie, movie.count, off_t(place.lowerBound)) == movie.count else {
            throw MediaError.system(.io, "write", path)
        }
    }

    /// The header's boxes with the tags and sample entries in them.
    private func complete(_ boxes: [UInt8]) throws(MediaError) -> [UInt8] {
        var rest = entries[...]
        let path = ["trak", "mdia", "minf", "stbl", "stsd"]
        let movie =
            entries.isEmpty
            ? boxes
            : Bytes.edited(boxes, at: path[...]) { descriptions in
                // The entries follow four bytes of version and flags, and their number.
                guard descriptions.dropFirst(12).starts(with: Self.entryType), let entry = rest.popFirst() else {
                    return descriptions
                }
                return descriptions.prefix(8) + entry
            }
        var isPlaced = false
        let tagged = Bytes.edited(movie, at: ["udta"]) { data in
            guard let place = data.indices.first(where: { data[$0...].starts(with: placeholder) }) else { return data }
            isPlaced = true
            return data.prefix(place) + data.dropFirst(place + size) + texts
        }
        guard isPlaced, rest.isEmpty else {
            throw MediaError(.internalFault, "the tags or data tracks have no place in the file's header")
        }
        return tagged + self.rest
    }
}

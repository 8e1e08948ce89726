import FlipMedia
import Foundation

/// The files in a zip archive (PKWARE's APPNOTE 4.3), read one at a time and none larger than a limit: what an archive says of
/// sizes is not believed.
struct ZipArchive {
    private let path: String
    private let bytes: [UInt8]
    private var entries: [String: (start: Int, size: Int, isDeflated: Bool)] = [:]

    /// Of the archive, and of a file in it.
    static let maximumSize = 1 << 30
    static let maximumFileSize = 16 << 20

    init(path: String) throws(MediaError) {
        self.path = path
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
            throw MediaError(.missingInput, "cannot read '\(path)'")
        }
        guard data.count <= Self.maximumSize else {
            throw MediaError(.badInput, "'\(path)' is larger than \(Self.maximumSize >> 20) MiB")
        }
        bytes = [UInt8](data)
        try readDirectory()
    }

    var names: [String] { entries.keys.sorted() }

    /// What file `name` holds; nil where there is none.
    func file(_ name: String) throws(MediaError) -> [UInt8]? {
        guard let entry = entries[name] else { return nil }
        // The name and the extra field of the local header may be other than the directory's.
        guard let nameSize = number(entry.start + 26, 2), let extraSize = number(entry.start + 28, 2) else {
            throw damaged("\(name) lies outside of it")
        }
        let start = entry.start + 30 + nameSize + extraSize
        guard start <= bytes.count, entry.size <= bytes.count - start else { throw damaged("\(name) is cut off") }
        let packed = bytes[start..<start + entry.size]
        let content =
            entry.isDeflated
            ? Inflater.inflate(packed, hasHeader: false, limit: Self.maximumFileSize) : Array(packed)
        guard let content, content.count <= Self.maximumFileSize else {
            throw MediaError(
                .badInput, "'\(path)': \(name) in it is larger than \(Self.maximumFileSize >> 20) MiB, which is refused"
            )
        }
        return content
    }

    /// Entries of the central directory, which lies before its end record.
    private mutating func readDirectory() throws(MediaError) {
        let earliest = max(0, bytes.count - 65557)
        guard bytes.count >= 22,
            let end = (earliest...bytes.count - 22).last(where: { number($0, 4) == 0x0605_4b50 }),
            let count = number(end + 10, 2), var place = number(end + 16, 4)
        else { throw damaged("it is no zip archive, or cut off") }
        for _ in 0..<count {
            guard number(place, 4) == 0x0201_4b50, let method = number(place + 10, 2), let size = number(place + 20, 4),
                let nameSize = number(place + 28, 2), let extraSize = number(place + 30, 2),
                let commentSize = number(place + 32, 2), let start = number(place + 42, 4),
                place + 46 + nameSize <= bytes.count
            else { throw damaged("its directory is cut off") }
            let name = String(decoding: bytes[place + 46..<place + 46 + nameSize], as: UTF8.self)
            if method == 0 || method == 8 { entries[name] = (start, size, method == 8) }
            place += 46 + nameSize + extraSize + commentSize
        }
    }

    /// The little-endian number of `size` bytes at `place`.
    private func number(_ place: Int, _ size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        return (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private func damaged(_ reason: String) -> MediaError { MediaError(.badInput, "cannot read '\(path)': \(reason)") }
}

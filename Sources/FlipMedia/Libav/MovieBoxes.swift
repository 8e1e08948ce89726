/// A box of ISO/IEC 14496-12, and where in its file the content lies.
struct MovieBox {
    /// The four characters of its type.
    let type: String
    let content: Range<Int>
}

/// The boxes of an mp4 or mov file, read where they lie.
struct MovieBoxes {
    /// Reads up to a number of bytes from a place on; fewer at the end of the file.
    let read: (_ place: Int, _ count: Int) -> [UInt8]

    /// The boxes one after another in a range, up to the first that is damaged.
    func list(_ range: Range<Int>) -> [MovieBox] {
        var (boxes, start) = ([MovieBox](), range.lowerBound)
        while start + 8 <= range.upperBound, boxes.count < Self.maxCount {
            let head = read(start, 16)
            guard head.count >= 8 else { break }
            var (size, content) = (Bytes.number(head[0..<4]), start + 8)
            if size == 1, head.count == 16 {
                // The size follows in 64 bits.
                (size, content) = (Bytes.number(head[8..<16]), start + 16)
            } else if size == 0 {
                size = range.upperBound - start
            }
            guard size >= content - start, size <= range.upperBound - start else { break }
            let type = String(decoding: head[4..<8].map { UInt16($0) }, as: UTF16.self)
            boxes.append(MovieBox(type: type, content: content..<start + size))
            start += size
        }
        return boxes
    }

    /// The first box of each type of `path`, within the one before; nil if there is none.
    func find(_ path: [String], in range: Range<Int>) -> Range<Int>? {
        path.reduce(range) { range, type in
            range.flatMap { list($0).first { $0.type == type }?.content }
        }
    }

    private static let maxCount = 10_000
}

/// Big-endian numbers and boxes of ISO/IEC 14496-12 as bytes.
enum Bytes {
    static func of(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> Int {
        // What doesn't fit into an Int is larger than any file.
        bytes.reduce(0) { $0 > Int.max >> 8 ? Int.max >> 8 : $0 << 8 | Int($1) }
    }

    static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] { of(8 + content.count, 4) + type + content }

    /// `boxes` with the content of each box that lies at the end of `path` replaced.
    static func edited(
        _ boxes: [UInt8], at path: ArraySlice<String>, _ change: ([UInt8]) -> [UInt8]
    ) -> [UInt8] {
        guard let type = path.first else { return change(boxes) }
        var result: [UInt8] = []
        for found in MovieBoxes(of: boxes).list(0..<boxes.count) {
            let content = Array(boxes[found.content])
            let inner = found.type == type ? edited(content, at: path.dropFirst(), change) : content
            result += box(found.type.utf16.map { UInt8(truncatingIfNeeded: $0) }, inner)
        }
        return result
    }
}

extension MovieBoxes {
    /// Boxes in memory.
    init(of bytes: [UInt8]) {
        self.init { place, count in Array(bytes[min(place, bytes.count)..<min(place + count, bytes.count)]) }
    }
}

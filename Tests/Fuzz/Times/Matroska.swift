/// Elements of Matroska and WebM files (RFC 9559), which consist of an identifier, a size and a content.
enum Matroska {
    /// The identifier of the first element (RFC 8794 11.2.1).
    static let header = 0x1a45_dfa3

    /// Elements that consist of elements: Segment, Info, Tracks, TrackEntry, Cluster, BlockGroup, Chapters,
    /// EditionEntry, ChapterAtom.
    private static let parents: Set<Int> = [
        0x1853_8067, 0x1549_a966, 0x1654_ae6b, 0xae, 0x1f43_b675, 0xa0, 0x1043_a770, 0x45b9, 0xb6,
    ]
    /// Elements with positions and checksums, which don't survive a change of sizes: SeekHead, Cues, CRC-32, Void.
    private static let dropped: Set<Int> = [0x114d_9b74, 0x1c53_bb6b, 0xbf, 0xec]
    private static let integers: [Int: String] = [
        0x2ad7b1: "TimestampScale", 0x23e383: "DefaultDuration", 0x234e7a: "DefaultDecodedFieldDuration",
        0xe7: "Timestamp", 0x9b: "BlockDuration", 0x56aa: "CodecDelay", 0x56bb: "SeekPreRoll", 0x75a2: "DiscardPadding",
        0x91: "ChapterTimeStart", 0x92: "ChapterTimeEnd",
    ]
    private static let reals: [Int: String] = [0x4489: "Duration", 0x23314f: "TrackTimestampScale"]
    /// SimpleBlock and Block.
    private static let blocks: Set<Int> = [0xa3, 0xa1]

    private struct Element {
        let id: Int
        let start: Int
        let content: Range<Int>
    }

    /// The elements in `range`, up to the first one that makes no sense.
    private static func elements(_ bytes: [UInt8], _ range: Range<Int>) -> [Element] {
        var result: [Element] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let width = bytes[place].leadingZeroBitCount + 1
            let id = bytes.number(at: place, width: min(width, 4))
            let sizePlace = place + width
            guard width <= 4, sizePlace < range.upperBound else { break }
            let sizeWidth = bytes[sizePlace].leadingZeroBitCount + 1
            let start = sizePlace + sizeWidth
            guard sizeWidth <= 8, start <= range.upperBound else { break }
            let bits = 7 * sizeWidth
            let size = bytes.number(at: sizePlace, width: sizeWidth) & (1 << bits - 1)
            // All ones stand for an unknown size.
            let end = size == 1 << bits - 1 ? range.upperBound : start + size
            guard end <= range.upperBound else { break }
            result.append(Element(id: id, start: place, content: start..<end))
            place = end
        }
        return result
    }

    /// The file with 8 bytes for each integer, and for each size of an element that is made anew.
    static func widened(_ bytes: [UInt8]) -> [UInt8] { widened(bytes, bytes.indices) }

    private static func widened(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        elements(bytes, range).filter { !dropped.contains($0.id) }.reduce(into: []) { result, element in
            let content: [UInt8]
            if parents.contains(element.id) {
                content = widened(bytes, element.content)
            } else if integers[element.id] != nil, element.content.count < 8 {
                content = Array(repeating: 0, count: 8 - element.content.count) + bytes[element.content]
            } else {
                result += bytes[element.start..<element.content.upperBound]
                return
            }
            let width = bytes[element.start].leadingZeroBitCount + 1
            result += bytes[element.start..<element.start + width]
            result += (0..<8).map { UInt8(truncatingIfNeeded: (1 << 56 | content.count) >> (56 - 8 * $0)) }
            result += content
        }
    }

    static func fields(_ bytes: [UInt8]) -> [TimeField] { fields(bytes, bytes.indices) }

    private static func fields(_ bytes: [UInt8], _ range: Range<Int>) -> [TimeField] {
        elements(bytes, range).flatMap { element -> [TimeField] in
            let (place, width) = (element.content.lowerBound, element.content.count)
            if parents.contains(element.id) { return fields(bytes, element.content) }
            if let name = integers[element.id], width == 8 { return [TimeField(name, at: place, width: 8)] }
            if let name = reals[element.id], width == 4 || width == 8 {
                return [TimeField(name, at: place, width: width, .real)]
            }
            if blocks.contains(element.id), width > 0 {
                // The time, relative to the cluster's, follows the track's number.
                let time = place + bytes[place].leadingZeroBitCount + 1
                if time + 2 <= element.content.upperBound { return [TimeField("block", at: time, width: 2)] }
            }
            return []
        }
    }
}

/// Containers whose few numbers are found without much parsing.
enum SmallFormats {
    /// AVI: the main header and those of streams.
    static func avi(_ bytes: [UInt8]) -> [TimeField] {
        bytes.indices.flatMap { place -> [TimeField] in
            let field = { (kind: String, offset: Int) in
                TimeField(kind, at: place + 8 + offset, width: 4, .littleEndian)
            }
            if bytes.has("avih", at: place), place + 64 <= bytes.count {
                return [field("dwMicroSecPerFrame", 0), field("dwTotalFrames", 16)]
            }
            if bytes.has("strh", at: place), place + 64 <= bytes.count {
                return [
                    field("dwScale", 20), field("dwRate", 24), field("dwStart", 28), field("dwLength", 32),
                    field("dwSampleSize", 44),
                ]
            }
            return []
        }
    }

    /// FLV (Adobe Flash Video File Format 10.1, Annex E): the times of tags, and the metadata's numbers.
    static func flv(_ bytes: [UInt8]) -> [TimeField] {
        var result: [TimeField] = []
        // Tags begin after the header and the size of the tag before the first one.
        var place = 13
        while place + 16 <= bytes.count {
            let size = bytes.number(at: place + 1, width: 3)
            result.append(TimeField(bytes[place] == 9 ? "video tag" : "tag", at: place + 4, width: 4, .flv))
            // AVC packets have a composition time.
            if bytes[place] == 9, bytes[place + 11] & 0x0f == 7 {
                result.append(TimeField("composition time", at: place + 13, width: 3))
            }
            place += 11 + size + 4
        }
        for place in bytes.indices.dropLast(18) {
            // AMF: a name is followed by the type, 0 for a number.
            if bytes.has("duration", at: place) { result.append(TimeField("duration", at: place + 9, width: 8, .real)) }
            if bytes.has("framerate", at: place) {
                result.append(TimeField("framerate", at: place + 10, width: 8, .real))
            }
        }
        return result.sorted { $0.place < $1.place }
    }

    /// IVF: the time base, and the times of frames.
    static func ivf(_ bytes: [UInt8]) -> [TimeField] {
        guard bytes.count >= 32 else { return [] }
        var result = [
            TimeField("rate", at: 16, width: 4, .littleEndian), TimeField("scale", at: 20, width: 4, .littleEndian),
        ]
        var place = 32
        while place + 12 <= bytes.count {
            result.append(TimeField("frame", at: place + 4, width: 8, .littleEndian))
            place += 12 + Int(TimeField("", at: place, width: 4, .littleEndian).value(in: bytes))
        }
        return result
    }

    /// Ogg (RFC 3533): the granule positions of pages, which have checksums.
    static func ogg(_ bytes: [UInt8]) -> (fields: [TimeField], checksums: [(range: Range<Int>, place: TimeField)]) {
        let pages = bytes.indices.dropLast(27).filter { bytes.has("OggS", at: $0) }
        let fields = pages.map { page in
            TimeField("granule \(bytes.number(at: page + 14, width: 4))", at: page + 6, width: 8, .littleEndian)
        }
        let checksums = zip(pages, pages.dropFirst() + [bytes.count]).map { page, end in
            (page..<end, TimeField("checksum", at: page + 22, width: 4, .littleEndian))
        }
        return (fields, checksums)
    }
}

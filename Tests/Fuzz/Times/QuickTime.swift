/// Boxes of MP4 and QuickTime files (ISO/IEC 14496-12), which are found by their names, wherever they are.
enum QuickTime {
    static func fields(_ bytes: [UInt8]) -> [TimeField] {
        bytes.indices.flatMap { place -> [TimeField] in
            // The size, of 4 bytes, precedes the name.
            guard place >= 4, (0x61...0x7a).contains(bytes[place]) else { return [] }
            let end = place - 4 + bytes.number(at: place - 4, width: 4)
            guard end >= place + 8, end <= bytes.count else { return [] }
            return fields(bytes, place).filter { $0.place + $0.width <= end }
        }
    }

    /// The fields of the box whose name is at `name`. They may lie beyond its end.
    private static func fields(_ bytes: [UInt8], _ name: Int) -> [TimeField] {
        let content = name + 4
        let isLong = bytes[content] == 1
        let long = isLong ? 8 : 4
        let field = { (kind: String, place: Int, width: Int) in TimeField(kind, at: content + place, width: width) }
        if bytes.has("mvhd", at: name) || bytes.has("mdhd", at: name) {
            let kind = bytes.has("mvhd", at: name) ? "mvhd" : "mdhd"
            return [field("\(kind) timescale", 4 + 2 * long, 4), field("\(kind) duration", 8 + 2 * long, long)]
        }
        if bytes.has("tkhd", at: name) { return [field("tkhd duration", 12 + 2 * long, long)] }
        if bytes.has("tfdt", at: name) { return [field("tfdt", 4, long)] }
        if bytes.has("mehd", at: name) { return [field("mehd", 4, long)] }
        if bytes.has("trex", at: name) { return [field("default duration", 12, 4)] }
        if bytes.has("sidx", at: name) { return [field("sidx timescale", 8, 4), field("sidx time", 12, long)] }
        if bytes.has("stts", at: name) {
            return table(bytes, content, entry: 8) { [field("stts count", $0, 4), field("stts delta", $0 + 4, 4)] }
        }
        if bytes.has("ctts", at: name) { return table(bytes, content, entry: 8) { [field("ctts", $0 + 4, 4)] } }
        if bytes.has("elst", at: name) {
            return table(bytes, content, entry: 4 + 2 * long) {
                [
                    field("elst duration", $0, long), field("elst time", $0 + long, long),
                    field("elst rate", $0 + 2 * long, 4),
                ]
            }
        }
        if bytes.has("tfhd", at: name) { return header(bytes, content) }
        if bytes.has("trun", at: name) { return run(bytes, content) }
        return []
    }

    /// The fields of a table whose number of entries follows the version and flags.
    private static func table(
        _ bytes: [UInt8], _ content: Int, entry: Int, _ fields: (_ place: Int) -> [TimeField]
    ) -> [TimeField] {
        let count = min(bytes.number(at: content + 4, width: 4), 64)
        return (0..<count).flatMap { fields(8 + $0 * entry) }
    }

    /// The default duration of a track fragment's header (8.8.7), which follows what its flags name.
    private static func header(_ bytes: [UInt8], _ content: Int) -> [TimeField] {
        let flags = bytes.number(at: content, width: 4)
        guard flags & 0x8 != 0 else { return [] }
        let before = (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
        return [TimeField("default duration", at: content + 8 + before, width: 4)]
    }

    /// The durations and composition times of a track run (8.8.8).
    private static func run(_ bytes: [UInt8], _ content: Int) -> [TimeField] {
        let flags = bytes.number(at: content, width: 4)
        let has = { (flag: Int) in flags & flag != 0 }
        let start = content + 8 + (has(0x1) ? 4 : 0) + (has(0x4) ? 4 : 0)
        let entry = 4 * [0x100, 0x200, 0x400, 0x800].filter(has).count
        return (0..<min(bytes.number(at: content + 4, width: 4), 64)).flatMap { index in
            let place = start + index * entry
            let duration = has(0x100) ? [TimeField("trun duration", at: place, width: 4)] : []
            return duration + (has(0x800) ? [TimeField("trun time", at: place + entry - 4, width: 4)] : [])
        }
    }
}

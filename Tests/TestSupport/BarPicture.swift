/// Pictures of vertical bars, each of one color, in files that ffmpeg can't write: JPEG of any components (ITU-T T.81) and
/// TIFF of four inks (TIFF 6.0), written byte by byte.
package enum BarPicture {
    /// The width of a bar, and the height of the picture.
    package static let side = 32

    private static func big(_ value: Int, _ bytes: Int = 2) -> [UInt8] { ProfileFile.number(value, bytes: bytes) }

    /// A baseline JPEG file whose samples are exactly the bars'.
    /// - Parameters:
    ///   - bars: the samples of each bar, one for each component.
    ///   - names: the components' names; by default they are numbered from 1.
    ///   - adobe: the transform in Adobe's marker; nil for no such marker.
    ///   - profile: an ICC profile of less than 64 KiB; nil for none.
    package static func jpeg(
        _ bars: [[UInt8]], names: [UInt8]? = nil, adobe: UInt8? = nil, profile: [UInt8]? = nil
    ) -> [UInt8] {
        let count = bars[0].count
        let names = names ?? (1...count).map { UInt8($0) }
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker] + big(content.count + 2) + content
        }
        var file: [UInt8] = [0xFF, 0xD8]
        if let adobe { file += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobe]) }
        if let profile { file += segment(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile) }
        file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(
            0xC0, [8] + big(side) + big(side * bars.count) + [UInt8(count)] + names.flatMap { [$0, 0x11, 0] })
        // Codes for the lengths of differences, 0...11, of 4 bits each; and one code, for the end of a block.
        file += segment(0xC4, [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0...11).map { UInt8($0) })
        file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        file += segment(0xDA, [UInt8(count)] + names.flatMap { [$0, 0] } + [0, 63, 0])
        var bits: [Bool] = []
        func put(_ value: Int, _ length: Int) {
            for bit in (0..<length).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        var last = [Int](repeating: 0, count: count)
        for _ in 0..<side / 8 {
            for bar in bars {
                for _ in 0..<side / 8 {
                    for component in 0..<count {
                        // The mean of a block of 64 is an eighth of its first coefficient.
                        let mean = 8 * (Int(bar[component]) - 128)
                        let change = mean - last[component]
                        last[component] = mean
                        let length = Int.bitWidth - abs(change).leadingZeroBitCount
                        put(length, 4)
                        put(change < 0 ? change + (1 << length) - 1 : change, length)
                        put(0, 1)
                    }
                }
            }
        }
        while bits.count % 8 != 0 { bits.append(true) }
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            file += byte == 0xFF ? [0xFF, 0] : [byte]
        }
        return file + [0xFF, 0xD9]
    }

    /// An uncompressed TIFF file of inks in big-endian order, of 8 bits each.
    package static func tiff(_ bars: [[UInt8]], profile: [UInt8]?) -> [UInt8] {
        let row = bars.flatMap { bar in (0..<side).flatMap { _ in bar } }
        let samples = (0..<side).flatMap { _ in row }
        let depths = big(8) + big(8) + big(8) + big(8)
        let start = 8 + depths.count + samples.count
        // Width, height, depths, no compression, inks, the place and number of the samples, all in one strip.
        var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = [
            (256, 4, 1, big(side * bars.count, 4)), (257, 4, 1, big(side, 4)), (258, 3, 4, big(8, 4)),
            (259, 3, 1, big(1) + big(0)), (262, 3, 1, big(5) + big(0)), (273, 4, 1, big(16, 4)),
            (277, 3, 1, big(4) + big(0)), (278, 4, 1, big(side, 4)), (279, 4, 1, big(samples.count, 4)),
        ]
        if let profile { entries.append((34675, 7, profile.count, big(start, 4))) }
        let directory = start + (profile?.count ?? 0)
        return Array("MM".utf8) + big(42) + big(directory, 4) + depths + samples + (profile ?? [])
            + big(entries.count) + entries.flatMap { big($0.tag) + big($0.type) + big($0.count, 4) + $0.value }
            + big(0, 4)
    }
}

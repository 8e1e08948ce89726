/// MPEG transport streams (ISO/IEC 13818-1).
package enum TransportStream {
    /// A stream whose first track of private data is registered as KLV (SMPTE RP 217), as `ffprobe` then says. Its map of the
    /// program has to be on the packets 0x1000, where FFmpeg writes it.
    package static func withKLV(_ file: [UInt8]) throws -> [UInt8] {
        var (data, changed) = (file, 0)
        for packet in stride(from: 0, to: file.count - 187, by: 188)
        where data[packet + 1] & 0x5F == 0x50 && data[packet + 2] == 0 {
            // A pointer field leads to the section.
            let start = packet + 5 + Int(data[packet + 4])
            let length = Int(data[start + 1] & 0xF) << 8 | Int(data[start + 2])
            var section = Array(data[start..<start + 3 + length - 4])
            var place = 12 + (Int(section[10] & 0xF) << 8 | Int(section[11]))
            while place + 5 <= section.count, section[place] != 6 {
                place += 5 + (Int(section[place + 3] & 0xF) << 8 | Int(section[place + 4]))
            }
            guard place + 5 <= section.count else { throw ToolError("there is no private data") }
            section.insert(contentsOf: [5, 4] + "KLVA".utf8, at: place + 5)
            section[place + 4] += 6
            section[2] += 6
            section += BitString.u(Int(checksum(section)), 32).bytes
            data.replaceSubrange(start..<start + section.count, with: section)
            changed += 1
        }
        guard changed > 0 else { throw ToolError("there is no map of the program") }
        return data
    }

    /// The CRC of annex A.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
            }
        }
    }
}

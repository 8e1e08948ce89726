/// MPEG transport and program streams (ISO/IEC 13818-1).
enum MPEGStreams {
    private static let packetSize = 188

    static func fields(_ bytes: [UInt8]) -> [TimeField] {
        (clocks(bytes) + stamps(bytes)).sorted { $0.place < $1.place }
    }

    /// The PCRs in the adaptation fields of a transport stream's packets (2.4.3.4).
    private static func clocks(_ bytes: [UInt8]) -> [TimeField] {
        guard bytes.first == 0x47 else { return [] }
        return stride(from: 0, to: bytes.count - packetSize + 1, by: packetSize).compactMap { start in
            let hasClock = bytes[start + 3] & 0x20 != 0 && bytes[start + 4] >= 7 && bytes[start + 5] & 0x10 != 0
            return hasClock ? TimeField("PCR", at: start + 6, width: 5, .clock) : nil
        }
    }

    /// The PTS and DTS in headers of PES packets of audio and video (2.4.3.6).
    private static func stamps(_ bytes: [UInt8]) -> [TimeField] {
        bytes.indices.dropLast(19).flatMap { place -> [TimeField] in
            let id = bytes[place + 3]
            guard bytes.number(at: place, width: 3) == 1, id == 0xbd || (0xc0...0xef).contains(id),
                bytes[place + 6] & 0xc0 == 0x80
            else { return [] }
            let kind = id >= 0xe0 ? "video" : "audio"
            let flags = bytes[place + 7]
            let shown = flags & 0x80 != 0 ? [TimeField("\(kind) PTS", at: place + 9, width: 5, .stamp)] : []
            return shown + (flags & 0xc0 == 0xc0 ? [TimeField("\(kind) DTS", at: place + 14, width: 5, .stamp)] : [])
        }
    }
}

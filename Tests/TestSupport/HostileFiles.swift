import Foundation

/// Files made to harm the program that opens them.
package enum HostileFiles {
    /// An HLS playlist with one segment per URL.
    package static func hls(_ urls: [String]) -> Data {
        let segments = urls.map { "#EXTINF:10,\n\($0)\n" }.joined()
        return Data("#EXTM3U\n#EXT-X-TARGETDURATION:10\n\(segments)#EXT-X-ENDLIST\n".utf8)
    }

    /// A DASH manifest with one representation at `url`.
    package static func dash(_ url: String) -> Data {
        Data(
            """
            <?xml version="1.0"?>
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" \
            type="static" mediaPresentationDuration="PT10S"><Period><AdaptationSet mimeType="video/mp4">\
            <Representation id="1" bandwidth="1000"><BaseURL>\(url)</BaseURL></Representation>\
            </AdaptationSet></Period></MPD>
            """.utf8)
    }

    /// An SDP session description that makes the reader listen on a port.
    package static let sdp = Data(
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=x
        c=IN IP4 127.0.0.1
        t=0 0
        m=video 9999 RTP/AVP 96
        a=rtpmap:96 H264/90000

        """.utf8)

    /// An ffconcat list with one file.
    package static func concatenation(_ path: String) -> Data {
        Data("ffconcat version 1.0\nfile '\(path)'\n".utf8)
    }

    /// An RGB PNG (PNG 11.2) whose header states `width` x `height`, with only a few bytes of compressed data.
    package static func png(width: UInt32, height: UInt32) -> Data {
        let header = Data(bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
        // The start of a deflated run of zeros, which is cut off.
        let zeros = Data([0x78, 0x9c, 0xed, 0xc1, 0x01, 0x0d, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xf7])
        return Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) + chunk("IHDR", header) + chunk("IDAT", zeros)
            + chunk("IEND", Data())
    }

    /// `movie`, a QuickTime file whose index comes last, changed to refer to the file `path` for its samples (QuickTime
    /// File Format, data reference atoms; an alias record with an absolute path).
    package static func movie(_ movie: Data, withSamplesIn path: String) -> Data {
        var place = Data([0, 2]) + Data(bigEndian(UInt32(path.utf8.count)).suffix(2)) + Data(path.utf8)
        if place.count % 2 == 1 { place.append(0) }
        let alias = Data(count: 150) + place + Data([0xff, 0xff, 0, 0])
        let reference = Data(count: 4) + Data(bigEndian(1)) + box("alis", Data(count: 4) + alias)
        return replacing("dref", in: movie, with: reference)
    }

    /// `movie`, a QuickTime file, changed to state `count` samples of one byte (ISO/IEC 14496-12 8.6.1, 8.7).
    package static func movie(_ movie: Data, withSamples count: UInt32) -> Data {
        let (none, one) = (Data(count: 4), Data(bigEndian(1)))
        let many = Data(bigEndian(count))
        var result = replacing("stsz", in: movie, with: none + one + many)
        result = replacing("stts", in: result, with: none + one + many + one)
        return replacing("stsc", in: result, with: none + one + one + many + one)
    }

    /// Replaces the payload of the boxes called `type` at any depth, descending into the container boxes that lead to
    /// sample tables and data references.
    private static func replacing(_ type: String, in data: Data, with payload: Data) -> Data {
        var result = Data()
        var at = data.startIndex
        while at + 8 <= data.endIndex {
            let size = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: data[at + 4..<at + 8], as: UTF8.self)
            guard size >= 8, at + size <= data.endIndex else { break }
            let inside = data[at + 8..<at + size]
            if name == type {
                result += box(name, payload)
            } else if ["moov", "trak", "mdia", "minf", "dinf", "stbl"].contains(name) {
                result += box(name, replacing(type, in: inside, with: payload))
            } else {
                result += data[at..<at + size]
            }
            at += size
        }
        return result
    }

    private static func box(_ type: String, _ payload: Data) -> Data {
        Data(bigEndian(UInt32(payload.count + 8))) + Data(type.utf8) + payload
    }

    private static func chunk(_ type: String, _ payload: Data) -> Data {
        let body = Data(type.utf8) + payload
        return Data(bigEndian(UInt32(payload.count))) + body + Data(bigEndian(checksum(body)))
    }

    /// The CRC-32 (PNG annex D), which zip archives use as well.
    package static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(0xffff_ffff) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

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

    /// A Matroska file with pictures in MJPEG at `times`, in ticks of 40 ms.
    package static func matroska(picture: Data, times: [UInt64]) -> Data {
        func element(_ id: [UInt8], _ content: Data) -> Data {
            let size = (0x0100_0000_0000_0000 | UInt64(content.count)).bigEndian
            return Data(id) + withUnsafeBytes(of: size) { Data($0) } + content
        }
        func number(_ id: [UInt8], _ value: UInt64) -> Data {
            element(id, withUnsafeBytes(of: value.bigEndian) { Data($0) })
        }
        let header = element(
            [0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Data("matroska".utf8)) + number([0x42, 0x87], 4))
        let info = element([0x15, 0x49, 0xA9, 0x66], number([0x2A, 0xD7, 0xB1], 40_000_000))
        let size = element([0xE0], number([0xB0], 64) + number([0xBA], 64))
        let track = element(
            [0xAE],
            number([0xD7], 1) + number([0x73, 0xC5], 1) + number([0x83], 1) + number([0x9C], 0)
                + element([0x86], Data("V_MJPEG".utf8)) + size)
        let clusters = times.map { time in
            element(
                [0x1F, 0x43, 0xB6, 0x75], number([0xE7], time) + element([0xA3], Data([0x81, 0, 0, 0x80]) + picture))
        }
        let tracks = element([0x16, 0x54, 0xAE, 0x6B], track)
        return header + element([0x18, 0x53, 0x80, 0x67], info + tracks + clusters.reduce(Data(), +))
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
    package static func concatenation(_ path: String) -> Data { Data("ffconcat version 1.0\nfile '\(path)'\n".utf8) }

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

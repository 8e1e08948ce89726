import FlipBase
import FlipBitstream

/// What has to be known of a codec to copy its packets: one row of a table for each codec.
package struct AudioForm: Sendable, Hashable {
    /// libav's name of the codec.
    package let codec: String
    /// The number of samples in every packet.
    package let samples: Int
    /// The number of samples at the start of a packet that are decoded with the packet before it, too.
    package let overlap: Int
    /// The fields of the stream's header that the packets depend on; empty if they depend on none.
    package private(set) var header: [UInt8] = []
    /// The bit rates that encoders take, ascending, in bits per second; empty if they take any.
    private let bitRates: [Int]

    private init(_ codec: String, samples: Int, overlap: Int, bitRates: [Int] = []) {
        (self.codec, self.samples, self.overlap) = (codec, samples, overlap)
        self.bitRates = bitRates.map { $0 * 1000 }
    }

    /// A window of AAC and AC-3 reaches into the next packet; the filters of MP2 have 512 taps, 32 samples apart. What
    /// encoders of Opus make of a packet depends on 6.5 ms of the next one.
    private static let all = [
        AudioForm("aac", samples: 1024, overlap: 1024),
        AudioForm(
            "ac3", samples: 1536, overlap: 256,
            bitRates: [
                32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
            ]),
        AudioForm("eac3", samples: 1536, overlap: 256),
        AudioForm(
            "mp2", samples: 1152, overlap: 480,
            bitRates: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]),
        AudioForm("opus", samples: 960, overlap: 312),
    ]

    /// The form of the streams of a codec, whatever their header; nil for a codec whose packets can't be copied.
    package init?(codec: String) {
        guard let row = Self.all.first(where: { $0.codec == codec }) else { return nil }
        self = row
    }

    /// The form of a stream; nil if its packets can't be copied.
    package init?(codec: String, header: [UInt8]) {
        self.init(codec: codec)
        switch codec {
        case "aac":
            guard let fields = AACHeader(header) else { return nil }
            self.header = [UInt8(fields.rate), UInt8(fields.channels)]
        case "opus":
            // RFC 7845 5.1: what decoders skip at the beginning and the rate of the recording don't matter.
            guard header.count >= 19 else { return nil }
            self.header = [header[9]] + header[16...]
        default: break
        }
    }

    /// Whether each packet says how loud it is to be played.
    package var statesLevels: Bool { DolbyLevels.areStated(by: codec) }

    /// Whether the packets of a stream in `container` are those of the codec alone. In MPEG-2 systems, those of Opus begin
    /// with headers of their own.
    package func isPlain(in container: Container) -> Bool { codec != "opus" || container.priming != .none }

    /// The least bit rate that encoders take and that is no lower than `wanted`, else the highest.
    package func bitRate(from wanted: Int) -> Int {
        bitRates.first { $0 >= wanted } ?? bitRates.last ?? wanted
    }

    /// Whether decoding gives the same channels for two layouts. The headers of AC-3 don't tell whether the surround
    /// channels are beside or behind the listener.
    package func equates(_ layout: String, _ other: String) -> Bool {
        func plain(_ name: String) -> String {
            codec != "aac" && name.hasSuffix("(side)") ? String(name.dropLast("(side)".count)) : name
        }
        return plain(layout) == plain(other)
    }
}

/// The packets of an audio stream of a clip's file, which are all of the same length.
package struct CodedAudio: Sendable {
    /// Packets that follow each other without gaps.
    package struct Run: Sendable, Hashable {
        /// The number of the first packet, counted from the first one of the file.
        package let first: Int
        /// The number of packets.
        package let count: Int
        /// The start of the first packet in seconds of stream time. Since packet times are rounded, that of the file's
        /// first packet is counted back from the first one that is heard, whose time decoding goes by.
        package let start: Rational
    }

    package let form: AudioForm
    /// The packets from one gap in the time stamps to the next, in order; at least one run.
    package let runs: [Run]
    /// The time base of the packets' time stamps, in seconds per tick.
    package let timeBase: Rational

    /// The number of packets.
    package var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The start of packet number `packet` in seconds of stream time.
    package func time(of packet: Int, _ sampleRate: Int) -> Rational {
        let run = runs.last { $0.first <= packet } ?? runs[0]
        return run.start + Rational((packet - run.first) * form.samples, sampleRate)
    }

    /// A packet without the ADTS header that each has in transport streams (ISO/IEC 13818-7 6.2.1).
    package static func content(_ bytes: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard bytes.count > 9, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return bytes[...] }
        return bytes[(bytes[1] & 1 == 1 ? 7 : 9)...]
    }
}

import FlipBitstream
import Foundation
import TestSupport
import Testing

/// Options of ffmpeg's FFV1 encoder, and what a pixel format means for the record.
struct FFV1Case: CustomTestStringConvertible, Sendable {
    var pixelFormat = "yuv420p"
    var bits = 8
    /// The number of times that chroma is halved; nil if there is none.
    var chroma: FFV1Configuration.Shift? = FFV1Configuration.Shift(horizontal: 1, vertical: 1)
    var isRGB = false
    var hasAlpha = false
    var coder = 0
    var context = 0
    var slices = 4
    var slicecrc = 1
    var group = 12

    var testDescription: String { "\(pixelFormat) \(options.joined(separator: " "))" }

    var options: [String] {
        [
            "-level", "3", "-coder", "\(coder)", "-context", "\(context)", "-slices", "\(slices)", "-slicecrc",
            "\(slicecrc)", "-g", "\(group)",
        ]
    }

    private static func shift(_ horizontal: Int, _ vertical: Int) -> FFV1Configuration.Shift {
        FFV1Configuration.Shift(horizontal: horizontal, vertical: vertical)
    }

    /// Every coder with every context model, CRC and distance of keyframes.
    static let settings = [0, 1, 2, -2].flatMap { coder in
        [0, 1].flatMap { context in
            [0, 1].flatMap { crc in
                [1, 12].map { FFV1Case(coder: coder, context: context, slicecrc: crc, group: $0) }
            }
        }
    }
    static let slices = [4, 6, 9, 12, 15, 16, 20, 24, 30].map { FFV1Case(coder: $0 % 3, slices: $0) }
    /// More than 8 bits are never coded with Golomb-Rice codes.
    static let formats = [
        FFV1Case(pixelFormat: "gray", chroma: nil), FFV1Case(pixelFormat: "yuv422p", chroma: shift(1, 0)),
        FFV1Case(pixelFormat: "yuv444p", chroma: shift(0, 0), coder: 1),
        FFV1Case(pixelFormat: "yuv440p", chroma: shift(0, 1)), FFV1Case(pixelFormat: "yuv411p", chroma: shift(2, 0)),
        FFV1Case(pixelFormat: "yuv410p", chroma: shift(2, 2), slicecrc: 0),
        FFV1Case(pixelFormat: "yuva420p", hasAlpha: true),
        FFV1Case(pixelFormat: "yuv420p10le", bits: 10, coder: 1),
        FFV1Case(pixelFormat: "yuv422p12le", bits: 12, chroma: shift(1, 0), coder: -2, slices: 6),
        FFV1Case(pixelFormat: "yuva444p16le", bits: 16, chroma: shift(0, 0), hasAlpha: true, coder: 1, context: 1),
        FFV1Case(pixelFormat: "gray16le", bits: 16, chroma: nil, coder: 1, slicecrc: 0, group: 1),
        FFV1Case(pixelFormat: "gbrp10le", bits: 10, chroma: shift(0, 0), isRGB: true, coder: 1),
        FFV1Case(pixelFormat: "bgr0", chroma: shift(0, 0), isRGB: true, slices: 9),
        FFV1Case(pixelFormat: "bgra", chroma: shift(0, 0), isRGB: true, hasAlpha: true, coder: -2),
    ]
}

/// Records that ffmpeg's encoder made are read as the options say that it was given; no other bytes do harm.
@Suite struct FFV1ConfigurationTests {
    /// The extradata of a file's video, as ffprobe prints it.
    private static func extradata(_ path: String) throws -> [UInt8] {
        let run = try Tool.succeed(
            "ffprobe", ["-v", "error", "-show_data", "-show_entries", "stream=extradata", "-of", "json", path])
        let dump = try JSONValue(run.output).strings.first { $0.contains(": ") } ?? ""
        return dump.split(separator: "\n").flatMap { line in
            // Behind the place come groups of four digits, and two spaces before the text.
            let groups = line.drop { $0 != " " }.dropFirst().prefix(40).split(
                separator: " ", omittingEmptySubsequences: false)
            let digits = Array(groups.prefix { !$0.isEmpty }.joined())
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
        }
    }

    /// The record of a video of one frame that ffmpeg encodes with `options`.
    private static func record(_ pixelFormat: String, _ options: [String]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder / "clip.nut"
        try Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x128:r=10,format=\(pixelFormat)",
                "-frames:v", "2", "-c:v", "ffv1",
            ] + options + [path])
        return try extradata(path)
    }

    @Test(arguments: FFV1Case.settings + FFV1Case.slices + FFV1Case.formats)
    func recordsSayWhatTheEncoderWasTold(example: FFV1Case) throws {
        let record = try Self.record(example.pixelFormat, example.options)
        // Containers may pad it.
        for extradata in [record, record + [0]] {
            let read = try #require(FFV1Configuration.readings(of: extradata).first)
            // By ffmpeg's documentation, 1 and 2 are the custom table, and -2 is the default one.
            #expect(read.coder == (example.coder == 0 ? .golombRice : example.coder > 0 ? .rangeWithOwnTable : .range))
            #expect(read.columns * read.rows == example.slices && read.columns >= read.rows)
            #expect(read.errorDetection == example.slicecrc)
            #expect(read.isIntra == (example.group == 1))
            #expect(read.isRGB == example.isRGB && read.hasExtraPlane == example.hasAlpha)
            #expect(read.bitsPerSample == example.bits)
            #expect(read.hasChroma == (example.chroma != nil))
            if let chroma = example.chroma { #expect(read.chromaShift == chroma) }
        }
        // The encoder makes the same record with the options that are taken from it.
        let options = try #require(FFV1Configuration.readings(of: record).first).encoderOptions
        let again = try Self.record(example.pixelFormat, options.flatMap { ["-" + $0.0, $0.1] })
        #expect(again == record)
    }

    /// The second of two passes writes the initial states of all contexts, in front of what is read last.
    @Test func initialStatesAreSkipped() throws {
        let folder = try TemporaryFolder()
        for pass in ["1", "2"] {
            try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=192x128:r=10", "-frames:v", "5",
                    "-pix_fmt", "yuv420p", "-c:v", "ffv1", "-level", "3", "-coder", "1", "-slices", "6", "-slicecrc",
                    "0", "-g", "1", "-pass", pass, "-passlogfile", folder / "log", folder / "clip.nut",
                ])
        }
        let record = try Self.extradata(folder / "clip.nut")
        let read = try #require(FFV1Configuration(record: record))
        #expect(record.count > 1000)
        #expect(read.columns * read.rows == 6 && read.errorDetection == 0 && read.isIntra)
        #expect(FFV1Configuration(record: Array(record.prefix(1000))) == nil)
    }

    // MARK: Records made here

    /// Writes a record whose parts can be made wrong.
    private static func made(
        version: Int = 3, coder: Int = 0, bits: Int = 8, columns: Int = 3, sets: Int = 1,
        runs: [[Int]] = Array(repeating: [127], count: 5), initialStates: Int = 0
    ) -> [UInt8] {
        var writer = RangeWriter()
        for value in [version, 4, coder] { writer.write(value) }
        if coder == 2 { for index in 1..<256 { writer.write(index % 7 - 3, isSigned: true) } }
        for value in [0, bits] { writer.write(value) }
        writer.write(bit: true)
        for value in [1, 0] { writer.write(value) }
        writer.write(bit: false)
        for value in [columns - 1, 1, sets] { writer.write(value) }
        for _ in 0..<sets {
            for table in runs {
                var states = [UInt8](repeating: 128, count: 32)
                for run in table { writer.write(run, &states) }
            }
        }
        for _ in 0..<sets {
            writer.write(bit: initialStates > 0)
            var states = [[UInt8]](repeating: [UInt8](repeating: 128, count: 32), count: 32)
            for _ in 0..<initialStates {
                for index in 0..<32 { writer.write(index - 16, isSigned: true, &states[index]) }
            }
        }
        for value in [1, 0] { writer.write(value) }
        return writer.record
    }

    /// The table of the RFC's example, continued: runs of 2, 4 and 2, then one of what is left.
    private static let example = [1, 3, 1, 119]

    @Test func recordsWrittenHereAreRead() throws {
        let plain = try #require(FFV1Configuration(record: Self.made()))
        #expect((plain.columns, plain.rows) == (3, 2) && plain.contextCounts == [1])
        #expect((plain.hasChroma, plain.hasExtraPlane) == (true, false))
        #expect(plain.chromaShift == FFV1Configuration.Shift(horizontal: 1, vertical: 0))
        #expect(plain.errorDetection == 1 && !plain.isIntra && plain.microVersion == 4)
        let own = try #require(FFV1Configuration(record: Self.made(coder: 2, columns: 65536, sets: 8)))
        #expect(own.coder == .rangeWithOwnTable && own.columns == 65536 && own.contextCounts.count == 8)
        // Four values and their mirror images are seven, in each of two tables: (7 * 7 + 1) / 2 contexts.
        let runs = [Self.example, Self.example, [127], [127], [127]]
        let two = try #require(FFV1Configuration(record: Self.made(runs: runs, initialStates: 25)))
        #expect(two.contextCounts == [25] && two.errorDetection == 1)
    }

    @Test func recordsOutsideTheLimitsAreRefused() {
        let long = [Int](repeating: 0, count: 128)
        for (record, story) in [
            (Self.made(version: 2), "version 2"), (Self.made(version: 4), "version 4"),
            (Self.made(version: .max >> 1), "a number that never ends"), (Self.made(coder: 3), "no such coder"),
            (Self.made(bits: 33), "33 bits"), (Self.made(columns: 65537), "65537 columns"),
            (Self.made(sets: 0), "no tables"), (Self.made(sets: 9), "9 sets of tables"),
            (Self.made(runs: [[128], [127], [127], [127], [127]]), "a run of 129"),
            (Self.made(runs: [[1, 126], [127], [127], [127], [127]]), "runs of 2 and 127"),
            (Self.made(runs: [long, long, long, [127], [127]]), "16 million contexts"),
            ([], "nothing"), ([0x56], "a byte"), ([255, 255, 0, 0, 0, 0, 0, 0], "a value beyond the range"),
        ] { #expect(FFV1Configuration(record: record) == nil, "\(story)") }
    }

    /// Damage never makes the reader crash, nor read more than there is.
    @Test func damageDoesNoHarm() throws {
        let record = try Self.record("yuv420p", ["-level", "3", "-coder", "1", "-slices", "6"])
        // The parameters take all bytes but the checksum, so that half of them tell nothing.
        for count in 0..<(record.count / 2) {
            #expect(FFV1Configuration(record: Array(record.prefix(count))) == nil, "\(count) bytes")
        }
        for bit in 0..<(8 * record.count) {
            var damaged = record
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            _ = FFV1Configuration.readings(of: damaged)
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let start = record.prefix(Int.random(in: 0..<record.count, using: &random))
            let end = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = FFV1Configuration.readings(of: start + end)
        }
    }
}

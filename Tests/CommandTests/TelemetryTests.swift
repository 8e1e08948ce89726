import TestSupport
import Testing

extension CommandTests {
    /// Telemetry of a GoPro camera, in films of its recording.
    @Suite(.serialized, .needsMedia) struct TelemetryTests {
        let folder = TemporaryFolder.make()

        /// A value of a sensor, and the time that belongs to it: those of a packet are spread evenly over its time.
        private struct Sample {
            var value: Data
            var time: Double
        }

        private var recording: String { Places.medium("recordings/gopro-karma-gpmd-tmcd-480p.mp4") }

        /// The samples of the sensor `name` in order.
        private func samples(_ path: String, _ name: String) throws -> [Sample] {
            let object = try Judge.probe(
                path, "-select_streams d -show_data -show_packets -show_entries stream=codec_tag_string,index")
            let streams = object["streams"] as? [[String: Any]] ?? []
            let index = try #require(streams.first { $0["codec_tag_string"] as? String == "gpmd" }?["index"] as? Int)
            return (object["packets"] as? [[String: Any]] ?? []).filter { $0["stream_index"] as? Int == index }.flatMap
            {
                packet -> [Sample] in
                let number = { (name: String) in (packet[name] as? String).flatMap(Double.init) ?? 0 }
                let values = Self.values(Self.bytes(packet["data"] as? String ?? ""), name)
                return values.enumerated().map { index, value in
                    Sample(
                        value: value,
                        time: number("pts_time") + number("duration_time") * Double(index) / Double(values.count))
                }
            }
        }

        /// The bytes that ffprobe lists as "00000000: 4445 5643 ...  DEVC".
        private static func bytes(_ dump: String) -> [UInt8] {
            dump.split(separator: "\n").flatMap { line -> [UInt8] in
                let digits = line.dropFirst(10).prefix(40).filter(\.isHexDigit)
                return stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
                    let start = digits.index(digits.startIndex, offsetBy: place)
                    return UInt8(digits[start...].prefix(2), radix: 16)
                }
            }
        }

        private static func values(_ bytes: [UInt8], _ name: String) -> [Data] {
            var place = 0
            while place + 8 <= bytes.count {
                let (type, size) = (bytes[place + 4], Int(bytes[place + 5]))
                let count = Int(bytes[place + 6]) << 8 | Int(bytes[place + 7])
                if type == 0 {
                    place += 8
                } else if bytes[place..<place + 4].elementsEqual(name.utf8) {
                    return (0..<count).map { Data(bytes[(place + 8 + $0 * size)...].prefix(size)) }
                } else {
                    place += 8 + (size * count + 3) / 4 * 4
                }
            }
            return []
        }

        /// Every sample is one of the recording, and lies within a frame of the picture that it belongs to.
        private func expect(
            _ path: String, _ clips: [(start: Double, origin: Double, end: Double)], _ name: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let source = try samples(recording, name)
            let found = try samples(path, name)
            let rate = Double(source.count) / 12.0787
            let expected = clips.reduce(0) { $0 + ($1.end - $1.start) } * rate
            // The sensors' rates vary a little.
            #expect(
                abs(Double(found.count) - expected) <= expected * 0.01 + Double(clips.count),
                "\(found.count), expected \(expected)",
                sourceLocation: sourceLocation)
            let wrong = found.filter { sample in
                !clips.contains { clip in
                    sample.time > clip.start - 0.04 && sample.time < clip.end + 0.04
                        && source.contains {
                            $0.value == sample.value
                                && abs($0.time - clip.origin - (sample.time - clip.start)) < 1001.0 / 30000
                        }
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3).map(\.time))", sourceLocation: sourceLocation)
        }

        @Test(.turn(1, of: 3), arguments: Places.some(["mp4", "mov"], every: 2)) func tenClipsKeepTheirTelemetry(
            ending: String
        ) throws {
            let frame = 1001.0 / 30000
            let inputs = [String](repeating: recording, count: 10)
            try succeed(inputs + [folder / "cuts.\(ending)", "--transition", "cut", "--render", "auto"])
            let all = 362 * frame
            let cuts = (0..<10).map { (start: Double($0) * all, origin: 0.0, end: Double($0 + 1) * all) }
            try expect(folder / "cuts.\(ending)", cuts, "ACCL")
            let parts = inputs.map { "\($0)#t=1.5,4" }
            let run = try succeed(parts + [folder / "turns.\(ending)", "--duration", "15f", "--render", "auto"])
            // 75 frames each, of which transitions take 15.
            let turns = (0..<10).map { index in
                let start = Double(index) * 60 * frame
                return (start: start, origin: 45 * frame, end: start + (index < 9 ? 60 : 75) * frame)
            }
            for sensor in ["ACCL", "GYRO"] { try expect(folder / "turns.\(ending)", turns, sensor) }
            #expect(warnings(run).isEmpty, "\(run.story)")
        }

        /// A clip without telemetry has none of another clip's.
        @Test func otherClipsHaveNone() throws {
            let other = try clips().pattern("no-telemetry", frames: 60, rate: "30000/1001")
            let part = "\(recording)#t=1,2.5"
            try succeed("\(part) \(other) \(part) \(folder / "out.mp4") --transition cut --size 64x36 --fps 29.97")
            let frame = 1001.0 / 30000
            try expect(
                folder / "out.mp4",
                [(0, 30 * frame, 45 * frame), (105 * frame, 30 * frame, 150 * frame)].map { ($0.0, $0.1, $0.2) }, "ACCL"
            )
        }

        @Test func whatCannotHoldItIsNamed() throws {
            let part = "\(recording)#t=0,0.5"
            for ending in ["mkv", "ts"] {
                let run = try succeed([part, part, folder / "out.\(ending)", "--size", "64x36"])
                #expect(
                    warnings(run).contains {
                        $0.hasSuffix(
                            "left out the data track (GoPro MET) (stream 3, gpmd): \(ending) files can't hold it (mp4 and mov may)"
                        )
                    }, "\(run.story)")
            }
            let plan = try succeed(["plan", part, part, folder / "out.mp4"])
            #expect(plan.text.contains("data track (GoPro MET): gpmd, of inputs 1, 2\n"), "\(plan.story)")
        }
    }
}

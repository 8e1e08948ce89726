import TestSupport
import Testing

/// An order of fields by the names that ffmpeg has for it.
struct FieldNames: CustomTestStringConvertible, Sendable {
    /// "top" or "bottom", the field that is shown first.
    var first: String
    /// Of the container, if it states the fields as they are coded and shown.
    var stated: String

    var testDescription: String { "\(first) field first" }

    static let top = FieldNames(first: "top", stated: "tt")
    static let bottom = FieldNames(first: "bottom", stated: "bb")

    /// The filters that make frames of two fields each from twice as many pictures.
    var filter: String { "tinterlace=interleave_\(first),setfield=\(first.prefix(1))ff" }
}

extension CommandTests {
    /// Interlaced clips that are copied, and the fields that are drawn between them.
    @Suite(.serialized) struct FieldTests {
        private static let ffv1 = [
            "-c:v", "ffv1", "-level", "3", "-g", "1", "-slices", "4", "-slicecrc", "1", "-threads", "1",
        ]

        /// A soft picture that moves at 50 pictures a second, of which `order` makes the fields of 50 frames.
        /// - Parameter order: nil for 100 progressive frames.
        private func clip(
            _ name: String, _ order: FieldNames?, _ settings: [String], hue: Int = 0, format: String = "yuv420p",
            size: String = "192x144", aspect: String = "16/11"
        ) throws -> String {
            let fields = order.map { ",\($0.filter)" } ?? ""
            return try clips().make(
                name,
                [
                    "-f", "lavfi", "-i", "testsrc2=s=\(size):r=50:d=1000", "-vf",
                    "hue=h=\(hue),scroll=h=0.01:v=0.01,gblur=sigma=3,format=\(format)\(fields),setsar=\(aspect)",
                    "-frames:v", order == nil ? "100" : "50", "-colorspace", "bt709", "-color_primaries", "bt709",
                    "-color_trc", "bt709",
                ] + settings)
        }

        private func form(_ path: String) throws -> [String] {
            try Judge.fields(
                path, stream: "v:0",
                entries: "stream=width,height,sample_aspect_ratio,pix_fmt,field_order,codec_name,profile")
        }

        /// The number of frames that ffmpeg's detector finds to be of each kind.
        private func scanned(_ path: String) throws -> [String: Int] {
            let run = try Tool.succeed("ffmpeg", ["-nostdin", "-i", path, "-vf", "idet", "-f", "null", "-"])
            let line = try #require(run.messages.split(separator: "\n").last { $0.contains("Multi frame detection") })
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
            return ["TFF", "BFF", "Progressive"].reduce(into: [:]) { counts, kind in
                counts[kind] = words.firstIndex(of: kind).flatMap { Int(words[$0 + 1]) }
            }
        }

        /// Joins clips and expects that copied frames, their form and their fields are kept.
        private func expectKept(
            _ clips: [String], _ order: FieldNames, _ out: String, _ options: [String] = [], frames: Int
        ) throws {
            let arguments = clips + options + ["--duration", "6f", "--no-audio", "--render", "smart", "-y", out]
            let plan = try planJSON(arguments)
            #expect((plan["output"] as? [String: Any])?["fieldOrder"] as? String == order.first)
            #expect(try succeed(arguments).messages == "")
            #expect(try expectCopies(out, of: clips, plan) >= frames)
            #expect(try form(out) == form(clips[0]))
            #expect(try Judge.complaints(out) == "")
            let counts = try scanned(out)
            #expect(counts[order.first == "top" ? "TFF" : "BFF"] == 94, "\(counts)")
        }

        @Test(arguments: Places.some([FieldNames.top, .bottom], ["mpg", "ts", "mov", "mkv"], every: 8))
        func mpeg2KeepsItsFields(order: FieldNames, ending: String) throws {
            let folder = try TemporaryFolder()
            let settings = ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "2", "-flags", "+ildct+ilme"]
            let pair = try [0, 90].map {
                try clip("fields-\(order.first)-\($0).\(ending)", order, settings, hue: $0)
            }
            try expectKept(pair, order, folder / "out.\(ending)", frames: 70)
        }

        /// x264 codes fields within macroblocks of frames (MBAFF).
        @Test(arguments: Places.some([FieldNames.top, .bottom], ["mp4", "mov", "mkv", "ts"], every: 8))
        func h264KeepsItsFields(order: FieldNames, ending: String) throws {
            let folder = try TemporaryFolder()
            let settings = [
                "-c:v", "libx264", "-g", "12", "-bf", "2", "-flags", "+ildct+ilme", "-x264opts",
                "\(order.first.prefix(1))ff=1",
            ]
            let pair = try [0, 90].map {
                try clip("fields-h264-\(order.first)-\($0).\(ending)", order, settings, hue: $0)
            }
            try expectKept(pair, order, folder / "out.\(ending)", frames: 70)
        }

        /// A recording whose fields are pictures of their own (PAFF), each a packet of a transport stream. A packet of
        /// the output holds a frame.
        @Test(.turn(1, of: 2), .needsMedia, arguments: Places.some(["mp4", "mov", "mkv"], every: 3))
        func packetsOfFieldsAreCopied(ending: String) throws {
            let folder = try TemporaryFolder()
            try Tool.ffmpeg(
                "-i \(medium("h264-ac3-interlaced-tff-1080i50-avchd.mts")) -map 0:v -c copy -f h264",
                "\(folder / "all.h264")")
            let bytes = try Data(contentsOf: folder / "all.h264")
            try referenceFields(bytes).write(to: folder / "some.h264")
            let clip = folder / "clip.ts"
            try Tool.ffmpeg(
                "-f h264 -framerate 50 -i \(folder / "some.h264") -c copy",
                "-bsf:v setts=pts=N*1800:dts=N*1800:time_base=1/90000 \(clip)")
            #expect(
                try Judge.probe(clip, ["-select_streams", "v", "-show_packets"])["packets"].map {
                    ($0 as? [Any])?.count
                } == 64)
            let out = folder / "out.\(ending)"
            let arguments = [clip, clip, "--duration", "5f", "--no-audio", "--render", "smart", out]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            #expect(try expectCopies(out, of: [clip, clip], plan) >= 48)
            #expect(try Judge.video(out).times.count == 59)
            #expect(try scanned(out)["TFF"] == 59)
            #expect(try Judge.complaints(out) == "")
            let refused = try run(arguments.dropLast() + [folder / "out.ts"])
            #expect(
                refused.status == 65 && refused.messages.contains("has a packet for each field"), "\(refused.story)")
        }

        /// Eight times the same group of four frames: the first fields of the recording that are references.
        private func referenceFields(_ stream: Data) throws -> Data {
            var units: [Data] = []
            var start: Int?
            var place = stream.startIndex
            while place + 3 < stream.endIndex {
                if stream[place] == 0, stream[place + 1] == 0, stream[place + 2] == 1 {
                    start.map { units.append(stream[$0..<place]) }
                    start = place + 3
                    place += 3
                } else {
                    place += 1
                }
            }
            // Eight slices are before the recording changes a parameter set.
            var group = Data()
            var slices = 0
            for unit in units {
                let type = unit[unit.startIndex] & 31
                let isReference = unit[unit.startIndex] >> 5 > 0
                guard type == 7 || type == 8 || [1, 5].contains(type) && isReference else { continue }
                slices += type < 7 ? 1 : 0
                group += Data([0, 0, 0, 1]) + unit
                if slices == 8 { break }
            }
            try #require(slices == 8)
            return (0..<8).reduce(Data()) { all, _ in all + group }
        }

        @Test(
            .turn(0, of: 2),
            arguments: Places.some(
                [
                    ["prores_ks", "-profile:v", "2", "-pix_fmt", "yuv422p10le"],
                    ["dvvideo"], ["ffv1"],
                ], every: 3))
        func codecsOfSingleFramesKeepTheirFields(codec: [String]) throws {
            let folder = try TemporaryFolder()
            let order = codec[0] == "dvvideo" ? FieldNames.bottom : .top
            let settings = codec == ["ffv1"] ? Self.ffv1 : ["-c:v"] + codec + ["-flags", "+ildct+ilme"]
            let size = codec[0] == "dvvideo" ? "720x576" : "192x144"
            let pair = try [0, 90].map {
                try clip("fields-\(codec[0])-\($0).mov", order, settings, hue: $0, size: size)
            }
            let options = codec == ["ffv1"] ? ["--preset-for", "archive"] : []
            try expectKept(pair, order, folder / (codec == ["ffv1"] ? "out.mkv" : "out.mov"), options, frames: 88)
        }

        /// Each field shows what a film of twice as many pictures shows at the field's time.
        @Test(
            arguments: Places.some(
                [FieldNames.top, .bottom].flatMap { order in
                    ["flip", "curl", "curl=orientation=vertical", "cube=orientation=vertical", "wipe", "spine-fold"].map
                    {
                        (order, $0)
                    }
                }, every: 12))
        func fieldsAreDrawnAtTheirTimes(order: FieldNames, transition: String) throws {
            let folder = try TemporaryFolder()
            let hues = [0, 90]
            let pair = try hues.map {
                try clip(
                    "fields-seam-\(order.first)-\($0).mkv", order, Self.ffv1, hue: $0, size: "320x240", aspect: "1")
            }
            let progressive = try hues.map {
                try clip("fields-seam-\($0).mkv", nil, Self.ffv1, hue: $0, size: "320x240", aspect: "1")
            }
            let (look, archive) = (["--transition", transition, "--duration", "0.4"], ["--preset-for", "archive"])
            let out = folder / "out.mkv"
            let arguments = pair + look + archive + ["--render", "smart", out]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            #expect(try expectCopies(out, of: pair, plan) == 80)
            try succeed(progressive + look + archive + [folder / "full.mkv"])
            try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", folder / "full.mkv", "-vf",
                    // A field's line is as high as two of the frame's.
                    order.filter.replacingOccurrences(of: ",", with: ":flags=vlpf,"), "-c:v", "ffv1",
                    folder / "fields.mkv",
                ])
            let ratios = try Judge.psnr(out, folder / "fields.mkv")
            #expect(ratios.count == 90)
            #expect((ratios.min() ?? 0) >= 45, "\(ratios)")
        }

        /// Clips of another order, and progressive ones, are converted to that of the output, and the plan says so.
        @Test func otherOrdersAreConverted() throws {
            let folder = try TemporaryFolder()
            let settings = ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "2"]
            let interlaced = settings + ["-flags", "+ildct+ilme"]
            let pair = try [0, 90].map { try clip("fields-top-\($0).ts", .top, interlaced, hue: $0) }
            let bottom = try clip("fields-bottom-0.ts", .bottom, interlaced)
            let other = try clip("fields-none.ts", nil, settings + ["-r", "25"])
            let out = folder / "out.ts"
            let arguments = pair + [bottom, other, "--duration", "6f", "--no-audio", "--render", "auto", out]
            let plan = try planJSON(arguments)
            let inputs = try #require(plan["inputs"] as? [[String: Any]])
            #expect(inputs[2]["conversions"] as? [String] == ["deinterlaced"])
            #expect(inputs[3]["conversions"] as? [String] == [])
            let refusals = inputs.map { $0["copyRefusal"] as? String ?? "" }
            #expect(
                refusals[2].contains(
                    "is interlaced (bottom field first), and the output is interlaced (top field first)"))
            #expect(refusals[3].contains("is progressive, and the output is interlaced"))
            try succeed(arguments)
            #expect(try expectCopies(out, of: pair + [bottom, other], plan) >= 60)
            #expect(try form(out) == form(pair[0]))
        }

        /// Where fields can't be encoded, `smart` says so, and `auto` makes what `full` makes.
        @Test func encodersWithoutFieldsAreRefused() throws {
            let folder = try TemporaryFolder()
            let clip = try clip(
                "fields-top-0.ts", .top,
                ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "2", "-flags", "+ildct+ilme"])
            let arguments = [
                clip, clip, "--duration", "6f", "--no-audio", "--video-codec", "libx265", "--preset", "ultrafast",
            ]
            let smart = try run(arguments + ["--render", "smart", folder / "smart.mkv"])
            #expect(
                smart.status == 64 && smart.messages.contains("libx265 can't encode interlaced video"), "\(smart.story)"
            )
            try succeed(arguments + ["--render", "auto", folder / "auto.mkv"])
            try succeed(arguments + [folder / "full.mkv"])
            #expect(try Judge.frameHashes(folder / "auto.mkv") == Judge.frameHashes(folder / "full.mkv"))
            #expect(try scanned(folder / "full.mkv")["TFF"] == 0)
        }
    }
}

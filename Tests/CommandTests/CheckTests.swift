import TestSupport
import Testing

extension CommandTests {
    /// Faults that ffmpeg puts into joined films are found under their names, and good joins have none.
    @Suite(.serialized) struct CheckTests {
        let folder = TemporaryFolder.make()

        /// A film of 3 s in which decoding can begin at every fifth frame, with noise as its sound.
        /// - Parameter reordered: whether it has B-frames.
        private func film(_ seed: Int, reordered: Bool = false) throws -> String {
            try clips().make(
                "check-\(seed)\(reordered ? "-b" : "").mp4", "-f lavfi -i testsrc2=s=320x180:r=25:d=3",
                "-f lavfi -i anoisesrc=d=3:seed=\(seed):a=0.1:r=48000 -vf \(seed == 2 ? "negate,hflip" : "null"),format=yuv420p -c:v libx264",
                "-g \(reordered ? 25 : 5) -bf \(reordered ? 2 : 0) -sc_threshold 0 -preset veryfast -c:a aac -ac 1")
        }

        /// The same with what phones write.
        private func phoneFilm() throws -> String {
            try clips().make(
                "check-phone.mp4", "-i \(film(1)) -c copy -metadata creation_time=2024-05-06T07:08:09Z",
                "-metadata location=+48.1+011.5/ -bsf:v h264_metadata=display_orientation=insert:rotate=90")
        }

        /// Joins parts of films with ffmpeg, which copies their packets.
        private func joined(_ parts: [(path: String, from: Double?, to: Double?)]) throws -> String {
            let list = parts.map { part in
                "file '\(part.path)'" + (part.from.map { "\ninpoint \($0)" } ?? "")
                    + (part.to.map { "\noutpoint \($0)" } ?? "")
            }
            try list.joined(separator: "\n").write(to: folder / "list.txt")
            let out = folder / "joined.mp4"
            try Tool.ffmpeg("-y -f concat -safe 0 -i \(folder / "list.txt") -map 0 -c copy \(out)")
            return out
        }

        private struct Finding: Decodable {
            let kind: String
            let frame: Int?
            let count: Int?
        }

        private struct Report: Decodable {
            let frames: Int
            let copied: Int
            let encoded: Int
            let findings: [Finding]
            let notes: [String]
        }

        private func check(
            _ film: String, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> Report {
            let run = try CommandTests.run(["check", film] + arguments + ["--json"])
            let report = try JSONDecoder().decode(Report.self, from: run.output)
            #expect(run.status == (report.findings.isEmpty ? 0 : 65), "\(run.story)", sourceLocation: sourceLocation)
            return report
        }

        private func expectGood(
            _ film: String, _ sources: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let run = try CommandTests.run(["check", film] + sources)
            #expect(
                run.status == 0 && run.text.contains("nothing wrong") && run.messages.isEmpty, "\(run.story)",
                sourceLocation: sourceLocation)
        }

        private func expect(
            _ kind: String, at frame: Int? = nil, _ count: Int? = nil, in film: String, of sources: [String],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let found = try check(film, sources).findings.filter { $0.kind == kind }
            #expect(
                found.contains { (frame == nil || $0.frame == frame) && (count == nil || $0.count == count) },
                "\(kind): \(found)", sourceLocation: sourceLocation)
        }

        // MARK: Good joins

        @Test(.turn(1, of: 2), arguments: ["smart", "auto", "full"], ["cut", "flip"])
        func ownJoinsAreGood(render: String, transition: String) throws {
            let sources = try [film(1, reordered: true), film(2, reordered: true)]
            let out = folder / "out.mp4"
            try succeed(sources + [out, "--render", render, "--transition", transition, "--duration", "0.4"])
            try expectGood(out, sources + ["--whole"])
            let report = try check(out, sources)
            #expect(report.frames == (transition == "cut" ? 150 : 140))
            #expect(render == "full" ? report.copied == 0 : report.copied >= 100, "\(report)")
        }

        @Test(arguments: ["mp4", "mkv", "ts"]) func joinsByFFmpegAreGood(ending: String) throws {
            let sources = try [film(1), film(2)]
            let out = folder / "out.\(ending)"
            try Tool.ffmpeg("-i \(joined(sources.map { ($0, nil, nil) })) -map 0 -c copy \(out)")
            try expectGood(out, sources)
            let report = try check(out, sources)
            #expect((report.frames, report.copied, report.encoded) == (150, 150, 0))
        }

        @Test func filmsThatWereEncodedAnewAreGood() throws {
            let sources = try [film(1), film(2)]
            let out = folder / "out.mp4"
            try Tool.ffmpeg("-i \(joined(sources.map { ($0, nil, nil) })) -c:v libx264 -g 250 -preset veryfast \(out)")
            try expectGood(out, sources)
            #expect(try check(out, sources).copied == 0)
        }

        // MARK: Faults

        @Test func missingFramesAreFound() throws {
            for reordered in [false, true] {
                let sources = try [film(1, reordered: reordered), film(2)]
                let out = folder / "dropped-\(reordered).mp4"
                try Tool.ffmpeg("-i \(sources[0]) -map 0 -c copy -bsf:v noise=amount=0:drop=eq(n\\,37) \(out)")
                try expect("lost", 1, in: out, of: [sources[0]])
            }
            let source = try film(1)
            try expect("lost", at: 25, 5, in: joined([(source, nil, 1), (source, 1.2, nil)]), of: [source])
            // What the parts leave out on purpose isn't missing.
            try expectGood(joined([(source, nil, 1), (source, 2, nil)]), [source + "#t=0,1", source + "#t=2"])
        }

        @Test func missingFramesOfAnEncodedFilmAreFound() throws {
            let (source, out) = (try film(1), folder / "out.mp4")
            try Tool.ffmpeg(
                "-i \(source) -vf select=not(between(n\\,30\\,32)),setpts=N/25/TB -r 25 -c:v libx264 \(out)")
            try expect("lost", 3, in: out, of: [source])
        }

        @Test func aFilmThatIsNotThereIsFound() throws {
            let (one, two) = (try film(1), try film(2))
            try expect("lost", 75, in: one, of: [one, two])
            let out = folder / "out.mp4"
            try Tool.ffmpeg("-i \(one) -c:v libx264 -preset veryfast \(out)")
            try expect("lost", 75, in: out, of: [one, two])
        }

        @Test func repeatedFramesAreFound() throws {
            let source = try film(1)
            try expect("repeated", at: 50, 5, in: joined([(source, nil, 2), (source, 1.8, nil)]), of: [source])
        }

        @Test func swappedFramesAreFound() throws {
            let (source, out) = (try film(1), folder / "out.mp4")
            let times = "setts=dts=DTS-4*DURATION:pts=if(eq(N\\,32)\\,NEXT_PTS\\,if(eq(N\\,33)\\,PREV_INPTS\\,PTS))"
            try Tool.ffmpeg("-i \(source) -map 0 -c copy -bsf:v \(times) \(out)")
            try expect("order", in: out, of: [source])
        }

        @Test(arguments: [32, 50]) func damagedPacketsAreFound(packet: Int) throws {
            let (source, out) = (try film(1, reordered: true), folder / "out.mp4")
            try Tool.ffmpeg("-i \(source) -map 0 -c copy -bsf:v noise=amount=if(eq(n\\,\(packet))\\,40\\,0) \(out)")
            try expect("damaged", in: out, of: [source])
        }

        @Test func framesOfAnotherPlaceAreFound() throws {
            let (one, two) = (try film(1), try film(2))
            let foreign = try joined([(one, nil, 1), (two, 1, 1.2), (one, 1.2, nil)])
            try expect("wrong", at: 25, 5, in: foreign, of: [one, two])
            try expect("wrong", at: 25, 5, in: foreign, of: [one])
            try expect("wrong", at: 25, 5, in: joined([(one, nil, 1), (one, 2, 2.2), (one, 1.2, nil)]), of: [one])
        }

        @Test func shiftedSoundIsFound() throws {
            let (source, out) = (try film(1), folder / "out.mp4")
            try Tool.ffmpeg("-i \(source) -itsoffset 0.08 -i \(source) -map 0:v -map 1:a -c copy \(out)")
            try expect("sound", in: out, of: [source])
        }

        @Test func unevenTimesAreFound() throws {
            let (source, out) = (try film(1), folder / "out.mp4")
            let times = "setts=dts=DTS-DURATION:pts=PTS+floor(DURATION*0.3)*eq(mod(N\\,7)\\,3)"
            try Tool.ffmpeg("-i \(source) -map 0 -c copy -bsf:v \(times) \(out)")
            try expect("times", in: out, of: [source])
        }

        @Test func missingTracksAndTagsAreFound() throws {
            let (source, out) = (try phoneFilm(), folder / "out.mp4")
            let date = "creation_time=2024-05-06T07:08:09Z"
            try Tool.ffmpeg("-i \(source) -map 0 -c copy -metadata \(date) \(out)")
            try expectGood(out, [source])
            let turning = "h264_metadata=display_orientation=remove"
            for (words, kind, name) in [
                (["-an"], "track", "audio"), (["-map_metadata", "-1"], "tag", "(creation_time)"),
                (["-metadata", "location=", "-metadata", "location-eng="], "tag", "(location)"),
                (["-bsf:v", turning], "tag", "turned"),
            ] {
                let others = name.contains("creation") ? [] : ["-metadata", date]
                try Tool.ffmpeg("-y -i \(source) -c copy \(others) \(words) \(out)")
                let run = try CommandTests.run(["check", out, source])
                #expect(run.status == 65 && run.text.contains("\(kind): "), "\(run.story)")
                #expect(run.text.contains(name), "\(run.story)")
            }
        }

        // MARK: Parts and options

        @Test func endsMatterWhereTheyAreAskedFor() throws {
            let source = try film(1)
            let out = try joined([(source, 1, nil)])
            #expect(try check(out, [source]).notes.contains { $0.contains("starts at frame 25") })
            try expect("lost", 25, in: out, of: [source, "--whole"])
            try expect("lost", 10, in: out, of: [source + "#t=0.6,3"])
            try expectGood(out, [source + "#t=1,3"])
        }

        @Test func mistakesAreRefused() throws {
            let source = try film(1)
            try expectExit(["check", source], 64, saying: "check OUT IN...")
            try expectExit(["check", source, folder / "none.mp4"], 66, saying: "none.mp4")
            try expectExit(["check", source, source, "--threads", "0"], 64, saying: "threads")
        }
    }
}

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// The time codes, dissolves and gaps of EDLs, and rates of lists other than the film's.
    @Suite(.serialized) struct CutTimecodeTests {
        private func film(_ name: String, _ rate: String, frames: Int, _ options: [String] = []) throws -> String {
            try clips().make(
                name,
                [
                    "-f", "lavfi", "-i", "testsrc2=s=64x36:r=\(rate):d=1000", "-frames:v", "\(frames)", "-pix_fmt",
                    "yuv420p",
                ] + options)
        }

        private func hashes(
            _ film: String, _ list: String, as name: String = "list.edl", _ options: [String] = []
        ) throws -> [String] {
            let folder = try TemporaryFolder()
            try list.write(toFile: folder / name, atomically: true, encoding: .utf8)
            try succeed(
                [film + "#cuts=" + (folder / name), "--video-codec", "ffv1", "--no-audio", folder / "out.mkv"] + options
            )
            return try Judge.frameHashes(folder / "out.mkv")
        }

        /// With drop frame, 01:00:59;29 is followed by 01:01:00;02, at the film's frame 1800.
        @Test func dropFrameCodesCountFromTheFilmsOwn() throws {
            let coded = try film(
                "cuts-drop.mov", "30000/1001", frames: 1830,
                ["-timecode", "01:00:00;00", "-c:v", "libx264", "-qp", "0"]
            )
            let tagged = try film(
                "cuts-drop.mkv", "30000/1001", frames: 1830, ["-metadata", "timecode=01:00:00;00", "-c:v", "ffv1"])
            let plain = try film("cuts-plain.mkv", "30000/1001", frames: 1830, ["-c:v", "ffv1"])
            let lines = { (hour: String, mark: String) in
                """
                FCM: DROP FRAME
                1 A V C \(hour):00:59\(mark)28 \(hour):01:00\(mark)12 00:00:00;00 00:00:00;12
                2 A V C \(hour):00:01\(mark)00 \(hour):00:01\(mark)10 00:00:00;12 00:00:00;22
                """
            }
            for (film, hour) in [(coded, "01"), (tagged, "01"), (plain, "00")] {
                let source = try Judge.frameHashes(film)
                #expect(
                    try hashes(film, lines(hour, ";"), ["--transition", "cut"])
                        == Array(source[1798..<1810]) + source[30..<40])
                #expect(
                    try hashes(film, lines(hour, ":"), ["--transition", "cut"])
                        == Array(source[1798..<1810]) + source[30..<40])
            }
            // Without drop frame, 01:00:59:28 is followed by :29 and 01:01:00:00, frame 1800.
            let list = """
                1 A V C 01:00:59:28 01:01:00:12 00:00:00:00 00:00:00:14
                2 A V C 01:00:01:00 01:00:01:10 00:00:00:14 00:00:00:24
                """
            let source = try Judge.frameHashes(tagged)
            let untagged = try film(
                "cuts-nondrop.mkv", "30000/1001", frames: 1830, ["-metadata", "timecode=01:00:00:00", "-c:v", "ffv1"])
            #expect(
                try hashes(untagged, list, ["--transition", "cut"]) == Array(source[1798..<1812]) + source[30..<40])
        }

        @Test func theRateAskedForIsThatOfTheCodes() throws {
            let fast = try film("cuts-fast.mkv", "50", frames: 120, ["-c:v", "ffv1"])
            let list =
                "1 A V C 00:00:00:10 00:00:00:20 00:00:00:00 00:00:00:10\n2 A B C 00:00:01:00 00:00:01:05 00:00:00:10 00:00:00:15"
            let source = try Judge.frameHashes(fast)
            #expect(try hashes(fast, list, ["--transition", "cut"]) == Array(source[10..<20]) + source[50..<55])
            let slow = try hashes(fast, list, ["--transition", "cut", "--fps", "25"])
            #expect(slow.count == 15)
            // Each frame of 25 fps is the one of two that was shown at its time.
            let shown = Array(10..<20) + Array(25..<30)
            #expect(slow == shown.map { source[2 * $0] })
        }

        /// A dissolve begins at its cut, so the film before the cut goes on for its length.
        @Test func dissolvesHaveTheirOwnLength() throws {
            let film = try film("cuts-dissolve.mkv", "25", frames: 120, ["-c:v", "ffv1"])
            let list = """
                001 A V C     00:00:00:00 00:00:00:20 01:00:00:00 01:00:00:20
                002 A V C     00:00:00:20 00:00:00:20 01:00:00:20 01:00:00:20
                002 B V D 006 00:00:02:00 00:00:02:20 01:00:00:20 01:00:01:15
                003 C V C     00:00:03:10 00:00:04:05 01:00:01:15 01:00:02:10
                """
            let source = try Judge.frameHashes(film)
            let out = try hashes(film, list, ["--duration", "10f"])
            try #require(out.count == 60)
            #expect(out[..<20] == source[..<20])
            #expect(out[26..<35] == source[56..<65])
            #expect(out[45...] == source[90..<105])
            #expect(Set(out[20..<26]).isDisjoint(with: source) && Set(out[35..<45]).isDisjoint(with: source))
            // auto-editor says where a transition lies; at the end of it, the second part begins early.
            let timeline = """
                {"version": "3", "timebase": "25", "v": [[{"src": "x", "start": 0, "dur": 20, "offset": 0, "stream": 0},
                {"src": "x", "start": 20, "dur": 20, "offset": 50, "stream": 0}]],
                "transitions": {"v": [[{"kind": "dissolve", "at": 20, "dur": 6, "alignment": "end"}]], "a": []}}
                """
            let early = try hashes(film, timeline, as: "list.v3", ["--duration", "10f"])
            try #require(early.count == 40)
            #expect(early[..<14] == source[..<14])
            #expect(early[20...] == source[50..<70])
        }

        @Test func gapsAreBlack() throws {
            let film = try film("cuts-gap.mkv", "25", frames: 100, ["-c:v", "ffv1"])
            let source = try Judge.frameHashes(film)
            let edl = """
                1 A V C 00:00:00:00 00:00:00:10 00:00:00:00 00:00:00:10
                2 BL V C 00:00:00:00 00:00:00:05 00:00:00:10 00:00:00:15
                3 A V C 00:00:01:00 00:00:01:10 00:00:00:20 00:00:01:05
                """
            let timeline = """
                {"version": "3", "timebase": "25/1", "v": [[{"src": "x", "start": 0, "dur": 10, "offset": 0, "stream": 0},
                {"src": "x", "start": 20, "dur": 10, "offset": 25, "stream": 0}]]}
                """
            for (list, name) in [(edl, "list.edl"), (timeline, "list.json")] {
                let out = try hashes(film, list, as: name, ["--transition", "cut"])
                try #require(out.count == 30)
                #expect(out[..<10] == source[..<10])
                #expect(out[20...] == source[25..<35])
                #expect(Set(out[10..<20]).count == 1)
                #expect(!source.contains(out[10]))
            }
        }
    }
}

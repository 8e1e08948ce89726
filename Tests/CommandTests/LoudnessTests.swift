import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// `--loudness`, judged by ffmpeg's own measurement of the output.
    @Suite(.serialized) struct LoudnessTests {
        /// The integrated loudness in LUFS and the true peak in dBTP of a file's audio.
        private func measure(_ path: String) throws -> (loudness: Double, peak: Double) {
            let run = try Tool.run(
                "ffmpeg", ["-hide_banner", "-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"])
            let summary = run.messages.components(separatedBy: "Summary:").last ?? ""
            func number(after label: String) throws -> Double {
                let rest = try #require(summary.range(of: label), "\(run.story)").upperBound
                let words = summary[rest...].split(whereSeparator: \.isWhitespace)
                return try #require(words.first.flatMap { Double($0) }, "\(summary)")
            }
            return try (number(after: "I:"), number(after: "Peak:"))
        }

        /// Real mixes reach each of the usual targets, whether they have to be amplified, lowered or limited.
        @Test(
            .enabled(if: Places.media != nil, Comment(rawValue: Places.mediaIsMissing)), .timeLimit(.minutes(10)),
            arguments: [
                ("h264-mp3-in-mp4-640x360-chaplin.mp4", "h264-aac-960x540-29-97fps-flower.mp4", -10.0),
                ("h264-aac51-720p25-bunny.mp4", "h264-aac-640x360-hls-segment-cc.ts", -16),
                ("h264-aac-640x480-30fps-bw-film.mp4", "h264-aac-bt601-360x240.mp4", -14),
                ("mpeg4-mp3-960x400-23-976fps.avi", "h264-aac-rotate270-352x288-phone.mp4", -23),
                ("h264-ac3-srt-subtitle.mkv", "h264-mp3-in-mp4-640x360-chaplin.mp4", -16),
            ])
        func realMixesReachTheirLoudness(first: String, second: String, target: Double) throws {
            let folder = try TemporaryFolder()
            let out = folder / "out.mkv"
            try succeed([
                Places.medium(first), Places.medium(second), out, "--duration", "0.5", "--loudness", "\(target)",
                "--audio-codec", "flac", "--size", "160x90", "--preset", "ultrafast",
            ])
            let (loudness, peak) = try measure(out)
            // ffmpeg prints one decimal.
            #expect(abs(loudness - target) <= 0.2, "\(loudness) LUFS")
            #expect(peak <= -1, "\(peak) dBTP")
        }

        /// Peaks far above the rest are limited, and every sample keeps its time.
        @Test(.timeLimit(.minutes(3))) func peaksAreLimitedWhereTheyAre() throws {
            let folder = try TemporaryFolder()
            let clip = { (name: String, events: [Double]) in
                let isClick = events.map { "between(t,\($0)-0.0005,\($0)+0.0005)" }.joined(separator: "+")
                return try clips().make(
                    name,
                    [
                        "-f", "lavfi", "-i", "color=c=0x202020:s=160x90:r=30:d=4", "-f", "lavfi", "-i",
                        "aevalsrc='0.02*sin(2*PI*400*t)+0.9*(\(isClick))':s=48000:d=4", "-c:v", "ffv1", "-c:a", "flac",
                    ])
            }
            let (a, b) = try (clip("loud-a.mkv", [1, 2.5]), clip("loud-b.mkv", [1.5, 3]))
            let out = folder / "out.mkv"
            let report = folder / "report.json"
            try succeed([
                a, b, out, "--duration", "15f", "--loudness", "-20", "--audio-codec", "flac", "--report", report,
            ])
            let (loudness, peak) = try measure(out)
            #expect(abs(loudness + 20) <= 0.2 && peak <= -1, "\(loudness) LUFS, \(peak) dBTP")
            // 120 + 120 - 15 frames of 1600 samples.
            let sound = try Sound(out)
            #expect(sound.samples.count == 225 * 1600)
            let found = sound.clicks()
            let expected = [1, 2.5, 3.5 + 1.5, 3.5 + 3]
            try #require(found.count == expected.count, "clicks at \(found)")
            for (found, expected) in zip(found, expected) { #expect(abs(found - expected) < 0.002, "\(found) s") }
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report)))
            let outcome = try #require((json as? [String: Any])?["loudness"] as? [String: Any])
            let source = try measure(a)
            #expect(outcome["isLimited"] as? Bool == true)
            // Both clips are alike, so the mix is as loud as either of them.
            #expect(abs((outcome["measured"] as? Double ?? 0) - source.loudness) < 0.5, "\(outcome)")
        }

        /// Silence stays silent, a film without audio gets a warning, and copied audio is encoded.
        @Test(.timeLimit(.minutes(3))) func whatCannotBeLeveledIsSaid() throws {
            let folder = try TemporaryFolder()
            let silent = try clips().make(
                "loud-silent.mkv",
                [
                    "-f", "lavfi", "-i", "color=c=0x202020:s=160x90:r=30:d=2", "-f", "lavfi", "-i",
                    "anullsrc=r=48000:cl=mono:d=2", "-t", "2", "-c:v", "ffv1", "-c:a", "flac",
                ])
            try succeed([silent, silent, folder / "out.mkv", "--loudness", "-16", "--audio-codec", "flac"])
            #expect(try Sound(folder / "out.mkv").samples.allSatisfy { $0 == 0 })
            let run = try succeed([
                silent, silent, folder / "none.mkv", "--loudness", "-16LUFS", "--no-audio",
            ])
            #expect(run.messages.contains("--loudness has no effect"), "\(run.story)")
            let click = try clips().flashAndClick("loud-click.mp4", seconds: 3, events: [1])
            let plan = try succeed([
                "plan", click, click, folder / "smart.mp4", "--render", "auto", "--loudness", "-16", "--duration",
                "10f",
            ])
            #expect(plan.text.contains("all is encoded: --loudness changes its level"), "\(plan.story)")
        }
    }
}

import TestSupport
import Testing

/// A film of 240 frames, of which parts are copied.
struct CutFilm: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The endings of the film and of the output.
    var endings: (film: String, output: String)
    var settings: String

    private static let h264 = "-c:v libx264 -g 30 -bf 2"
    private static let hevc = "-c:v libx265 -g 30 -x265-params log-level=error"
    private static let mpeg2 = "-c:v mpeg2video -g 15 -bf 2 -q:v 3"

    private static func film(_ name: String, _ film: String, _ settings: String, as output: String? = nil) -> CutFilm {
        CutFilm(testDescription: name, endings: (film, output ?? film), settings: settings)
    }

    /// What cutters of recordings are tried with: codecs and profiles, containers, forms and sounds.
    static let all = [
        film("H.264 Baseline", "mkv", h264 + " -profile:v baseline -c:a aac"),
        film("H.264 Main", "mkv", h264 + " -profile:v main -c:a aac"),
        film("H.264 High", "mkv", h264 + " -c:a libmp3lame"),
        film("H.264 High 10", "mkv", h264 + " -pix_fmt yuv420p10le -c:a flac"),
        film("H.264 High 4:2:2", "mkv", h264 + " -pix_fmt yuv422p -c:a libopus"),
        film("H.264 High 4:4:4 Predictive", "mkv", h264 + " -pix_fmt yuv444p -c:a ac3"),
        film("H.264, open groups", "mkv", h264 + " -x264-params open-gop=1 -c:a aac"),
        film("H.264, open groups", "ts", h264 + " -x264-params open-gop=1 -c:a aac"),
        film("H.264, interlaced", "mkv", h264 + " -flags +ildct+ilme -c:a aac"),
        film("H.264", "mp4", h264 + " -c:a aac"), film("H.264", "mov", h264 + " -c:a aac"),
        film("H.264", "flv", h264 + " -c:a aac", as: "mp4"), film("H.264", "ts", h264 + " -c:a aac"),
        film("H.264", "m2ts", h264 + " -c:a ac3"), film("H.264 in mp4", "mp4", h264 + " -c:a aac", as: "mkv"),
        film("H.264, other aspect", "mp4", h264 + " -aspect 64:27 -c:a aac"),
        film(
            "H.264, uneven times", "mp4",
            h264
                + " -vf setpts=PTS+if(eq(mod(N\\,7)\\,3)\\,0.4\\,0)/30/TB -fps_mode vfr -enc_time_base 1/90000 -c:a aac"
        ),
        film("HEVC", "mp4", hevc + " -c:a aac"), film("HEVC", "ts", hevc + " -c:a aac"),
        film("HEVC Main 10, closed groups", "mkv", hevc + ":open-gop=0 -pix_fmt yuv420p10le -c:a aac"),
        film("HEVC 4:2:2 of 10 bits", "mkv", hevc + " -pix_fmt yuv422p10le -c:a aac"),
        film("MPEG-2", "mpg", mpeg2 + " -c:a mp2"), film("MPEG-2", "ts", mpeg2 + " -c:a mp2"),
        film("MPEG-2 4:2:2", "mov", mpeg2 + " -pix_fmt yuv422p -c:a pcm_s16le"),
        film("VP8", "webm", "-c:v libvpx -g 30 -b:v 2M -c:a libopus"),
        film("VP9", "webm", "-c:v libvpx-vp9 -g 30 -b:v 2M -cpu-used 6 -c:a libopus"),
        film("VP9 profile 1", "webm", "-c:v libvpx-vp9 -g 30 -b:v 2M -cpu-used 6 -pix_fmt yuv444p -c:a libopus"),
        film("AV1", "mp4", "-c:v libsvtav1 -g 30 -preset 9 -c:a aac"),
        film("MPEG-4 part 2", "avi", "-c:v mpeg4 -g 30 -bf 2 -q:v 3 -c:a libmp3lame", as: "mp4"),
    ]
}

extension CommandTests {
    /// Three parts of a film, joined by cuts, in all codecs and containers that recordings come in.
    @Suite(.serialized) struct CutMatrixTests {
        let folder = TemporaryFolder.make()

        /// The frames of the parts.
        private static let parts = [15..<91, 105..<181, 36..<112]

        private func film(_ film: CutFilm) throws -> String {
            let words = film.settings.split(separator: " ").map(String.init)
            let format = words.contains("-pix_fmt") ? [] : ["-pix_fmt", "yuv420p"]
            return try clips().make(
                "cut-\(film.testDescription.filter { $0.isLetter || $0.isNumber }).\(film.endings.film)", "-f lavfi",
                "-i testsrc2=s=192x108:r=30:d=8 -f lavfi -i sine=440:r=48000:d=8 \(format) \(words)")
        }

        /// The frames of the parts without loss, as ffmpeg decodes them.
        private func reference(_ film: String) throws -> String {
            let trims = Self.parts.enumerated().map { number, frames in
                "[0:v]trim=start_frame=\(frames.lowerBound):end_frame=\(frames.upperBound),setpts=PTS-STARTPTS[\(number)]"
            }
            let graph = trims.joined(separator: ";") + ";[0][1][2]concat=n=3"
            try Tool.ffmpeg(
                "-i \(film) -filter_complex \(graph) -fps_mode passthrough -c:v ffv1 \(folder / "reference.mkv")")
            return folder / "reference.mkv"
        }

        @Test(arguments: Places.some(CutFilm.all, every: 20)) func partsAreCopied(kind: CutFilm) throws {
            let film = try film(kind)
            // Between two frames, so that it doesn't matter how a container rounds their times.
            let parts = Self.parts.map { frames in
                let times = [frames.lowerBound, frames.upperBound].map { String((Double($0) - 0.45) / 30) }
                return "\(film)#t=\(times.joined(separator: ","))"
            }
            let out = folder / "out.\(kind.endings.output)"
            let arguments = parts + ["--transition", "cut", "--render", "auto", "-y", out]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            let starts = Self.parts.map(\.lowerBound)
            // All but what precedes the first keyframe of each part, which is 45 frames, and what follows the last one that can end.
            #expect(try expectCopies(out, of: [film, film, film], from: starts, plan) >= 228 - 45 - 12)
            #expect(try Judge.complaints(out) == "")
            let ratios = try Judge.psnr(out, reference(film))
            #expect(ratios.count == 228 && ratios.allSatisfy { $0 > 34 }, "\(ratios)")
        }
    }
}

import TestSupport
import Testing

/// A real clip into which ffmpeg puts faults.
struct FaultClip: Sendable {
    let name: String
    let ending: String
    /// Its frames per second as ffmpeg writes them, and its frames.
    let rate: String
    let frames: Int
    /// A frame around which something moves.
    let moving: Int
    /// Whether the packets stay as they are where the fault allows it.
    let isCopied: Bool
    /// Whether it is silent, so that it gets the sound of a song.
    var isSilent = false
    /// Whether its frames are shown at uneven times.
    var isUneven = false

    static let all: [FaultClip] = [
        FaultClip(
            name: "h264-aac-640x480-30fps-bw-film.mp4", ending: "mp4", rate: "30/1", frames: 185, moving: 136,
            isCopied: false),
        FaultClip(
            name: "h264-aac-960x540-29-97fps-flower.mp4", ending: "mp4", rate: "30000/1001", frames: 150, moving: 72,
            isCopied: true, isSilent: true),
        FaultClip(
            name: "theora-vorbis-560x320-lego.ogv", ending: "mkv", rate: "30/1", frames: 166, moving: 80,
            isCopied: false),
        FaultClip(
            name: "h264-aac51-720p25-bunny.mp4", ending: "mp4", rate: "25/1", frames: 132, moving: 40, isCopied: true),
        FaultClip(
            name: "h264-mp3-in-mp4-640x360-chaplin.mp4", ending: "mp4", rate: "25/1", frames: 241, moving: 139,
            isCopied: false),
        FaultClip(
            name: "h264-pcm-1080p50-xvycc.mov", ending: "mov", rate: "50/1", frames: 100, moving: 58, isCopied: true),
        FaultClip(
            name: "recordings/gopro-karma-gpmd-tmcd-480p.mp4", ending: "mp4", rate: "30000/1001", frames: 362,
            moving: 132,
            isCopied: false),
        FaultClip(
            name: "mjpeg-pcm-320x240-15fps-camera.avi", ending: "mov", rate: "15/1", frames: 41, moving: 16,
            isCopied: true),
        FaultClip(
            name: "h264-2audio-8subtitles.mkv", ending: "mkv", rate: "24/1", frames: 48, moving: 21, isCopied: false),
        FaultClip(
            name: "recordings/iphone-hevc-rotate90-editlist-mebx-1080p.mp4", ending: "mp4", rate: "30000/1001",
            frames: 78,
            moving: 19, isCopied: true, isUneven: true),
    ]

    /// The seconds that `count` frames last.
    func seconds(_ count: Int) -> Double {
        let terms = rate.split(separator: "/").compactMap { Double($0) }
        return Double(count) * terms[1] / terms[0]
    }
}

/// A fault in a film of one clip.
struct Fault: CustomTestStringConvertible, Sendable {
    enum Kind: String, CaseIterable {
        case lost, repeated, swapped, damaged, shifted, muted, uneven, trackless, tagless, reordered

        /// The name under which `check` reports it.
        var finding: String {
            switch self {
            case .lost, .repeated, .damaged: rawValue
            case .swapped, .reordered: "order"
            case .shifted, .muted: "sound"
            case .uneven: "times"
            case .trackless: "track"
            case .tagless: "tag"
            }
        }
    }

    let kind: Kind
    let number: Int
    var clip: FaultClip { FaultClip.all[number] }
    var testDescription: String { "\(kind) \(clip.name)" }

    /// Each kind in each clip, so that of those that follow each other both change.
    static let all = (0..<100).map { Fault(kind: Kind.allCases[$0 % 10], number: ($0 / 10 + $0) % 10) }
}

extension CommandTests {
    /// Faults that ffmpeg puts into real clips, copied or encoded anew, are found under their names.
    @Suite(.serialized, .enabled(if: Places.media != nil, "\(Places.mediaIsMissing)")) struct FaultTests {
        private static let tags: Words = "-metadata creation_time=2024-05-06T07:08:09Z -metadata location=+48.1+011.5/"
        private static let encoded: Words = "-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p"
        private static let sound: Words = "-c:a aac -b:a 160k"
        private static let tracks: Words = "-map 0:v -map 0:a"
        let folder = TemporaryFolder.make()

        private func source(_ number: Int) throws -> String {
            let clip = FaultClip.all[number]
            let song: Words = "-ss 5 -i \(Places.medium("vorbis-stereo-44khz-song-41s.ogg"))"
            let streams: Words =
                clip.isSilent ? "-map 0:v:0 -map 1:a:0 -shortest -c:v copy -c:a aac" : "-map 0:v:0 -map 0:a:0 -c copy"
            return try clips().make(
                "fault-\(number).\(clip.ending)",
                "-i \(Places.medium(clip.name)) \(clip.isSilent ? song.list : []) \(streams.list) \(Self.tags.list)")
        }

        private func run(_ words: Words...) throws { try Tool.ffmpeg("-y \(words.list)") }

        /// Makes the film in `out`. Returns the sources as they are given to `check`.
        private func make(_ fault: Fault, _ out: String) throws -> [String] {
            let (clip, source) = (fault.clip, try source(fault.number))
            let (input, even): (Words, String) = ("-i \(source)", "setpts=N/(\(clip.rate))/TB")
            let (frame, seconds) = (clip.moving, clip.seconds(clip.frames))
            let video: Words = clip.isCopied ? "-c:v copy" : "-fps_mode passthrough \(Self.encoded.list)"
            let kept: Words = clip.isCopied ? "-c:a copy" : Self.sound
            switch fault.kind {
            case .lost where clip.isCopied:
                try run(input, Self.tracks, Self.tags, "-c copy -bsf:v noise=amount=0:drop=eq(n\\,\(frame)) \(out)")
            case .lost:
                try run(
                    input, Self.tracks, Self.tags, "-vf select=not(eq(n\\,\(frame))),\(even) -r \(clip.rate)",
                    Self.encoded, Self.sound, "\(out)")
            case .repeated:
                let times: Words = clip.isUneven ? "-fps_mode passthrough" : "-r \(clip.rate)"
                try run(
                    input, Self.tracks, Self.tags,
                    "-vf loop=loop=1:size=1:start=\(frame),\(clip.isUneven ? "null" : even)", times, Self.encoded, kept,
                    "\(out)")
            case .swapped: try swap(clip, source, out)
            case .damaged:
                let plain = clip.isCopied ? source : folder / "plain.\(clip.ending)"
                if !clip.isCopied { try run(input, Self.tracks, video, Self.sound, "\(plain)") }
                let noise = "noise=amount=if(eq(n\\,\(frame))\\,30\\,0)"
                try run("-i \(plain)", Self.tracks, Self.tags, "-c copy -bsf:v \(noise) \(out)")
            case .shifted:
                let offset = fault.number % 4 < 2 ? 0.04 : -0.04
                try run(
                    input, "-itsoffset \(offset)", input, "-map 0:v -map 1:a", Self.tags,
                    fault.number % 3 > 0 ? "-c:v copy" : "-fps_mode passthrough \(Self.encoded.list)", kept, "\(out)")
            case .muted:
                let (start, end) = (0.4 * seconds, 0.4 * seconds + min(0.6, 0.2 * seconds))
                let muting: Words =
                    clip.isCopied
                    ? "-c:a copy -bsf:a noise=amount=0:drop=between(pts*tb\\,\(start)\\,\(end))"
                    : "\(Self.sound.list) -af volume=0:enable=between(t\\,\(start)\\,\(end))"
                try run(input, Self.tracks, Self.tags, "-c:v copy", muting, "\(out)")
            case .uneven where clip.isCopied:
                let times = "setts=dts=DTS-DURATION:pts=PTS+floor(DURATION*0.4)*eq(mod(N\\,7)\\,3)"
                try run(input, Self.tracks, Self.tags, "-c copy -bsf:v \(times) \(out)")
            case .uneven:
                let times = "settb=1/90000,setpts=PTS+0.4/(\(clip.rate))/TB*eq(mod(N\\,7)\\,3)"
                try run(
                    input, Self.tracks, Self.tags, Self.encoded,
                    "-c:a copy -vf \(times) -fps_mode passthrough -enc_time_base 1/90000 \(out)")
            case .trackless: try run(input, "-map 0:v", video, Self.tags, "\(out)")
            case .tagless:
                let tag = Self.tags.list[(fault.number % 3 > 0 ? 0 : 2)...].prefix(2)
                try run(input, Self.tracks, "-map_metadata -1 \(tag)", video, kept, "\(out)")
            case .reordered: return try reorder(fault, source, out)
            }
            return [source]
        }

        /// Makes a film in which two frames that follow each other have changed places.
        private func swap(_ clip: FaultClip, _ source: String, _ out: String) throws {
            let (frame, even) = (clip.moving, "setpts=N/(\(clip.rate))/TB")
            if clip.isUneven {
                let plain = folder / "plain.\(clip.ending)"
                try run(
                    "-i \(source)", Self.tracks, Self.tags, "-fps_mode passthrough", Self.encoded,
                    "-bf 0 -c:a copy \(plain)")
                let times = "if(eq(N\\,\(frame))\\,NEXT_PTS\\,if(eq(N\\,\(frame + 1))\\,PREV_INPTS\\,PTS))"
                try run(
                    "-i \(plain)", Self.tracks, Self.tags, "-c copy -bsf:v setts=dts=DTS-4*DURATION:pts=\(times) \(out)"
                )
                return
            }
            let parts =
                ["end_frame=\(frame)", "start_frame=\(frame + 1):end_frame=\(frame + 2)"]
                + ["start_frame=\(frame):end_frame=\(frame + 1)", "start_frame=\(frame + 2)"]
            let cut = parts.enumerated().map { "[i\($0)]trim=\($1),setpts=PTS-STARTPTS[o\($0)]" }.joined(separator: ";")
            let graph = "[0:v]split=4[i0][i1][i2][i3];\(cut);[o0][o1][o2][o3]concat=n=4,\(even)[v]"
            try run(
                "-i \(source) -filter_complex \(graph) -map [v] -map 0:a", Self.tags, "-r \(clip.rate)", Self.encoded,
                clip.isCopied ? "-c:a copy" : Self.sound, "\(out)")
        }

        /// Makes a film of two parts of a clip, or of two clips, the second one first.
        private func reorder(_ fault: Fault, _ source: String, _ out: String) throws -> [String] {
            let (clip, half) = (fault.clip, fault.clip.frames / 2)
            let middle = clip.seconds(half)
            if !clip.isCopied {
                let even = "setpts=N/(\(clip.rate))/TB"
                let graph =
                    "[0:v]split[a][b];[a]trim=start_frame=\(half),setpts=PTS-STARTPTS[c];[b]trim=end_frame=\(half)[d];"
                    + "[c][d]concat=n=2,\(even)[v];[0:a]asplit[e][f];[e]atrim=start=\(middle),asetpts=PTS-STARTPTS[g];"
                    + "[f]atrim=end=\(middle)[h];[g][h]concat=n=2:v=0:a=1[w]"
                try run(
                    "-i \(source) -filter_complex \(graph) -map [v] -map [w]", Self.tags, "-r \(clip.rate)",
                    Self.encoded,
                    Self.sound, "\(out)")
                return ["\(source)#t=0,\(middle)", "\(source)#t=\(middle)"]
            }
            if fault.number < 6 {
                let parts = ["a", "b"].map { folder / "\($0).\(clip.ending)" }
                let tail: [Words] = [Self.tracks, Self.tags, Self.encoded, Self.sound]
                try run("-i \(source) -t \(middle) \(tail.list) \(parts[0])")
                try run("-ss \(middle) -i \(source) \(tail.list) \(parts[1])")
                try "file '\(parts[1])'\nfile '\(parts[0])'\n".write(to: folder / "list.txt")
                try run("-f concat -safe 0 -i \(folder / "list.txt") -map 0 -c copy", Self.tags, "\(out)")
                return parts
            }
            let other = try self.source((fault.number + 1) % 10)
            let fit =
                "scale=640:360:force_original_aspect_ratio=decrease,pad=640:360:-1:-1,setsar=1,fps=30,format=yuv420p"
            let plain = "aformat=sample_rates=48000:channel_layouts=stereo"
            let graph =
                "[0:v]\(fit)[a];[1:v]\(fit)[b];[0:a]\(plain)[c];[1:a]\(plain)[d];[a][c][b][d]concat=n=2:v=1:a=1[v][w]"
            try run(
                "-i \(other) -i \(source) -filter_complex \(graph) -map [v] -map [w]", Self.tags, Self.encoded,
                Self.sound,
                "\(out)")
            return [source, other]
        }

        @Test(arguments: Places.some(Fault.all, every: 36))
        func faultsAreFound(fault: Fault) throws {
            let out = folder / "out.\(fault.clip.ending)"
            let sources = try make(fault, out)
            let run = try CommandTests.run(["check", out] + sources)
            let found = run.text.split(separator: "\n").contains { $0.hasPrefix(fault.kind.finding + ": ") }
            #expect(run.status == 65 && found, "\(run.story)")
        }

        /// The same film without a fault, copied and encoded anew with other sound, is what its source is.
        @Test(arguments: Places.some(Array(FaultClip.all.indices), every: 5))
        func filmsWithoutFaultsAreGood(number: Int) throws {
            let (clip, source) = (FaultClip.all[number], try source(number))
            for video: Words in ["-c:v copy", "-fps_mode passthrough \(Self.encoded.list)"] {
                for sound: Words in ["-c:a copy", "-c:a aac -b:a 96k -ac 1"] {
                    let out = folder / "out.\(clip.ending)"
                    try run("-i \(source)", Self.tracks, Self.tags, video, sound, "\(out)")
                    let run = try CommandTests.run(["check", out, source, "--whole"])
                    #expect(run.status == 0 && run.text.contains("nothing wrong"), "\(run.story)")
                }
            }
        }
    }
}

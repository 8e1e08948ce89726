import TestSupport
import Testing

extension CommandTests {
    /// A run's memory does not depend on how long, how many or how far inside of a file its inputs are. The pictures are
    /// small, so that what grows is not lost beside them. Most cases are slow and run only if FLIPTRANSITION_SLOW is 1.
    @Suite(.serialized) struct MemoryGrowthTests {
        struct Case: Sendable, CustomTestStringConvertible {
            /// What is small in one run, and large in another.
            let testDescription: String
            let small: Int
            let large: Int
            var isQuick = false
            /// The file that the program reads from a pipe.
            var input: (@Sendable (GrowthFolder, Int) throws -> String)?
            /// The number of frames of the video; 0 for runs that make several or none.
            let frames: @Sendable (Int) -> Int
            /// The command that writes the video to the path.
            let words: @Sendable (GrowthFolder, Int, String) throws -> [String]

            init(
                _ name: String, _ small: Int, _ large: Int, isQuick: Bool = false,
                input: (@Sendable (GrowthFolder, Int) throws -> String)? = nil,
                frames: @escaping @Sendable (Int) -> Int,
                words: @escaping @Sendable (GrowthFolder, Int, String) throws -> [String]
            ) {
                (testDescription, self.small, self.large, self.isQuick) = (name, small, large, isQuick)
                (self.input, self.frames, self.words) = (input, frames, words)
            }
        }

        private static let encoder = ["--video-codec", "libx264", "--preset", "ultrafast"]
        /// Options of a join whose transitions take 3 frames.
        private static let quick = ["--duration", "3f"] + encoder
        /// Options with which a held picture is encoded as often as it is shown.
        private static let held = ["--fps", "10", "--video-codec", "ffv1"]

        /// The number of frames of `count` clips of `frames` frames that are joined by transitions of 3.
        private static func joined(_ count: Int, of frames: Int) -> Int { frames * count - 3 * (count - 1) }

        static let lengths = [
            Case("a film's length", 20, 600, frames: { 10 * ($0 + 20) - 3 }) {
                try ["join", $0.film($1), $0.film(20), $2] + quick
            },
            Case("the length of a film whose loudness is measured", 20, 600, frames: { 10 * ($0 + 20) - 3 }) {
                try ["join", $0.film($1), $0.film(20), $2, "--loudness", "-16"] + quick
            },
            Case("the length of a film in a pipe", 20, 600, input: { try $0.film($1, "mkv") }) {
                10 * ($0 + 20) - 3
            } words: {
                try ["join", "-", $0.film(20), $2] + quick
            },
            Case("a still's time on screen", 10, 1000, isQuick: true, frames: { 10 * $0 + 10 - 3 }) {
                folder, seconds, output in
                let stills = try folder.stills(2)
                return ["join", stills[0] + "#t=\(seconds)", stills[1] + "#t=1", output, "--duration", "3f"] + held
            },
            Case("a moving still's time on screen", 10, 300, frames: { 10 * $0 + 10 - 3 }) {
                folder, seconds, output in
                let stills = try folder.stills(2)
                return ["join", stills[0] + "#t=\(seconds)&zoom=1:1.3", stills[1] + "#t=1", output] + quick
                    + ["--fps", "10"]
            },
            Case("a page's time on screen", 10, 500, frames: { 20 * $0 }) {
                try ["deck", $0.document(pages: 2), $2, "--hold", "\($1)"] + held
            },
            Case("the length of music", 20, 1200, frames: { 10 * $0 }) {
                try ["deck"] + $0.stills(2) + [$2, "--hold", "\($1 / 2)", "--music", $0.tone($1, "ogg")] + held
            },
        ]

        /// Containers and codecs that are read and sought in different ways.
        private static let films: [(ending: String, video: [String], audio: String)] = [
            ("webm", ["libvpx", "-deadline", "realtime", "-g", "20"], "libvorbis"),
            ("ts", ["libx264", "-preset", "ultrafast", "-g", "20"], "aac"),
            ("mov", ["libx264", "-preset", "ultrafast", "-g", "20"], "aac"),
            ("mkv", ["libx264", "-preset", "ultrafast", "-g", "20"], "flac"),
            ("avi", ["mpeg4", "-g", "20"], "libmp3lame"), ("nut", ["ffv1"], "libopus"),
        ]

        static let places =
            films.map { film in
                Case("a part's place in \(film.ending)", 2, 1190, frames: { _ in 37 }) {
                    let path = try $0.film(1200, film.ending, video: film.video, audio: film.audio)
                    return try ["join", "\(path)#t=\($1),\($1 + 2)", $0.film(2), $2] + quick
                }
            }
            + ["ogg", "opus", "mp3", "flac", "wav", "m4a"].map { ending in
                Case("a sound's place in \(ending)", 2, 1790, frames: { _ in 20 }) {
                    let sound = try "  - {file: \($0.tone(1800, ending)), start: \($1), end: \($1 + 2)}"
                    return try ["render", $0.project(["file: \($0.film(2))"], ["sounds:", sound]), $2] + encoder
                }
            } + [
                Case("a part's place in a pipe", 2, 590, input: { folder, _ in try folder.film(600, "mkv") }) { _ in
                    37
                } words: {
                    try ["join"] + quick + ["--", "-#t=\($1),\($1 + 2)", $0.film(2), $2]
                },
                Case("a page's place", 1, 298, frames: { _ in 60 }) { folder, page, output in
                    let file = try "file: \(folder.document(pages: 300))"
                    let project = try folder.project((page...page + 2).map { "\(file), pages: \($0)" })
                    return ["render", project, output, "--hold", "2"] + held
                },
            ]

        static let numbers = [
            Case("films", 10, 200, frames: { joined($0, of: 20) }) { try ["join"] + $0.films($1) + [$2] + quick },
            Case("joins", 20, 400, frames: { joined($0, of: 20) }) { try ["join"] + $0.parts($1) + [$2] + quick },
            Case("joins of copied packets", 20, 400, frames: { joined($0, of: 20) }) {
                try ["join"] + $0.parts($1) + [$2, "--render", "smart"] + quick
            },
            Case("segments", 20, 400, frames: { joined($0, of: 20) }) {
                try ["join"] + $0.parts($1) + [$2, "--segments", "50f"] + quick
            },
            Case("stills", 20, 400, frames: { joined($0, of: 10) }) {
                try ["join"] + $0.stills($1) + [$2, "--still-duration", "1", "--fps", "10"] + quick
            },
            Case("pages", 10, 200, frames: { 10 * $0 }) {
                try ["deck", $0.document(pages: $1), $2, "--hold", "1"] + held
            },
            Case("leaves of a book", 20, 300, frames: { 10 * ($0 / 2 + 1) }) {
                try [$0.document(pages: $1), $2, "--book", "ltr", "--hold", "1", "--size", "320x180"] + held
            },
            Case("sounds", 10, 190, frames: { _ in 6000 }) { try ["render", $0.project(sounds: $1), $2] + encoder },
            Case("clips of a project", 20, 400, frames: { joined($0, of: 20) }) {
                try ["render", $0.project(parts: $1), $2] + encoder
            },
            Case("clips of a timeline", 20, 400, frames: { joined($0, of: 20) }) {
                try ["render", $0.timeline(parts: $1), $2] + encoder
            },
            Case("jobs of a project", 10, 100, frames: { joined($0, of: 20) }) {
                let jobs = ["--engine", "local", "--segments", "50f", "--job-dir", $0.fresh("jobs")]
                return try ["render", $0.project(parts: $1), $2] + jobs + encoder
            },
            Case("jobs of a batch", 2, 40, frames: { _ in 0 }) { folder, count, _ in
                try ["batch", folder.manifest(jobs: count), "--job-dir", folder.fresh("jobs")]
            },
            Case("planned jobs of a batch", 20, 2000, frames: { _ in 0 }) { folder, count, _ in
                try ["batch", folder.manifest(jobs: count), "--plan-only", "--job-dir", folder.fresh("jobs")]
            },
        ]

        /// What the larger run may take in addition, in bytes. Two runs of one command differ by up to 10 MiB, in what the
        /// allocator keeps and in how far threads are ahead of each other.
        private static let allowance = 30 << 20

        static let cases = (lengths + places + numbers).filter { $0.isQuick || Places.runsSlowTests }

        @Test(arguments: cases) func memoryDoesNotGrow(item: Case) throws {
            let folder = try GrowthFolder()
            let peak = { (size: Int) throws -> Int in
                let output = folder.fresh("\(size).mkv")
                let cost = try Tool.cost(
                    Places.program(), item.words(folder, size, output), input: item.input?(folder, size), timeout: 300)
                let frames = item.frames(size)
                if frames > 0 { #expect(try Judge.video(output).frameCount == frames) }
                return cost.peakMemory
            }
            let (small, large) = try (peak(item.small), peak(item.large))
            #expect(large < small + Self.allowance, "\(large >> 20) MiB, \(small >> 20) MiB with \(item.small)")
        }
    }
}

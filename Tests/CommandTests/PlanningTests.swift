import TestSupport
import Testing

extension CommandTests {
    /// The time that planning takes grows in proportion to the number of what is planned. Most cases are slow and run only
    /// if FLIPTRANSITION_SLOW is 1.
    @Suite(.serialized) struct PlanningTests {
        struct Case: Sendable, CustomTestStringConvertible {
            /// What there are many of.
            let testDescription: String
            /// The smaller number, which is large enough for planning to take longer than the program's start.
            let count: Int
            var isQuick = false
            /// The command that plans so many.
            let words: @Sendable (GrowthFolder, Int) throws -> [String]

            init(
                _ name: String, _ count: Int, isQuick: Bool = false,
                words: @escaping @Sendable (GrowthFolder, Int) throws -> [String]
            ) {
                (testDescription, self.count, self.isQuick, self.words) = (name, count, isQuick, words)
            }
        }

        static let cases = [
            Case("parts of a film", 2000, isQuick: true) { try join($0, [$0.list($0.parts($1))]) },
            Case("parts whose packets are copied", 2000) {
                try join($0, [$0.list($0.parts($1))]) + ["--render", "smart", "--video-codec", "libx264"]
            },
            Case("rows of a table of cuts", 2000) { try join($0, [$0.cuts($1)]) },
            Case("films", 150) { try join($0, [$0.list($0.films($1))]) },
            Case("stills", 2000) { try join($0, [$0.list($0.stills($1))]) + ["--still-duration", "2"] },
            Case("slides", 500) { try ["plan", "deck"] + $0.stills($1) + [$0.fresh("o.mp4"), "--hold", "2"] },
            Case("pages", 500) { try ["plan", $0.document(pages: $1), $0.fresh("o.mp4"), "--hold", "2"] },
            Case("clips of a project", 2000) { try ["plan", $0.project(parts: $1), $0.fresh("o.mp4")] },
            Case("clips of a timeline", 2000) { try ["plan", $0.timeline(parts: $1), $0.fresh("o.mp4")] },
            Case("sounds", 2000) { try ["plan", $0.project(sounds: $1), $0.fresh("o.mp4")] },
            Case("captions", 4000) { try join($0, [$0.list($0.parts(1000))]) + ["--captions", $0.captions($1)] },
            Case("segments", 500) {
                let output = [$0.fresh("o.mp4"), "--segments", "20f", "--plan-only", "--job-dir", $0.fresh("jobs")]
                return try [$0.project(parts: $1)] + output
            },
            Case("jobs", 1000) { try ["batch", $0.manifest(jobs: $1), "--plan-only", "--job-dir", $0.fresh("jobs")] },
        ]

        /// The command that plans a join of `inputs`.
        private static func join(_ folder: GrowthFolder, _ inputs: [String]) -> [String] {
            ["plan"] + inputs + [folder.fresh("o.mp4"), "--duration", "3f"]
        }

        @Test(.turn(1, of: 2), arguments: cases.filter { $0.isQuick || Places.runsSlowTests })
        func planningIsLinear(item: Case) throws {
            let folder = try GrowthFolder()
            // The lower of two measurements is the less disturbed one.
            let seconds = { (count: Int) throws -> Double in
                let words = { try item.words(folder, count) }
                let costs = try [words(), words()].map { try Tool.cost(Places.program(), $0, timeout: 300) }
                return costs.map(\.processorSeconds).min() ?? 0
            }
            let start = try seconds(2)
            let (one, four) = try (seconds(item.count) - start, seconds(4 * item.count) - start)
            // Four times as many take 4 times as long in linear time, and 16 times as long in quadratic time. What takes
            // less than 50 ms is lost in the noise of the program's start.
            #expect(four < 8 * max(one, 0.05), "\(4 * item.count): \(four) s, \(item.count): \(one) s, 2: \(start) s")
        }
    }
}

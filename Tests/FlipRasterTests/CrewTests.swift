import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Crews of threads work regardless of how many there are.
@Suite struct CrewTests {
    private static let format = PictureFormat(components: .gray)

    /// Runs `body` on a new thread and returns its result. If it does not finish, the test fails instead of hanging: a
    /// crew that waits for a thread it never gets waits forever.
    private func outcome(_ body: @escaping @Sendable () throws -> Int) throws -> Int {
        final class Outcome: @unchecked Sendable {
            // Set before the semaphore is signaled, and read after that.
            var result: Result<Int, any Error>?
        }
        let (outcome, ended) = (Outcome(), DispatchSemaphore(value: 0))
        Thread {
            outcome.result = Result { try body() }
            ended.signal()
        }.start()
        try #require(ended.wait(timeout: .now() + 100) == .success, "the crews stand still")
        return try #require(outcome.result).get()
    }

    /// The number of renderers that draw a different frame than a single thread does.
    private static func differences(_ renderers: [TransitionRenderer]) throws -> Int {
        let from = Pattern.noise.picture(format, width: 24, height: 20, seed: 1)
        let to = Pattern.noise.picture(format, width: 24, height: 20, seed: 2)
        let look = try StyledLook.named("flip")
        let expected = try drawn(look, progress: 0.3, from: from, to: to)
        var count = 0
        for renderer in renderers where try renderer.drawn(look, progress: 0.3, from: from, to: to) != expected {
            count += 1
        }
        return count
    }

    private static func renderer(threads: Int) -> TransitionRenderer {
        TransitionRenderer(format: format, width: 24, height: 20, background: .black, threads: threads)
    }

    /// Many crews can be alive at once, with more sleeping threads in total than the 255 of Dispatch's pool.
    @Test func manyCrewsLiveAtOnce() throws {
        let different = try outcome { try Self.differences((0..<300).map { _ in Self.renderer(threads: 2) }) }
        #expect(different == 0)
    }

    /// A crew with the largest number of threads that the C library allows does not starve the next one.
    @Test func largeCrewsLeaveThreadsToOthers() throws {
        let different = try outcome {
            let renderers = [Self.renderer(threads: 256), Self.renderer(threads: 2), Self.renderer(threads: 3)]
            return try Self.differences(renderers + renderers)
        }
        #expect(different == 0)
    }

    /// Crews that draw a few frames each can be created and destroyed on several threads at once.
    @Test func crewsComeAndGo() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    try (0..<20).reduce(0) { sum, turn in
                        let renderer = Self.renderer(threads: 2 + (turn + task) % 5)
                        return try sum + Self.differences([renderer, renderer])
                    }
                }
            }
            for try await different in group { #expect(different == 0) }
        }
    }
}

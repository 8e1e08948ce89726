import FlipBase
import FlipFiles
import FlipMedia

/// Has other programs make the films of a plan ahead, one after the other, while frames before them are rendered.
final class MakingAhead: Sendable {
    private let cancellation = Cancellation()

    /// Starts a thread that does so, if there are such films.
    init(_ plan: RenderPlan) {
        let films = plan.clips.compactMap { $0.info?.made }
        if films.isEmpty { return }
        _ = Work("make") { [self] in
            for film in films {
                if cancellation.isCancelled { return }
                // Whoever reads the film gets the error.
                _ = try? film.file()
            }
        }
    }

    /// Has no further film be begun.
    func stop() { cancellation.cancel() }
}

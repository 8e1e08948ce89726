import FlipBase
import FlipMedia
import FlipGeometry
import FlipGesture
import FlipRender
import Foundation

/// Draws pictures of joins, one at a time, in a thread of its own. What it has decoded is kept within a limit.
package final class PreviewStudio: @unchecked Sendable {
    package let plans: SeamPlans
    private let queue = DispatchQueue(label: "drawing")
    /// Films are rendered one at a time as well, beside what is drawn.
    private let films = DispatchQueue(label: "films")
    /// The joins that are kept, the one used last at the end. Only touched in the queue.
    private var kept: [(key: Key, pictures: SeamPictures)] = []

    private struct Key: Equatable {
        let join: Int
        let width: Int
        let format: SeamPlans.Format
    }

    /// The memory that decoded joins may take, in bytes. A join in 1080p takes 83 MB, so that two formats of one fit.
    private static let limit = 180 << 20

    package init(_ plans: SeamPlans) { self.plans = plans }

    /// A picture to draw.
    package struct Job: Sendable {
        package let join: Int
        package let look: StyledLook
        package let position: GesturePosition
        /// The transition whose motion blur the picture has at this position; nil for none.
        package let spec: TransitionSpec?
        /// The width in pixels.
        package let width: Int
        package let format: SeamPlans.Format

        package init(
            join: Int, look: StyledLook, position: GesturePosition, spec: TransitionSpec? = nil, width: Int,
            format: SeamPlans.Format
        ) {
            (self.join, self.look, self.position, self.spec) = (join, look, position, spec)
            (self.width, self.format) = (width, format)
        }
    }

    /// Draws the picture, and calls `done` with its file from the studio's thread.
    package func draw(_ job: Job, done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void) {
        queue.async { [self] in done(Result { try picture(job) }) }
    }

    /// Renders the join as a film, and calls `done` with its file.
    package func film(
        _ join: Int, _ spec: TransitionSpec, width: Int, done: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        films.async { [self] in
            done(Result { try SeamFilm.render(plans, join: join, spec, width: width) })
        }
    }

    private func picture(_ job: Job) throws -> [UInt8] {
        let pictures = try pictures(job)
        if job.position.bump != 0 { return try pictures.picture(job.look, bump: job.position.bump) }
        let progress = job.position.progress
        if let spec = job.spec, progress > 0, progress < 1 {
            return try pictures.picture(job.look, spec, at: spec.time(of: progress))
        }
        return try pictures.picture(job.look, progress: progress)
    }

    private func pictures(_ job: Job) throws -> SeamPictures {
        let key = Key(join: job.join, width: min(job.width, plans.full.video.width), format: job.format)
        if let index = kept.firstIndex(where: { $0.key == key }) {
            let entry = kept.remove(at: index)
            kept.append(entry)
            return entry.pictures
        }
        let pictures = try SeamPictures(try plans.plan(width: key.width, key.format), join: key.join)
        kept.append((key, pictures))
        while kept.count > 1, kept.reduce(0, { $0 + $1.pictures.bytes }) > Self.limit { kept.removeFirst() }
        return pictures
    }
}

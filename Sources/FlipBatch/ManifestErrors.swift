import FlipMedia
import Foundation

/// All that is wrong with a manifest, in the order of its lines; not empty.
package struct ManifestErrors: Error, Sendable {
    package private(set) var errors: [MediaError]

    /// Nil where nothing is wrong.
    package init?(_ errors: [MediaError]) {
        if errors.isEmpty { return nil }
        let placed = errors.enumerated().map {
            (place: Self.place(of: $0.element), order: $0.offset, error: $0.element)
        }
        // What is wrong with a default is wrong with every job.
        var seen: Set<String> = []
        self.errors = placed.filter { seen.insert($0.error.message).inserted }.sorted {
            ($0.place.0, $0.place.1, $0.order) < ($1.place.0, $1.place.1, $1.order)
        }
        .map(\.error)
    }

    /// Line and column as `YAMLPlace.error` writes them, behind the file's name.
    private static func place(of error: MediaError) -> (Int, Int) {
        let parts = (error.message.components(separatedBy: ": ").first ?? "").split(separator: ":")
        guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            return (0, 0)
        }
        return (line, column)
    }
}

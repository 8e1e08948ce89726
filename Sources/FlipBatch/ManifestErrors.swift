import FlipBase
import Foundation

/// All errors of a manifest, in the order of its lines; never empty.
package struct ManifestErrors: Error, Sendable {
    package private(set) var errors: [MediaError]

    /// Returns nil if there are no errors.
    package init?(_ errors: [MediaError]) {
        if errors.isEmpty { return nil }
        let placed = errors.enumerated().map {
            (location: Self.location(of: $0.element), order: $0.offset, error: $0.element)
        }
        // An error in a default occurs with every job, but is reported once.
        var seen: Set<String> = []
        self.errors = placed.filter { seen.insert($0.error.message).inserted }.sorted {
            ($0.location.0, $0.location.1, $0.order) < ($1.location.0, $1.location.1, $1.order)
        }
        .map(\.error)
    }

    /// The line and column that `TextLocation.error` writes after the file's name; 0 and 0 if there are none.
    private static func location(of error: MediaError) -> (Int, Int) {
        let parts = (error.message.components(separatedBy: ": ").first ?? "").split(separator: ":")
        guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]) else {
            return (0, 0)
        }
        return (line, column)
    }
}

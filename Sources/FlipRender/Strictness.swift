import FlipBase

/// The rule of `--strict`: whatever is a warning otherwise is an error before the output is published.
package enum Strictness {
    /// Throws the first of `warnings` if the run is strict.
    package static func check(_ warnings: [String], isStrict: Bool) throws(MediaError) {
        guard isStrict, let first = warnings.first else { return }
        throw MediaError(.badInput, first + " (--strict stops at that)")
    }
}

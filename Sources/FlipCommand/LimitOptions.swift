import ArgumentParser
import FlipBase
import FlipMedia
import FlipGeometry

/// Limits on the resources that a hostile or broken file may take.
struct LimitOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Refuse pictures of more pixels.", values: "\(InputLimits.pixelRange)",
            default: "\(InputLimits.maxPixels), half of \(Limits.sides.upperBound)x\(Limits.sides.upperBound)", "n"))
    var maxPixels: String?

    /// Sets the limits for all files that are opened from now on.
    func apply() throws(OptionError) {
        guard let maxPixels else { return }
        let range = InputLimits.pixelRange
        guard let count = Int(maxPixels), range.contains(count) else {
            throw OptionError("invalid max-pixels '\(maxPixels)' (expected \(range))")
        }
        InputLimits.maxPixels = count
    }
}

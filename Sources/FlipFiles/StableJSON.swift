import Foundation

extension JSONEncoder {
    /// An encoder that writes the same bytes for equal values in every run: keys are sorted, and slashes stay as they are.
    package static var stable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

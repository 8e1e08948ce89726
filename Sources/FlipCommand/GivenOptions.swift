import ArgumentParser

extension ParsableArguments {
    /// The options and flags that were given, by their names without dashes, in the order in which they are declared. Those of
    /// option groups are not among them. The value of a flag is "true", and that of a list its first item.
    var given: [(name: String, value: String)] {
        Mirror(reflecting: self).children.compactMap { label, wrapper in
            guard let label, let wrapper = wrapper as? any GivenValue else {
                preconditionFailure("the value of '\(label ?? "")' doesn't say whether it was given")
            }
            guard let value = wrapper.text else { return nil }
            // The option `--audio-copy` is stored as `_audioCopy`.
            let name = label.dropFirst().reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
            return (name, value)
        }
    }

    /// The first option that was given, as the user typed it.
    var firstGiven: String? { given.first.map { "--" + $0.name } }
}

/// A value of an option or a flag that says whether it was given. That of an option with a default doesn't.
private protocol GivenValue {
    /// The value as the user typed it; nil if it wasn't given.
    var text: String? { get }
}

extension Option: GivenValue where Value: GivenValue {
    fileprivate var text: String? { wrappedValue.text }
}

extension Flag: GivenValue where Value: GivenValue {
    fileprivate var text: String? { wrappedValue.text }
}

extension OptionGroup: GivenValue {
    fileprivate var text: String? { nil }
}

extension Optional: GivenValue where Wrapped: LosslessStringConvertible {
    fileprivate var text: String? { map(\.description) }
}

extension Array: GivenValue where Element == String {
    fileprivate var text: String? { first }
}

extension Bool: GivenValue {
    fileprivate var text: String? { self ? "true" : nil }
}

/// A value the user gave that an option does not take: one sentence with the value and the law.
public struct OptionError: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    /// An error that says `description`.
    public init(_ description: String) { self.description = description }
}

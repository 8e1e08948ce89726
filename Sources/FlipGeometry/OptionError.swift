/// An invalid value of an option, as one sentence that gives the value and what was expected.
public struct OptionError: Error, Equatable, CustomStringConvertible {
    /// The error message, one sentence.
    public var description: String

    /// An error with the message `description`.
    public init(_ description: String) { self.description = description }
}

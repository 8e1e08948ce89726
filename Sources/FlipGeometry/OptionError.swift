/// An invalid value of an option, as one sentence that gives the value and what was expected.
public struct OptionError: Error, Equatable, CustomStringConvertible {
    /// The error message, one sentence.
    public var description: String
    /// What is wrong, where that isn't the option itself but the file that it names.
    package var file: FileFault?

    /// What is wrong with a file that an option names.
    package enum FileFault: Sendable {
        case isMissing, isBroken
    }

    /// An error with the message `description`.
    public init(_ description: String) { self.description = description }

    /// An error with the message `description`, about a file that an option names.
    package init(_ description: String, file: FileFault) { (self.description, self.file) = (description, file) }
}

/// A value the user gave that an option does not take: one sentence with the value and the law.
package struct OptionError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

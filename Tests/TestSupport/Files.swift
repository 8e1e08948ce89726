// Every test of files and programs needs it.
@_exported import Foundation

extension StringProtocol {
    /// Writes the text to a file.
    package func write(to path: String) throws { try Data(utf8).write(to: path) }
}

extension String {
    /// The text of a file.
    package init(contentsOf path: String) throws { try self.init(contentsOfFile: path, encoding: .utf8) }
}

extension Data {
    /// The bytes of a file.
    package init(contentsOf path: String) throws { try self.init(contentsOf: URL(fileURLWithPath: path)) }

    package func write(to path: String) throws { try write(to: URL(fileURLWithPath: path)) }
}

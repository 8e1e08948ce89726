import Foundation

/// A path from the root folder, without `.` and `..`. Links are not resolved.
package func absolutePath(_ path: String) -> String {
    // `standardized` alone drops what `..` at the start of a relative path stands for.
    URL(fileURLWithPath: path).absoluteURL.standardized.path
}

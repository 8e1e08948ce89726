import Foundation

/// The terminal that standard error is.
enum Terminal {
    /// The number of columns, as the terminal itself or else `COLUMNS` in the environment states it; nil if unknown.
    static var columns: Int? {
        var size = winsize()
        if ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The text, cut so that it fits on one line. A line that wraps can't be rewritten in place. The last column stays empty,
    /// since some terminals wrap when it is filled.
    static func fitted(_ text: String) -> String {
        guard let columns, text.count >= columns else { return text }
        return String(text.prefix(max(0, columns - 1)))
    }
}

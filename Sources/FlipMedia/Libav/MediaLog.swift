import CLibav
import FlipBase
import FlipFiles

/// The log of the libav libraries. It is hidden, except for the last error of an operation that fails.
package enum MediaLog {
    private struct State {
        var isVerbose = false
        var isInstalled = false
        /// Receives the lines that are printed; nil prints them to standard error.
        var printer: (@Sendable (String) -> Void)?
        /// What is captured of each thread that is inside `capturing`.
        var captures: [UInt: Capture] = [:]
    }

    /// What an operation logs.
    private struct Capture {
        /// The highest level that is taken note of.
        let level: Int32
        var lastError: String?
        /// The first line that is not an error.
        var firstDetail: String?

        var reason: String? { lastError ?? firstDetail }
    }

    private static let state = Mutex(State())

    /// Whether everything that libav logs is printed, too.
    package static var isVerbose: Bool {
        get { state.withLock { $0.isVerbose } }
        set {
            install()
            state.withLock { $0.isVerbose = newValue }
        }
    }

    /// Passes what would be printed to `printer` instead, one line at a time, without its line break.
    package static func redirect(to printer: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.printer = printer }
    }

    /// Keeps libav's log off standard error. It has to be called before libav is used, which `capturing` does.
    static func install() {
        let isFirst = state.withLock { state in
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        guard isFirst else { return }
        av_log_set_callback { context, level, format, arguments in
            guard level <= AV_LOG_VERBOSE, let format else { return }
            if level <= AV_LOG_WARNING { InputGuard.note(format, from: context) }
            MediaLog.take(context: context, level: level, format: format, arguments: arguments)
        }
    }

    /// Runs `body` and returns its result and the last error that libav logged on this thread meanwhile, nil if none.
    /// - Parameter level: the highest level to take note of: if there is no error, the first line of a higher level is
    ///   returned instead.
    static func capturing<Result>(
        level: Int32 = AV_LOG_ERROR, _ body: () -> Result
    ) -> (result: Result, lastError: String?) {
        install()
        let thread = flip_thread()
        state.withLock { $0.captures[thread] = Capture(level: level) }
        let result = body()
        return (result, state.withLock { $0.captures.removeValue(forKey: thread) }?.reason)
    }

    private static func take(
        context: UnsafeMutableRawPointer?, level: Int32, format: UnsafePointer<CChar>, arguments: CVaListPointer?
    ) {
        guard let arguments else { return }
        let thread = flip_thread()
        let wanted = state.withLock { state in
            state.isVerbose && level <= AV_LOG_INFO || state.captures[thread].map { level <= $0.level } ?? false
        }
        guard wanted else { return }
        var buffer = [CChar](repeating: 0, count: 1024)
        var printsPrefix: Int32 = 1
        av_log_format_line2(context, level, format, arguments, &buffer, Int32(buffer.count), &printsPrefix)
        let line = String(buffer: buffer)
        state.withLock { state in
            if var capture = state.captures[thread], level <= capture.level {
                // Decoders add a vaguer line to the one that has the picture's size.
                if level <= AV_LOG_ERROR, capture.lastError?.hasPrefix("Picture size ") != true {
                    capture.lastError = cleaned(line)
                }
                capture.firstDetail = capture.firstDetail ?? cleaned(line)
                state.captures[thread] = capture
            }
            guard state.isVerbose, level <= AV_LOG_INFO else { return }
            if let printer = state.printer {
                let text = line.filter { !$0.isNewline }
                if !text.isEmpty { printer(text) }
            } else {
                _ = line.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
            }
        }
    }

    /// The bare message of a log line: "[mov,mp4,m4a @ 0x55d0] moov atom not found\n" becomes "moov atom not found".
    private static func cleaned(_ line: String) -> String {
        var rest = Substring(line)
        while rest.first == "[", let end = rest.firstIndex(of: "]") {
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        while let last = rest.last, last.isWhitespace || last == "." { rest = rest.dropLast() }
        return String(rest).onOneLine
    }
}

import FlipBase

extension MediaError {
    /// The error of a call of the operating system that has just failed: "cannot `verb` '`path`'" with the reason, by
    /// `errno`. A full or failing disk is `io`, whatever `kind` says.
    package static func system(_ kind: Kind, _ verb: String, _ path: String) -> MediaError {
        let isDisk = errno == ENOSPC || errno == EIO || errno == EDQUOT
        return MediaError(isDisk ? .io : kind, "cannot \(verb) '\(path)': \(systemReason)")
    }

    /// The error that the output `path` is there already and may not be replaced.
    package static func exists(_ path: String) -> MediaError {
        MediaError(.cannotCreate, "'\(path)' exists already; give -y to replace it")
    }

    /// The error that an input, which `name` names as in "the list 'a.txt'", can't be read.
    package static func unreadable(_ name: String) -> MediaError {
        MediaError(.missingInput, "cannot read \(name) (is it there, and readable?)")
    }

    /// The system's text for `errno`, starting in lowercase for the end of a sentence.
    package static var systemReason: String { String(cString: strerror(errno)).lowercasedFirst }
}

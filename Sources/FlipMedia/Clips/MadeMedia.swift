import FlipBase
import FlipFiles

/// A media file that another program makes when it is first read, and whose contents are known before.
package final class MadeMedia: Sendable, Hashable {
    private let described: MediaInfo
    /// How long its audio lasts, in seconds; 0 if it has none.
    package let duration: Rational
    /// The program that makes it, and why the frames aren't taken from a file of the user's, as a clause.
    package let maker: String
    package let reason: String
    private let make: @Sendable () throws(MediaError) -> NamelessFile
    private let made = Mutex<Result<NamelessFile, MediaError>?>(nil)

    /// - Parameters:
    ///   - info: what the file will contain; its path is what users know it by, and tells it from others.
    ///   - make: makes the file; called at most once.
    package init(
        _ info: MediaInfo, duration: Rational = .zero, maker: String, reason: String,
        make: @escaping @Sendable () throws(MediaError) -> NamelessFile
    ) {
        (described, self.duration, self.maker, self.reason, self.make) = (info, duration, maker, reason, make)
    }

    /// What the file contains.
    package var info: MediaInfo {
        var info = described
        info.made = self
        return info
    }

    /// The file, which is made by the first call; others wait for that.
    package func file() throws(MediaError) -> NamelessFile {
        let result = made.withLock { made in
            if let made { return made }
            let fresh = Result { () throws(MediaError) in try make() }
            made = fresh
            return fresh
        }
        return try result.get()
    }

    package static func == (left: MadeMedia, right: MadeMedia) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

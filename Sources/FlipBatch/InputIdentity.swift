import FlipFiles
import FlipMedia

/// How a plan identifies the files that its jobs read.
package enum InputIdentity: String, CaseIterable, Sendable {
    /// By size and modification time: fast, and right wherever all machines see the same files.
    case time
    /// By their contents: for copies that don't keep their times.
    case sha256
}

extension FileIdentity {
    /// The same file, identified in another way. A folder, a missing file and one that can't be read stay as they are.
    package func identified(by identity: InputIdentity) -> FileIdentity {
        guard identity == .sha256, bytes >= 0, let hash = SHA256.hash(file: path) else { return self }
        var identity = self
        identity.modified = 0
        identity.sha256 = hash
        return identity
    }

    /// Whether the file is unchanged.
    package var isCurrent: Bool {
        let found = FileIdentity(path: path) ?? .missing(path)
        // The contents are read only if the size is right.
        return sha256 == nil ? found == self : found.bytes == bytes && found.identified(by: .sha256) == self
    }
}

/// Why a video can't be copied: the rest of a sentence that begins with its name.
package struct CopyRefusal: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    static let unknownPackets = CopyRefusal("has packets that can't be copied")
}

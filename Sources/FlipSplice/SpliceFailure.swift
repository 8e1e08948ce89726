/// Says why a file that was put together from several parts (copied packets, segments, repeated pictures) did not come
/// out as intended. Encoding everything in one pass avoids the failure.
package struct SpliceFailure: Error, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

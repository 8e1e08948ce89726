/// Says why a partly copied file did not come out as intended. Encoding everything avoids the failure.
package struct SpliceFailure: Error, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

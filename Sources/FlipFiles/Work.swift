import Foundation

/// Work that blocks (decoding, encoding, waiting for others), on a thread of its own, which has a name in debuggers and a stack
/// that is large enough for libav's codecs.
package final class Work: Sendable {
    private static let stackSize = 8 << 20

    private let group = DispatchGroup()

    /// Starts `body` on a new thread.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread { [group] in
            body()
            group.leave()
        }
        thread.name = name
        thread.stackSize = Work.stackSize
        thread.start()
    }

    /// Waits until the work has ended. Any thread may wait, any number of times.
    package func join() { group.wait() }
}

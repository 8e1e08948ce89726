import FlipBase
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

extension Work {
    /// Calls `body` for each of `items`, up to `workers` of them at a time on threads called `name`, or on this thread if that is
    /// one at a time.
    /// - Returns: the results, in the order of the items.
    /// - Throws: the error of the first item, in their order, that has one. Once there is an error, no further item is begun.
    package static func map<Item: Sendable, Output: Sendable, Failure: Error>(
        _ items: [Item], workers: Int, name: String, _ body: @escaping @Sendable (Item) throws(Failure) -> Output
    ) throws(Failure) -> [Output] {
        if workers < 2 || items.count < 2 {
            var outputs: [Output] = []
            for item in items { outputs.append(try body(item)) }
            return outputs
        }
        let shared = Mutex(
            (next: 0, isOver: false, results: [Result<Output, Failure>?](repeating: nil, count: items.count)))
        let threads = (0..<min(workers, items.count)).map { _ in
            Work(name) {
                while let index = shared.withLock({ shared -> Int? in
                    if shared.isOver || shared.next == items.count { return nil }
                    shared.next += 1
                    return shared.next - 1
                }) {
                    let result = Result { () throws(Failure) in try body(items[index]) }
                    shared.withLock { shared in
                        shared.results[index] = result
                        if case .failure = result { shared.isOver = true }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        // Items are begun in their order, so all that come before a failure have a result.
        var outputs: [Output] = []
        for case let result? in shared.withLock({ $0.results }) { outputs.append(try result.get()) }
        return outputs
    }
}

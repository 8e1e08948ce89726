import DequeModule
import Foundation

/// A queue between two threads that holds at most a given number of elements: the writer waits while it is full, the
/// reader while it is empty.
final class BoundedQueue<Element>: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    private var elements = Deque<Element>()
    /// Set once, when no more elements will be added. Holds the error that ended the queue, if any.
    private var end: Result<Void, any Error>?

    init(limit: Int) { self.limit = limit }

    /// Adds an element, after waiting while the queue is full. Returns false if either side has ended the queue.
    func put(_ element: sending Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while elements.count >= limit && end == nil { condition.wait() }
        if end != nil { return false }
        elements.append(element)
        condition.broadcast()
        return true
    }

    /// The next element; nil after the last. Throws the error that ended the queue.
    func take() throws -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty && end == nil { condition.wait() }
        if elements.isEmpty {
            try end?.get()
            return nil
        }
        condition.broadcast()
        return elements.popFirst()
    }

    /// Ends the queue, perhaps with an error: no more elements come, but those already there can still be taken.
    func finish(_ result: Result<Void, any Error> = .success(())) {
        condition.lock()
        if end == nil { end = result }
        condition.broadcast()
        condition.unlock()
    }

    /// Called by the reader when it needs no more: drops the elements in the queue, and refuses further ones.
    func close() {
        condition.lock()
        elements.removeAll()
        if end == nil { end = .success(()) }
        condition.broadcast()
        condition.unlock()
    }

    /// The error that ended the queue; nil if none did.
    var failure: (any Error)? {
        condition.lock()
        defer { condition.unlock() }
        if case .failure(let error)? = end { return error }
        return nil
    }
}

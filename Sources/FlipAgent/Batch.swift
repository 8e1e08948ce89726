import FlipBase

/// The responses to the requests of one line, which are sent together when all are there.
final class Batch: ResponseSink {
    private struct State {
        var responses: [JSON] = []
        /// The requests without a response so far, and one more until all requests are known.
        var missing = 1
    }

    private let state = Mutex(State())
    private let writer: MessageWriter

    init(_ writer: MessageWriter) { self.writer = writer }

    /// Announces a request, whose response is still to come.
    func expect() { state.withLock { $0.missing += 1 } }

    /// Says that all requests are known.
    func finish() { send(nil) }

    func send(_ response: JSON?) {
        let responses: [JSON] = state.withLock { state in
            state.missing -= 1
            if let response { state.responses.append(response) }
            return state.missing == 0 ? state.responses : []
        }
        if !responses.isEmpty { writer.send(JSON.list(responses)) }
    }
}

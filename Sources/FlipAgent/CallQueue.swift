import FlipBase
import FlipFiles
import Foundation

/// The calls that run and wait. Long ones run one after the other or a few at a time, and short ones beside them.
final class CallQueue: Sendable {
    struct Entry: Sendable {
        let call: AgentCall
        let isLong: Bool
        /// Runs the call to its end, and returns the response, if it gets one; also called if the call was canceled
        /// while it waited.
        let work: @Sendable () -> JSON?
        /// Gets the response, once the call's identifier is free again.
        let writer: MessageWriter
    }

    private struct State {
        var waiting: [Entry] = []
        var running: [Entry] = []
    }

    private let state = Mutex(State())
    private let living = DispatchGroup()
    private let slots: Int

    /// How many short calls run at a time, and how many calls of all kinds may wait.
    private static let shortSlots = 2
    private static let mostWaiting = 100

    /// - Parameter slots: how many long calls run at a time.
    init(slots: Int) { self.slots = slots }

    /// Whether a call of this ID runs or waits.
    func has(_ id: RequestID) -> Bool {
        state.withLock { state in (state.waiting + state.running).contains { $0.call.id == id } }
    }

    /// Adds a call.
    /// - Returns: false if too many wait already.
    func add(_ entry: Entry) -> Bool {
        let isTaken = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return false }
            state.waiting.append(entry)
            living.enter()
            return true
        }
        startNext()
        return isTaken
    }

    private func startNext() {
        let due = state.withLock { state in
            var due: [Entry] = []
            var index = 0
            while index < state.waiting.count {
                let entry = state.waiting[index]
                let count = state.running.count { $0.isLong == entry.isLong }
                if entry.call.isCancelled || count < (entry.isLong ? slots : Self.shortSlots) {
                    state.waiting.remove(at: index)
                    state.running.append(entry)
                    due.append(entry)
                } else {
                    index += 1
                }
            }
            return due
        }
        for entry in due {
            _ = Work("call") { [self] in
                let response = entry.work()
                state.withLock { $0.running.removeAll { $0.call === entry.call } }
                if let response { entry.writer.send(response) }
                startNext()
                living.leave()
            }
        }
    }

    /// Cancels the call of this ID, if it runs or waits.
    func cancel(_ id: RequestID) { cancel { $0 == id } }

    /// Cancels all calls and waits for their ends.
    func close() {
        cancel { _ in true }
        living.wait()
    }

    private func cancel(_ isMeant: (RequestID) -> Bool) {
        let calls = state.withLock { state in (state.waiting + state.running).map(\.call).filter { isMeant($0.id) } }
        for call in calls { call.cancel() }
        // Those that waited end at once.
        startNext()
    }
}

import FlipBase
import FlipFiles
import Foundation
import Testing

struct WorkTests {
    @Test(arguments: [1, 2, 7, 100]) func resultsAreInTheOrderOfTheItems(workers: Int) {
        let items = Array(0..<50)
        #expect(Work.map(items, workers: workers, name: "test") { 3 * $0 } == items.map { 3 * $0 })
        #expect(Work.map([Int](), workers: workers, name: "test") { $0 }.isEmpty)
    }

    /// Whichever of the items fails first, the error is that of the first one in their order.
    @Test(arguments: [1, 2, 7]) func theFirstErrorIsThrown(workers: Int) {
        let error = #expect(throws: MediaError.self) {
            try Work.map(Array(0..<50), workers: workers, name: "test") { item throws(MediaError) in
                if item % 10 == 9 { throw MediaError(.badInput, "item \(item)") }
                // The later ones fail while the earlier ones are still at work.
                if item < 9 { Thread.sleep(forTimeInterval: 0.01) }
                return item
            }
        }
        #expect(error?.message == "item 9")
    }

    @Test func nothingIsBegunAfterAnError() {
        let begun = Mutex(0)
        #expect(throws: MediaError.self) {
            try Work.map(Array(0..<1000), workers: 2, name: "test") { item throws(MediaError) -> Int in
                begun.withLock { $0 += 1 }
                Thread.sleep(forTimeInterval: 0.001)
                throw MediaError(.badInput, "item \(item)")
            }
        }
        #expect(begun.withLock { $0 } <= 2)
    }

    /// Two items wait for each other, which needs two threads.
    @Test(.timeLimit(.minutes(1))) func itemsAreAtWorkAtTheSameTime() {
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let results = Work.map([0, 1], workers: 2, name: "test") { item in
            (item == 0 ? first : second).signal()
            (item == 0 ? second : first).wait()
            return item
        }
        #expect(results == [0, 1])
    }
}

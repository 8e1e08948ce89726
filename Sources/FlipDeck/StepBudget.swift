/// How many pages the steps of a document's slides may add to it.
struct StepBudget {
    /// The number of pages that were added.
    private(set) var pages = 0
    private var bytes = 0

    /// The maximum number of pages that are added, and of the bytes of slides with steps.
    private static let mostPages = 2000
    private static let mostBytes = 256 << 20

    /// Whether a slide of `size` bytes may have `count` pages.
    func hasRoom(for count: Int, of size: Int) -> Bool {
        pages + count - 1 <= Self.mostPages && bytes + count * size <= Self.mostBytes
    }

    /// Counts the `count` pages of a slide of `size` bytes.
    mutating func add(_ count: Int, of size: Int) {
        pages += count - 1
        bytes += count * size
    }
}

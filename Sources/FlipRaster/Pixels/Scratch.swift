/// A block of memory that grows and is kept from one use to the next, so that frames are drawn without allocating.
///
/// `reserve` once for a job; `start` costs a load, so rows can ask for it.
final class Scratch<Element: BitwiseCopyable> {
    /// The first element; contents are what the last use left.
    private(set) var start: UnsafeMutablePointer<Element>
    private var capacity: Int

    init() {
        capacity = 64
        start = Scratch.allocate(capacity)
    }

    deinit { UnsafeMutableRawPointer(start).deallocate() }

    /// Makes room for `count` elements; growing forgets what was there.
    @discardableResult
    func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
        if count > capacity {
            UnsafeMutableRawPointer(start).deallocate()
            capacity = max(count, capacity + capacity / 2)
            start = Scratch.allocate(capacity)
        }
        return start
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Element> {
        UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Element>.stride, alignment: 64)
            .bindMemory(to: Element.self, capacity: count)
    }
}

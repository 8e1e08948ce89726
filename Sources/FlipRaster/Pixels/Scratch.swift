/// A buffer that only grows and is kept from one use to the next, so that frames are drawn without allocating memory.
///
/// Call `reserve` once per job. Reading `start` costs one load, so it can be done for each row.
final class Scratch<Element: BitwiseCopyable> {
    /// The first element. The contents are what the last use left.
    private(set) var start: UnsafeMutablePointer<Element>
    private var capacity: Int

    init() {
        capacity = 64
        start = Scratch.allocate(capacity)
    }

    deinit { UnsafeMutableRawPointer(start).deallocate() }

    /// Makes room for `count` elements; growing discards the contents.
    @discardableResult
    func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
        if count > capacity {
            UnsafeMutableRawPointer(start).deallocate()
            capacity = max(count, capacity + capacity / 2)
            start = Scratch.allocate(capacity)
        }
        return start
    }

    /// Makes room for `count` elements; the first `kept` of them stay.
    func grow(to count: Int, keeping kept: Int) {
        if count <= capacity { return }
        let former = start
        capacity = max(count, capacity + capacity / 2)
        start = Scratch.allocate(capacity)
        start.update(from: former, count: kept)
        UnsafeMutableRawPointer(former).deallocate()
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Element> {
        UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Element>.stride, alignment: 64)
            .bindMemory(to: Element.self, capacity: count)
    }
}

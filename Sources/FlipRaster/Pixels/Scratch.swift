/// A block of memory that grows and is kept from one use to the next, so that frames are drawn without allocating.
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
    private var memory: UnsafeMutablePointer<Element>?
    private var capacity = 0

    /// At least `count` elements, with whatever the last use left in them.
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
        if let memory, count <= capacity { return memory }
        UnsafeMutableRawPointer(memory)?.deallocate()
        capacity = max(count, capacity + capacity / 2, 64)
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: capacity * MemoryLayout<Element>.stride, alignment: 64)
        let fresh = raw.bindMemory(to: Element.self, capacity: capacity)
        memory = fresh
        return fresh
    }

    deinit { UnsafeMutableRawPointer(memory)?.deallocate() }
}

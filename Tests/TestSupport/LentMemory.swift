/// Memory lent to a kernel for reading. Each block ends where its numbers end, so that the address sanitizer detects
/// any read past the end. Call `release` when the kernel is done.
package final class LentMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    package init() {}

    /// Copies `numbers` to a new block, `offset` numbers after its start.
    package func lend<Number: BitwiseCopyable>(_ numbers: [Number], offset: Int = 0) -> UnsafePointer<Number> {
        let size = MemoryLayout<Number>.stride
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: max((offset + numbers.count) * size, 1), alignment: MemoryLayout<Number>.alignment)
        blocks.append(block)
        let start = (block + offset * size).bindMemory(to: Number.self, capacity: numbers.count)
        for (index, number) in numbers.enumerated() { start[index] = number }
        return UnsafePointer(start)
    }

    /// Copies samples of `depth` bits as a row of a picture stores them: one byte each for 8 bits, otherwise two.
    package func lend(row samples: [UInt16], depth: Int, offset: Int = 0) -> UnsafePointer<UInt8> {
        if depth == 8 { return lend(samples.map { UInt8($0) }, offset: offset) }
        let bytes = samples.flatMap { sample in withUnsafeBytes(of: sample) { Array($0) } }
        return lend(bytes, offset: 2 * offset)
    }

    package func release() {
        for block in blocks { block.deallocate() }
        blocks.removeAll()
    }
}

/// Memory for a kernel to write, with guards before and after it.
package final class GuardedSamples<Number: FixedWidthInteger & BitwiseCopyable> {
    /// The address of the first number.
    package let start: UnsafeMutablePointer<Number>
    package let count: Int
    private let memory: UnsafeMutableBufferPointer<Number>
    private let offset: Int

    private static var fence: Int { 40 }

    /// The guard value at `index`. It depends on the index, so that a copy of neighboring guards is detected.
    private static func mark(_ index: Int) -> Number { Number(truncatingIfNeeded: index &* 40503 &+ 23130) }

    /// Copies `numbers` to new memory, where they start `offset` numbers after a 64-byte boundary.
    package init(_ numbers: [Number], offset: Int = 0) {
        count = numbers.count
        self.offset = GuardedSamples.fence / 8 * 8 + offset
        let total = self.offset + count + GuardedSamples.fence
        let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: total * MemoryLayout<Number>.stride, alignment: 64)
        memory = raw.bindMemory(to: Number.self)
        for index in memory.indices { memory[index] = GuardedSamples.mark(index) }
        start = memory.baseAddress! + self.offset
        for (index, number) in numbers.enumerated() { start[index] = number }
    }

    /// Allocates memory for `count` numbers.
    package convenience init(count: Int, offset: Int = 0) {
        self.init((0..<count).map { GuardedSamples.mark($0 &* 3) }, offset: offset)
    }

    deinit { memory.deallocate() }

    /// The current values.
    package var numbers: [Number] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Whether all guards are unchanged.
    package var isIntact: Bool {
        memory.indices.allSatisfy { index in
            (offset..<(offset + count)).contains(index) || memory[index] == GuardedSamples.mark(index)
        }
    }
}

/// Kinds of sample values to feed a kernel.
package enum Filling: CaseIterable, Sendable {
    case random, zero, most, alternating

    /// `count` samples in the range 0...`most`.
    package func samples(_ count: Int, most: Int, _ random: inout SplitMix64) -> [UInt16] {
        (0..<count).map { index in
            switch self {
            case .random: UInt16(random.integer(in: 0...most))
            case .zero: 0
            case .most: UInt16(most)
            case .alternating: index % 2 == 0 ? 0 : UInt16(most)
            }
        }
    }
}

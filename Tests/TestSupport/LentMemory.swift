/// Numbers lent to a kernel that only reads: each block of memory ends where its numbers end, so that the address
/// sanitizer sees every read beyond. `release` when the kernel is done.
package final class LentMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    package init() {}

    /// A copy of `numbers` that starts `offset` of them after the block's start.
    package func lend<Number: BitwiseCopyable>(_ numbers: [Number], offset: Int = 0) -> UnsafePointer<Number> {
        let size = MemoryLayout<Number>.stride
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: max((offset + numbers.count) * size, 1), alignment: MemoryLayout<Number>.alignment)
        blocks.append(block)
        let start = (block + offset * size).bindMemory(to: Number.self, capacity: numbers.count)
        for (index, number) in numbers.enumerated() { start[index] = number }
        return UnsafePointer(start)
    }

    /// Samples of `depth` bits as a row of a picture holds them.
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

/// Numbers for a kernel to write, with guards before and after.
package final class GuardedSamples<Number: FixedWidthInteger & BitwiseCopyable> {
    /// The first number.
    package let start: UnsafeMutablePointer<Number>
    package let count: Int
    private let memory: UnsafeMutableBufferPointer<Number>
    private let offset: Int

    private static var fence: Int { 40 }

    /// A guard that depends on its place, so that copies of neighbours are noticed.
    private static func mark(_ index: Int) -> Number { Number(truncatingIfNeeded: index &* 40503 &+ 23130) }

    /// A copy of `numbers`, which starts `offset` of them after a 64-byte boundary.
    package init(_ numbers: [Number], offset: Int = 0) {
        count = numbers.count
        self.offset = GuardedSamples.fence / 8 * 8 + offset
        let total = self.offset + count + GuardedSamples.fence
        let raw = UnsafeMutableRawBufferPointer.allocate(
            byteCount: total * MemoryLayout<Number>.stride, alignment: 64)
        memory = raw.bindMemory(to: Number.self)
        for index in memory.indices { memory[index] = GuardedSamples.mark(index) }
        start = memory.baseAddress! + self.offset
        for (index, number) in numbers.enumerated() { start[index] = number }
    }

    /// Room for `count` numbers.
    package convenience init(count: Int, offset: Int = 0) {
        self.init((0..<count).map { GuardedSamples.mark($0 &* 3) }, offset: offset)
    }

    deinit { memory.deallocate() }

    /// What was written.
    package var numbers: [Number] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Whether all guards are as they were.
    package var isIntact: Bool {
        memory.indices.allSatisfy { index in
            (offset..<(offset + count)).contains(index) || memory[index] == GuardedSamples.mark(index)
        }
    }
}

/// Kinds of samples to feed a kernel.
package enum Filling: CaseIterable, Sendable {
    case random, zero, most, alternating

    /// `count` samples of 0...`most`.
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

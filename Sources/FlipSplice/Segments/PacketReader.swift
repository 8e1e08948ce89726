import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia

/// Reads the packets of a `PacketFile` one after another.
final class PacketReader {
    private(set) var head: PacketFile.Head
    private let file: PacketFile
    /// The size of the file in bytes.
    private let size: Int
    /// The offset in the file up to which the buffer was read.
    private var position = 0
    private var buffer: [UInt8] = []
    /// The number of bytes at the front of the buffer that were taken already.
    private var taken = 0
    /// The number of packets so far.
    private var count = 0
    private var hasEnded = false

    /// The number of bytes read at a time.
    private static let block = 1 << 18

    /// Reads the head. Throws `badInput` where the file is not a packet file or was cut off.
    init(_ file: PacketFile) throws(MediaError) {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw MediaError.system(.io, "read", file.name) }
        self.file = file
        size = Int(status.st_size)
        head = PacketFile.Head(recipe: "", header: [], reorderDepth: 0, count: 0)
        guard try bytes(PacketFile.magic.count) == PacketFile.magic else { throw damaged }
        let recipe = String(decoding: try bytes(number()), as: UTF8.self)
        head = PacketFile.Head(
            recipe: recipe, header: try bytes(number()), reorderDepth: try number(), count: try number())
    }

    /// The next packet; nil after the last, however often.
    func next() throws(MediaError) -> Packet? {
        if hasEnded { return nil }
        let mark = try bytes(1)[0]
        if mark == PacketFile.Mark.end {
            guard try number() == count, position - buffer.count + taken == size else { throw damaged }
            hasEnded = true
            return nil
        }
        guard mark == PacketFile.Mark.packet else { throw damaged }
        let (presentation, decoding, duration, flags, sides) = (
            try number(), try number(), try number(), try number(), try number()
        )
        guard Int32(exactly: flags) != nil, (0...64).contains(sides) else { throw damaged }
        var sideData: [Packet.SideData] = []
        for _ in 0..<sides { sideData.append(Packet.SideData(type: try number(), bytes: try bytes(number()))) }
        count += 1
        return try Packet(
            bytes(number()),
            fields: Packet.Fields(
                presentation: presentation, decoding: decoding, duration: duration, flags: flags, sideData: sideData))
    }

    private func number() throws(MediaError) -> Int {
        let value = try bytes(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(Int64(bitPattern: value))
    }

    private func bytes(_ count: Int) throws(MediaError) -> [UInt8] {
        guard count >= 0, count <= buffer.count - taken + size - position else { throw damaged }
        if buffer.count - taken < count { try fill(count) }
        defer { taken += count }
        return Array(buffer[taken..<taken + count])
    }

    /// Reads until the buffer holds `least` bytes, which the rest of the file is known to have.
    private func fill(_ least: Int) throws(MediaError) {
        buffer.removeFirst(taken)
        taken = 0
        while buffer.count < least {
            let wanted = max(Self.block, least - buffer.count)
            let start = buffer.count
            buffer.append(contentsOf: repeatElement(0, count: wanted))
            let got = buffer.withUnsafeMutableBytes {
                pread(file.descriptor, $0.baseAddress! + start, wanted, off_t(position))
            }
            buffer.removeLast(wanted - max(got, 0))
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw MediaError.system(.io, "read", file.name) }
            if got == 0 { throw damaged }
            position += got
        }
    }

    private var damaged: MediaError {
        MediaError(.badInput, "the segment '\(file.name)' is incomplete or damaged (render it again)")
    }
}

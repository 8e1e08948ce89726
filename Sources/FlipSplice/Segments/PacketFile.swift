import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia

/// The packets of one encoder in a file, until they are muxed: a head, the packets in decoding order, and an end mark
/// with their number, by which a truncated file is recognized.
///
/// Numbers are little-endian. One thread writes; any number of `PacketReader`s read after `finish`.
package final class PacketFile: @unchecked Sendable {
    /// What the file holds.
    struct Head: Equatable {
        /// The encoder and its settings. Packets of files with the same recipe can follow each other in one stream.
        var recipe: String
        /// The encoder's extradata.
        var header: [UInt8]
        /// The encoder's reorder depth, in frames.
        var reorderDepth: Int
        /// The number of frames, or of samples per channel, that the packets hold.
        var count: Int
    }

    /// The output's path or the file's own, for error messages.
    let name: String
    package let descriptor: Int32
    private var buffer: [UInt8] = []
    private var packetCount = 0
    /// Bytes written so far.
    package private(set) var byteCount = 0

    static let magic = Array("flippkt1".utf8)
    /// The byte that says what follows it: a packet, or the end of the file.
    enum Mark {
        static let packet: UInt8 = 1
        static let end: UInt8 = 2
    }
    /// The buffer is written once it holds this many bytes.
    private static let block = 1 << 18

    /// Takes over an open descriptor. `name` is used in error messages.
    private init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// Creates an unlinked temporary file, which vanishes with the process, in the folder of the output at `path`, or
    /// in the folder for temporary files where the output is not a regular file.
    package convenience init(besideOutput path: String) throws(MediaError) {
        let target = OutputPlace(path).isStream ? NamelessFile.folder + "/fliptransition" : path
        guard let place = TemporaryPlace(beside: target, kind: .file) else {
            throw MediaError.system(.cannotCreate, "create", path)
        }
        defer { place.remove() }
        try self.init(opening: place.path, O_RDWR, name: path)
    }

    /// Opens the finished file at `path` for reading.
    package convenience init(reading path: String) throws(MediaError) {
        try self.init(opening: path, O_RDONLY, name: path)
    }

    /// Has `write` write a file that appears at `path` either complete or not at all.
    package static func publish(
        at path: String, overwrites: Bool, _ write: (PacketFile) throws -> Void
    ) throws {
        let output = try OutputFile(path: path, overwrite: overwrites)
        do {
            try write(try PacketFile(opening: output.workingPath, O_RDWR, name: path))
            _ = try output.commit()
        } catch {
            output.discard()
            throw error
        }
    }

    private convenience init(opening path: String, _ mode: Int32, name: String) throws(MediaError) {
        let descriptor = open(path, mode | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaError.system(mode == O_RDONLY ? .missingInput : .cannotCreate, "open", name)
        }
        self.init(descriptor, name: name)
    }

    // MARK: Writing

    /// Writes the head.
    func begin(_ head: Head) throws(MediaError) {
        buffer += Self.magic
        add(bytes: Array(head.recipe.utf8))
        add(bytes: head.header)
        add(head.reorderDepth)
        add(head.count)
        try flush(atLeast: Self.block)
    }

    /// Adds a packet with its time stamps, flags and side data.
    func append(_ packet: Packet) throws(MediaError) {
        let fields = packet.fields
        buffer.append(Mark.packet)
        for number in [fields.presentation, fields.decoding, fields.duration, fields.flags, fields.sideData.count] {
            add(number)
        }
        for side in fields.sideData {
            add(side.type)
            add(bytes: side.bytes)
        }
        add(bytes: packet.bytes)
        packetCount += 1
        try flush(atLeast: Self.block)
    }

    /// Adds the end mark and hands all bytes to the operating system.
    package func finish() throws(MediaError) {
        buffer.append(Mark.end)
        add(packetCount)
        try flush(atLeast: 1)
    }

    private func add(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { buffer.append(contentsOf: $0) }
    }

    private func add(bytes: some Collection<UInt8>) {
        add(bytes.count)
        buffer.append(contentsOf: bytes)
    }

    private func flush(atLeast least: Int) throws(MediaError) {
        guard buffer.count >= least else { return }
        guard buffer.withUnsafeBytes({ Files.write($0, to: descriptor) }) else {
            throw MediaError.system(.io, "write", name)
        }
        byteCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}

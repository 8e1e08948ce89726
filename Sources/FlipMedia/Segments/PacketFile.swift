import CLibav

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One encoder's packets on the disk, until they are laid into a container: a head, the packets in the order of decoding, and an
/// end that says how many there were, so that a file that was cut off is known.
///
/// Numbers are little-endian. One thread writes; any number of `PacketReader`s read after `finish`.
package final class PacketFile: @unchecked Sendable {
    /// What lies in the file.
    struct Head: Equatable {
        /// The encoder and what it was told: packets of files with the same go behind one another.
        var recipe: String
        /// What the encoder keeps apart from its packets.
        var header: [UInt8]
        /// How many packets a frame comes late, at most.
        var reorderDepth: Int
        /// Frames, or samples of each channel, that the packets hold.
        var count: Int
    }

    let name: String
    let descriptor: Int32
    private var buffer: [UInt8] = []
    private var packetCount = 0
    /// Bytes so far.
    package private(set) var byteCount = 0

    static let magic = Array("flippkt1".utf8)
    /// What begins with one of these follows.
    enum Mark {
        static let packet: UInt8 = 1
        static let end: UInt8 = 2
    }
    /// Bytes written at a time.
    private static let block = 1 << 18

    /// Takes over an open file. `name` is for messages.
    private init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// One without a name, which goes with the program, in the folder of the output at `path`; in the folder for temporary
    /// files where the output is no regular file.
    package convenience init(besideOutput path: String) throws(MediaError) {
        let target = OutputPlace(path).isStream ? NamelessFile.folder + "/fliptransition" : path
        guard let place = TemporaryPlace(beside: target, kind: .file) else {
            throw OutputFile.failure(.cannotCreate, "create", path)
        }
        defer { place.remove() }
        try self.init(opening: place.path, O_RDWR, name: path)
    }

    /// The file at `path`, which is there and whole.
    package convenience init(reading path: String) throws(MediaError) {
        try self.init(opening: path, O_RDONLY, name: path)
    }

    /// Has `write` write a file that appears at `path` whole or not at all.
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
            throw OutputFile.failure(mode == O_RDONLY ? .missingInput : .cannotCreate, "open", name)
        }
        self.init(descriptor, name: name)
    }

    // MARK: Writing

    func begin(_ head: Head) throws(MediaError) {
        buffer += Self.magic
        add(bytes: Array(head.recipe.utf8))
        add(bytes: head.header)
        add(head.reorderDepth)
        add(head.count)
        try flush(atLeast: Self.block)
    }

    /// Adds a packet with its times, flags and side data.
    func append(_ packet: Packet) throws(MediaError) {
        let fields = packet.pointer.pointee
        buffer.append(Mark.packet)
        for number in [fields.pts, fields.dts, fields.duration, Int64(fields.flags), Int64(fields.side_data_elems)] {
            add(Int(number))
        }
        for index in 0..<Int(fields.side_data_elems) {
            let side = fields.side_data[index]
            add(Int(side.type.rawValue))
            add(bytes: UnsafeBufferPointer(start: side.data, count: side.size))
        }
        add(bytes: packet.bytes)
        packetCount += 1
        try flush(atLeast: Self.block)
    }

    /// Adds the end; all bytes are then with the operating system.
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
        var done = 0
        while done < buffer.count {
            let count = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, buffer.count - done) }
            if count < 0 {
                if errno == EINTR { continue }
                throw OutputFile.failure(.io, "write", name)
            }
            done += count
        }
        byteCount += done
        buffer.removeAll(keepingCapacity: true)
    }
}

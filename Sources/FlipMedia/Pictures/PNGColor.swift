import FlipFiles

/// The colors that a PNG file states in its cICP chunk (PNG, third edition, 11.3.2.6), which libavcodec reads only
/// since FFmpeg 6.1.
package struct PNGColor {
    /// The color primaries, as numbered in ITU-T H.273.
    let primaries: UInt8
    /// The transfer characteristics, as numbered in ITU-T H.273.
    let transfer: UInt8

    /// Whether these are the colors that are assumed for a picture without a description.
    package var isDefault: Bool { primaries == 1 && [1, 6, 13].contains(transfer) }
    /// The name to use in messages.
    package var name: String { "cICP \(primaries)/\(transfer)" }

    /// Returns nil if `path` is not a regular file, not a PNG, or has no cICP chunk before its image data. A named pipe
    /// is not read: its bytes have been read already, and reading would wait for another writer.
    package init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard Files.bytes(of: descriptor, in: 0..<8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
            return nil
        }
        var position = 8
        for _ in 0..<Self.maxChunks {
            guard let head = Files.bytes(of: descriptor, in: position..<position + 8) else { return nil }
            let size = Bytes.number(head[..<4])
            switch head[4...] {
            // "cICP"
            case [0x63, 0x49, 0x43, 0x50]:
                guard size >= 4, let values = Files.bytes(of: descriptor, in: position + 8..<position + 12) else {
                    return nil
                }
                (primaries, transfer) = (values[0], values[1])
                return
            // "IDAT"
            case [0x49, 0x44, 0x41, 0x54]: return nil
            // A chunk is its size and type (8 bytes), its content and a checksum (4 bytes).
            default: position += size + 12
            }
        }
        return nil
    }

    /// The number of chunks to look at; few come before the image data.
    private static let maxChunks = 64
}

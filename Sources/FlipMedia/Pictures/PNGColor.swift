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
        guard Self.bytes(8, at: 0, descriptor) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { return nil }
        var position = 8
        for _ in 0..<Self.maxChunks {
            guard let head = Self.bytes(8, at: position, descriptor) else { return nil }
            let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            switch head[4...] {
            // "cICP"
            case [0x63, 0x49, 0x43, 0x50]:
                guard size >= 4, let values = Self.bytes(4, at: position + 8, descriptor) else { return nil }
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

    private static func bytes(_ count: Int, at position: Int, _ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(position)) == count ? bytes : nil
    }
}

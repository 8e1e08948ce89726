import CZlib

/// Bytes out of compressed ones (RFC 1950, 1951), never more than a limit.
enum Inflater {
    /// What is compressed in `bytes`; what is there where they are cut off or damaged; nil where that is more than `limit`.
    /// - Parameter hasHeader: whether they have zlib's header, as in PDF and not in zip.
    static func inflate(_ bytes: ArraySlice<UInt8>, hasHeader: Bool, limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard flip_inflate_init(&stream, hasHeader ? 15 : -15) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var result: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var input = Array(bytes)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(clamping: input.count)
            while true {
                let (code, count) = block.withUnsafeMutableBufferPointer { block in
                    stream.next_out = block.baseAddress
                    stream.avail_out = uInt(block.count)
                    let code = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (code, block.count - Int(stream.avail_out))
                }
                result += block[..<count]
                if result.count > limit { return nil }
                if code != Z_OK || (count == 0 && stream.avail_in == 0) { return result }
            }
        }
    }
}

import CLibav
import FlipFiles

/// SHA-256 (FIPS 180-4), computed by libavutil, as 64 lowercase hexadecimal digits.
package enum SHA256 {
    package static func hash(_ bytes: some Sequence<UInt8>) -> String {
        let sum = Sum()
        sum.add(Array(bytes))
        return sum.digits()
    }

    /// The hash of a file's bytes; nil, with `errno` set, if it can't be read.
    package static func hash(file path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let sum = Sum()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return sum.digits() }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            buffer.withUnsafeBufferPointer { sum.add(UnsafeBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// The hash of bytes that come one after another. Owns an AVSHA.
    final class Sum {
        private let pointer: OpaquePointer

        init() {
            guard let pointer = av_sha_alloc() else { preconditionFailure("out of memory") }
            self.pointer = pointer
            av_sha_init(pointer, 256)
        }

        deinit { av_free(UnsafeMutableRawPointer(pointer)) }

        func add(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { add($0) } }

        func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            if let base = bytes.baseAddress { av_sha_update(pointer, base, bytes.count) }
        }

        /// The hash of all bytes, after which no more can be added.
        func digits() -> String {
            var digest = [UInt8](repeating: 0, count: 32)
            av_sha_final(pointer, &digest)
            return digest.map { $0.padded(to: 2, radix: 16) }.joined()
        }
    }
}

import CLibav
import FlipBase
import FlipFiles

/// An AVIOContext by which libav reads an `InputPipe`. Owns the AVIOContext.
final class PipeContext {
    let pointer: UnsafeMutablePointer<AVIOContext>
    private let pipe: InputPipe
    private static let bufferSize: Int32 = 1 << 16

    init(_ pipe: InputPipe) throws(MediaError) {
        self.pipe = pipe
        guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw .outOfMemory }
        let own = Unmanaged.passUnretained(pipe).toOpaque()
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, own,
            { own, bytes, count in
                guard let own, let bytes else { return flip_error_eof }
                let pipe = Unmanaged<InputPipe>.fromOpaque(own).takeUnretainedValue()
                let done = pipe.read(into: bytes, atMost: Int(count))
                return done == 0 ? flip_error_eof : Int32(clamping: done)
            }, nil, nil)
        guard let context else {
            av_free(buffer)
            throw .outOfMemory
        }
        pointer = context
    }

    deinit {
        av_free(pointer.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&pointer)
    }
}

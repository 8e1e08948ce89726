import CLibav
import FlipBase

import struct Synchronization.Atomic

/// Keeps a demuxer from opening other files than the one it was given and from reading endlessly. Lives as long as the
/// context it guards.
final class InputGuard: @unchecked Sendable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// libav's own function for opening files.
    private let open: Open?
    /// The number of bytes that may be read in total until the next `renew`.
    private var limit: Int64
    /// Whether the limit has been exceeded.
    private(set) var isExhausted = false

    private typealias Open =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    /// The files that may be opened besides the context's own.
    private let further: Set<String>

    init(_ context: UnsafeMutablePointer<AVFormatContext>, allowing further: Set<String> = []) {
        self.further = further
        av_max_alloc(InputLimits.allocation)
        self.context = context
        open = context.pointee.io_open
        limit = InputLimits.probeBytes
        let own = Unmanaged.passUnretained(self).toOpaque()
        Self.living.withLock { $0[UInt(bitPattern: context)] = Weak(guardian: self) }
        context.pointee.opaque = own
        context.pointee.max_streams = Int32(InputLimits.streams)
        // Demuxers open further files (those of lists, external tracks, keys) through this callback.
        context.pointee.io_open = { context, reader, url, flags, options in
            guard let context, let own = context.pointee.opaque, let url else { return flip_error_permission }
            let guardian = Unmanaged<InputGuard>.fromOpaque(own).takeUnretainedValue()
            guard strcmp(url, context.pointee.url) == 0 || guardian.further.contains(String(cString: url)),
                let open = guardian.open
            else { return flip_error_permission }
            return open(context, reader, url, flags, options)
        }
        context.pointee.interrupt_callback.opaque = own
        context.pointee.interrupt_callback.callback = { own in
            own.map { Unmanaged<InputGuard>.fromOpaque($0).takeUnretainedValue().isOver } == true ? 1 : 0
        }
    }

    /// Whether libav came to the end of the file where more had to follow, which it reports only in its log.
    var hasEndedEarly: Bool { early.load(ordering: .relaxed) }
    private let early = Atomic(false)

    private struct Weak: Sendable { weak var guardian: InputGuard? }
    /// All guards, by the address of the context that each one guards.
    private static let living = Mutex<[UInt: Weak]>([:])

    /// Checks a line of libav's log for signs that a file is cut off.
    static func note(_ format: UnsafePointer<CChar>, from context: UnsafeMutableRawPointer?) {
        let isPrematureEnd = strncmp(format, "File ended prematurely", 22) == 0
        // A packet is shorter than it should be. Before the file's end, the decoder tells whether that did any harm.
        let isCorruptPacket = strncmp(format, "Packet corrupt", 14) == 0
        guard isPrematureEnd || isCorruptPacket, let context,
            let guardian = living.withLock({ $0[UInt(bitPattern: context)]?.guardian })
        else { return }
        // libav logs on the thread that reads the file, so the context can be accessed here.
        if isPrematureEnd || guardian.context.pointee.pb?.pointee.eof_reached ?? 0 != 0 {
            guardian.early.store(true, ordering: .relaxed)
        }
    }

    deinit {
        // Another context may have the address by now.
        let address = UInt(bitPattern: context)
        Self.living.withLock { if $0[address]?.guardian == nil { $0[address] = nil } }
    }

    /// Sets the limit for reading another packet.
    func renew() { limit = context.pointee.nb_streams == 1 ? bytesRead + InputLimits.packetBytes : .max }

    private var bytesRead: Int64 { context.pointee.pb?.pointee.bytes_read ?? 0 }

    private var isOver: Bool {
        if bytesRead > limit { isExhausted = true }
        return isExhausted
    }

    /// The names, separated by commas, of the demuxers that read only the file they are given: none that follow links
    /// to other files or run scripts.
    static let allowedFormats: String = {
        let excluded: Set<String> = [
            "hls", "applehttp", "dash", "webm_dash_manifest", "concat", "sdp", "rtsp", "rtp", "sap", "imf",
            "avisynth", "vapoursynth", "vobsub", "tty", "libgme", "libopenmpt", "bluray", "dvdvideo",
        ]
        var names: [String] = []
        var position: UnsafeMutableRawPointer?
        while let demuxer = av_demuxer_iterate(&position) {
            let name = String(cString: demuxer.pointee.name)
            let all = name.split(separator: ",").map(String.init)
            // AVFMT_NOFILE demuxers open files by themselves, past the callback. Pictures need image2 all the same.
            let opensByItself = demuxer.pointee.flags & AVFMT_NOFILE != 0 && name != "image2"
            if excluded.isDisjoint(with: all), !opensByItself { names.append(name) }
        }
        return names.joined(separator: ",")
    }()
}

import CLibav
import Synchronization

/// What opening and reading a file may cost, whatever the file claims.
package enum InputLimits {
    /// Pixels of a picture that may be asked for: from the smallest to what libav can address.
    package static let pixelRange = 256...(1 << 28)
    private static let pixels = Mutex(16384 * 16384 / 2)

    /// Pixels of a decoded picture, and of the output's; for the whole process.
    package static var maxPixels: Int {
        get { pixels.withLock { $0 } }
        set { pixels.withLock { $0 = newValue } }
    }

    /// Streams of a file: a recording of a whole transponder has some hundred.
    static let streams = 256
    /// Packets of a video: three days of 60 a second.
    static let packets = 1 << 24
    /// Seconds from a video's first frame to its last: 30 days.
    static let duration = Rational(30 * 86400)
    /// Seconds from 0 within which a clip's sound has to begin: what times there are is a matter of 2^33 ticks, of dates in seconds,
    /// or of a file that lies.
    static let latestTime = Rational(1 << 33)
    /// Seconds from one frame of a clip that is passed on to its next one. A file that promises more shows what it would become
    /// before it is rendered; here one frame would be written on and on.
    static let livePause = Rational(600)
    /// Bytes that libav may ask for at once, such as for the index that a header promises.
    static let allocation = 1 << 30
    /// Bytes read before a file's streams are known. Long recordings have indexes of some tens of megabytes.
    static let probeBytes: Int64 = 128 << 20
    /// Bytes read between two packets of a file that has but one stream, so that nothing else can lie between them.
    static let packetBytes: Int64 = 512 << 20
}

/// Keeps a demuxer to the one file it was given, and from reading on for ever. Lives as long as the context it guards.
final class InputGuard: @unchecked Sendable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// How libav opens files.
    private let open: Open?
    /// Bytes that may have been read by now.
    private var limit: Int64
    private(set) var isExhausted = false

    private typealias Open =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    init(_ context: UnsafeMutablePointer<AVFormatContext>) {
        av_max_alloc(InputLimits.allocation)
        self.context = context
        open = context.pointee.io_open
        limit = InputLimits.probeBytes
        let own = Unmanaged.passUnretained(self).toOpaque()
        Self.living.withLock { $0[UInt(bitPattern: context)] = Weak(guardian: self) }
        context.pointee.opaque = own
        context.pointee.max_streams = Int32(InputLimits.streams)
        // Demuxers open further files through this: lists, external tracks, keys.
        context.pointee.io_open = { context, reader, url, flags, options in
            guard let context, let own = context.pointee.opaque, let url, strcmp(url, context.pointee.url) == 0,
                let open = Unmanaged<InputGuard>.fromOpaque(own).takeUnretainedValue().open
            else { return flip_error_permission }
            return open(context, reader, url, flags, options)
        }
        context.pointee.interrupt_callback.opaque = own
        context.pointee.interrupt_callback.callback = { own in
            own.map { Unmanaged<InputGuard>.fromOpaque($0).takeUnretainedValue().isOver } == true ? 1 : 0
        }
    }

    /// Whether libav met the file's end where something had to follow: it writes that into its log only.
    var hasEndedEarly: Bool { early.load(ordering: .relaxed) }
    private let early = Atomic(false)

    private struct Weak: Sendable { weak var guardian: InputGuard? }
    /// By the address of the context that each guards.
    private static let living = Mutex<[UInt: Weak]>([:])

    /// Takes note of a line of libav's log.
    static func note(_ format: UnsafePointer<CChar>, from context: UnsafeMutableRawPointer?) {
        let isPrematureEnd = strncmp(format, "File ended prematurely", 22) == 0
        // Of a packet that is shorter than it should be. Within a file it is the decoder that says whether that did any harm.
        let isCorruptPacket = strncmp(format, "Packet corrupt", 14) == 0
        guard isPrematureEnd || isCorruptPacket, let context,
            let guardian = living.withLock({ $0[UInt(bitPattern: context)]?.guardian })
        else { return }
        // The log is written by the thread that reads the file.
        if isPrematureEnd || guardian.context.pointee.pb?.pointee.eof_reached ?? 0 != 0 {
            guardian.early.store(true, ordering: .relaxed)
        }
    }

    deinit {
        // The address may be another's by now.
        let address = UInt(bitPattern: context)
        Self.living.withLock { if $0[address]?.guardian == nil { $0[address] = nil } }
    }

    /// Lets the reader go on for another packet.
    func renew() {
        limit = context.pointee.nb_streams == 1 ? bytesRead + InputLimits.packetBytes : .max
    }

    private var bytesRead: Int64 { context.pointee.pb?.pointee.bytes_read ?? 0 }

    private var isOver: Bool {
        if bytesRead > limit { isExhausted = true }
        return isExhausted
    }

    /// Demuxers that read the one file they are given: none that follows links to other files or runs scripts.
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
            // One that opens what it likes by itself, but for the pictures' own.
            let opensByItself = demuxer.pointee.flags & AVFMT_NOFILE != 0 && name != "image2"
            if excluded.isDisjoint(with: all), !opensByItself { names.append(name) }
        }
        return names.joined(separator: ",")
    }()
}

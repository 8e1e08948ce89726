import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia

/// Puts the coded video of an output together from stretches that follow each other: frames that are encoded, held
/// frames, packets that are copied from clips, and packets that were encoded and stored before.
///
/// It alone numbers the packets, sets their times and key flags, and makes sure that every frame has one packet.
/// Every stretch of encoded frames between others comes from an encoder of its own, which begins with an IDR picture and
/// is drained before anything follows it.
package final class TrackAssembler {
    /// What the track is put together from, besides encoded frames.
    package enum Parts {
        /// Nothing else; the encoder's own DTS are kept.
        case frames
        /// Nothing else. Frames may have any time, and the encoder's own DTS are kept.
        case framesOfAnyTime
        /// Held frames, where the encoder's packets can be repeated; if not, all of a hold's frames are encoded.
        case holds
        /// Packets of the same encoder that were stored, of which some may repeat others.
        case stored(withHolds: Bool)
        /// Nothing else; the packets are stored, and will stand between copied ones.
        case storedBesideCopies
        /// Packets that are copied from the clips of the track, and packets of the same encoder that were stored.
        case copies(SplicedTrack)

        /// Whether the encoder's extradata is needed before its packets, even where the container doesn't store it
        /// apart.
        fileprivate var isSpliced: Bool {
            switch self {
            case .copies, .storedBesideCopies: true
            case .frames, .framesOfAnyTime, .holds, .stored: false
            }
        }
    }

    /// The encoder of the current stretch, which also describes the track to the container.
    private(set) var video: VideoEncoder
    /// The track's extradata; nil for the encoder's own.
    let header: [UInt8]?
    private let makeEncoder: () throws(MediaError) -> VideoEncoder
    private let clocks: WritingClocks
    /// Nil if the encoder's times are kept.
    private var order: PacketOrder?
    /// Nil if holds can't be shortened.
    private var held: HeldFrames?
    /// How the encoder's packets become those of a track that others are copied into; nil if none are.
    private var splicing: Splicing?
    private var state = State.ready
    /// Where the packets go, in decoding order.
    private var emit: (Packet) throws -> Void = { _ in }

    private struct Splicing {
        let encoderHeader: [UInt8]
        var rewriter: any PacketRewriter
        /// Nil for codecs other than H.264.
        var pictures: IDRPictures?
        /// Nil if encoded frames get no dynamic metadata.
        var carrier: MetadataCarrier?
    }

    private enum State {
        /// The encoder is new.
        case ready
        case encoding
        /// The encoder was drained and takes no more.
        case drained
    }

    /// Opens the encoder.
    /// - Parameter parts: what the track is going to be put together from.
    /// - Throws: the errors of `StreamEncoder`, and a `SpliceFailure` if frames can't be encoded to go with the copied
    ///   ones.
    package init(
        _ encoding: VideoEncoding, in container: Container, of parts: Parts, clocks: WritingClocks
    ) throws {
        let hasGlobalHeader = try container.wantsGlobalHeaders
        let isSpliced = parts.isSpliced
        makeEncoder = { () throws(MediaError) in
            try VideoEncoder(encoding, in: container, hasGlobalHeader: hasGlobalHeader || isSpliced)
        }
        self.clocks = clocks
        let encoder = try Self.opened(isSpliced) { [makeEncoder] () throws(MediaError) in
            try clocks.encoding.measure(makeEncoder)
        }
        video = encoder
        let canRepeat = hasGlobalHeader && container.storesDecodingTimes
        switch parts {
        case .frames:
            header = nil
        case .framesOfAnyTime:
            // The extradata is that of an output with a constant frame rate.
            header = canRepeat ? HeldFrames(encoding, encoder.encoder)?.header : nil
        case .holds:
            held = canRepeat ? HeldFrames(encoding, encoder.encoder) : nil
            header = held?.header
            if held != nil { order = PacketOrder(reorderDepth: encoder.encoder.reorderDepth) }
        case .stored(let withHolds):
            held = withHolds && canRepeat ? HeldFrames(encoding, encoder.encoder) : nil
            header = held?.header
            order = PacketOrder(reorderDepth: encoder.encoder.reorderDepth)
        case .storedBesideCopies:
            header = nil
            order = PacketOrder(reorderDepth: encoder.encoder.reorderDepth)
        case .copies(let track):
            guard let joined = track.joined(encoder.encoder) else {
                throw SpliceFailure("the encoder's header can't be combined with those of the clips")
            }
            header = joined.written
            splicing = Splicing(
                encoderHeader: encoder.encoder.header, rewriter: joined.rewriter,
                pictures: track.codec.name == "h264" ? IDRPictures(joined.all) : nil, carrier: MetadataCarrier(track))
            order = PacketOrder(reorderDepth: track.reorderDepth)
        }
    }

    /// The encoder that `make` opens. If packets are copied as well, a usage error becomes a `SpliceFailure`: the
    /// encoder may accept the settings when everything is encoded.
    private static func opened(
        _ isSpliced: Bool, _ make: () throws(MediaError) -> VideoEncoder
    ) throws -> VideoEncoder {
        do throws(MediaError) {
            return try make()
        } catch {
            guard isSpliced, error.kind == .usage else { throw error }
            throw SpliceFailure("the encoder doesn't take what the clips ask of it: \(error.message)")
        }
    }

    /// Has the packets passed to `emit`; to be called before the first stretch.
    func connect(_ emit: @escaping (Packet) throws -> Void) { self.emit = emit }

    /// The number of packets so far; nil if they aren't counted.
    var count: Int? { order?.count }

    // MARK: Stretches

    /// Encodes a frame of the encoding's size and format.
    /// - Parameters:
    ///   - index: its time in frames, greater than that of the previous frame.
    ///   - isKey: whether it has to be a keyframe.
    package func encode(_ frame: VideoFrame, at index: Int, isKey: Bool = false) throws {
        try beginEncoding()
        let isKey = isKey || held?.needsKey(index) == true
        try send(
            try clocks.encoding.measure { () throws(MediaError) in try video.prepared(frame, index: index, isKey: isKey)
            })
        clocks.encoding.countOne()
    }

    /// Encodes the same frame at all times in `indices`, which count frames; of long holds only the beginning.
    /// - Parameter wasEncoded: called after each frame that the encoder got, and at the end, with the end of the range of
    ///   frames that are done. An error that it throws ends the work.
    package func encode(
        _ frame: VideoFrame, at indices: Range<Int>, _ wasEncoded: (_ end: Int) throws -> Void = { _ in }
    ) throws {
        let parts = held?.hold(indices) ?? [indices]
        for part in parts {
            for index in part {
                try encode(frame, at: index)
                try wasEncoded(index + 1)
            }
        }
        if parts.last?.upperBound != indices.upperBound { try wasEncoded(indices.upperBound) }
    }

    /// Copies the packets of `frames` of a clip, counted from its first frame.
    /// - Parameters:
    ///   - index: the first one's time in the output, in frames; it follows directly on what was written before.
    ///   - body: called after each packet.
    package func copy(
        _ frames: Range<Int>, of clip: CopiedClip, at index: Int, _ body: () throws -> Void
    ) throws {
        guard splicing != nil else {
            throw MediaError(.internalFault, "got packets to copy for a video that is encoded")
        }
        try endEncoding()
        let starts = Set(clip.video.starts.map(\.frame))
        try clip.forEachPacket(of: frames) { packet, frame in
            let isStart = packet.isKey && starts.contains(frame)
            try place(packet, at: index + frame - frames.lowerBound, isStart: isStart)
            try body()
        }
    }

    /// Adds the packets of a segment that was encoded with the same settings and stored, `count` frames.
    /// - Parameters:
    ///   - stored: the number of frames in the file; those after the first `count` repeat others.
    ///   - body: called after each packet.
    package func add(
        _ file: PacketFile, recipe: String, count: Int, stored: Int, _ body: () throws -> Void
    ) throws {
        let reader = try PacketReader(file)
        // The track has only one header with parameter sets, so they have to be the same in all segments.
        guard reader.head == head(recipe: recipe, count: stored) else { throw file.isForeign }
        let first = self.count ?? 0
        var added = 0
        while added < count || stored == count,
            let packet = try clocks.muxing.measure({ () throws(MediaError) in try reader.next() })
        {
            guard let frame = packet.presentationTime, frame < count else { throw file.isForeign }
            try placeEncoded(packet, at: first + frame)
            added += 1
            try body()
        }
        guard self.count == first + count else { throw file.isForeign }
    }

    /// The head of a file in which packets of this track's encoder are stored.
    func head(recipe: String, count: Int) -> PacketFile.Head {
        let encoder = video.encoder
        let header = splicing == nil ? header ?? encoder.header : encoder.header
        return PacketFile.Head(recipe: recipe, header: header, reorderDepth: encoder.reorderDepth, count: count)
    }

    /// Ends the track after its last stretch.
    /// - Returns: what it consists of; nil if its packets have the encoder's own times.
    package func finish() throws -> SplicedVideo? {
        try endEncoding()
        guard let order else { return nil }
        do throws(PacketOrder.Fault) {
            return try order.track()
        } catch {
            throw SpliceFailure(error.reason)
        }
    }

    // MARK: Encoding

    private func beginEncoding() throws {
        defer { state = .encoding }
        guard state == .drained else { return }
        video = try makeEncoder()
        guard video.encoder.header == splicing?.encoderHeader else {
            throw SpliceFailure("the encoder changed its parameter sets")
        }
    }

    /// Ends a stretch of encoded frames, if there is one.
    private func endEncoding() throws {
        guard state == .encoding else { return }
        state = .drained
        try send(nil)
        if let gap = held?.gap(before: nil) { try fill(gap) }
    }

    private func send(_ frame: Frame?) throws {
        let encoder = video.encoder
        try clocks.encoding.measure { () throws(MediaError) in try encoder.send(frame) }
        while let packet = try clocks.encoding.measure({ () throws(MediaError) in try encoder.receive() }) {
            try receive(packet)
        }
    }

    private func receive(_ packet: Packet) throws {
        guard order != nil else {
            // Not every encoder states durations; without one the last frame would have no length.
            if packet.duration == nil { packet.setDuration(1) }
            return try emit(packet)
        }
        // Some encoders end with an empty packet that carries a changed header, for muxers that go back to rewrite
        // theirs. A track that is joined with copied packets has one header, which must not change.
        if packet.bytes.isEmpty, splicing == nil { return }
        guard let frame = packet.presentationTime else {
            throw SpliceFailure("the encoder wrote a packet without a time stamp")
        }
        if let gap = held?.gap(before: frame) { try fill(gap) }
        if held?.note(packet, frame: frame) == false {
            throw SpliceFailure("the encoder wrote a slice that can't be parsed")
        }
        try placeEncoded(packet, at: frame)
    }

    /// Adds a packet of an encoder, rewritten to go with those of the clips if there are any.
    private func placeEncoded(_ packet: Packet, at frame: Int) throws {
        guard splicing != nil else { return try place(packet, at: frame, isStart: packet.isKey) }
        guard let (bytes, isKey) = splicing?.rewriter.rewritten(packet.bytes, isStart: false) else {
            throw SpliceFailure("the encoder gave a packet of a kind that is not copied")
        }
        let whole = try splicing?.carrier?.added(to: bytes, at: frame) ?? bytes
        let copy = try Packet(whole)
        copy.setFlags(isKey: isKey)
        try place(copy, at: frame, isStart: isKey)
    }

    /// Adds packets that repeat the picture before `gap`. All frames before it have their packets, since a keyframe
    /// follows it.
    private func fill(_ gap: Range<Int>) throws {
        guard order?.count == gap.lowerBound else {
            throw SpliceFailure("the encoder gave \(order?.count ?? 0) packets for \(gap.lowerBound) frames")
        }
        for frame in gap {
            guard let bytes = held?.repeated() else {
                throw SpliceFailure("the encoder wrote no reference picture to repeat")
            }
            try place(try Packet(bytes), at: frame, isStart: false)
        }
    }

    private func place(_ packet: Packet, at frame: Int, isStart: Bool) throws {
        var packet = packet
        if let changed = splicing?.pictures?.toldApart(packet.bytes, isKey: packet.isKey) {
            packet = try Packet(changed)
            packet.setFlags(isKey: true)
        }
        do throws(PacketOrder.Fault) {
            try order?.place(packet, at: frame, isStart: isStart)
        } catch {
            throw SpliceFailure(error.reason)
        }
        try emit(packet)
    }

    /// The frames of a hold that repeat others, if the encoder's packets can be repeated.
    package static func repeatedFrames(of hold: Range<Int>) -> [Range<Int>] {
        HeldFrames.parts(of: hold).map(\.repeated).filter { !$0.isEmpty }
    }
}

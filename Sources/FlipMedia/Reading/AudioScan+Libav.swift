import CLibav
import FlipBase
import FlipBitstream
import FlipClip

extension AudioScan {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        self.init(
            header: parameters.codec_id == AV_CODEC_ID_AAC ? AACHeader(parameters.header) : nil,
            timeBase: Rational(stream.pointee.time_base), sampleRate: Int(parameters.sample_rate))
    }

    /// Takes the times from the index of `stream` if it lists all packets. Returns whether the packets have to be read
    /// instead; false also if the stream is no AAC that can be copied.
    mutating func needsPackets(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard isCandidate else { return false }
        let entries = Int(avformat_index_get_entries_count(stream))
        // An index that grows while the file is read is incomplete, and so is one that an edit list has changed.
        guard entries > 0, entries == Int(stream.pointee.nb_frames) else { return true }
        for index in 0..<entries {
            // Entries below the count are never nil.
            add(avformat_index_get_entry(stream, Int32(index)).map { Int($0.pointee.timestamp) })
        }
        return false
    }
}

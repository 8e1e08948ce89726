import CLibav
import FlipBase

extension InputFile {
    /// Seeks to packet `number` of a stream, counted from its first, by an index of all packets and their positions, as
    /// mp4 and mov have.
    ///
    /// - Returns: whether that packet is read next; if not, the file's position is undefined.
    func seek(toPacket number: Int, of index: Int) throws(MediaError) -> Bool {
        guard canSeek, formatName.hasPrefix("mov,mp4"), let stream = stream(index),
            Int(avformat_index_get_entries_count(stream)) == Int(stream.pointee.nb_frames),
            let entry = avformat_index_get_entry(stream, Int32(clamping: number))?.pointee
        else { return false }
        // The demuxer takes the target as a DTS or as a PTS, which is a little later than the DTS; a time halfway to
        // the next keyframe leads to this one in both cases.
        let next = av_index_search_timestamp(stream, Int64(Int(entry.timestamp).plus(1)), 0)
        let last = avformat_index_get_entries_count(stream) - 1
        let end = avformat_index_get_entry(stream, next < 0 ? last : next)?.pointee.timestamp ?? entry.timestamp
        let go = { [context] in
            let time = Int64(Int(entry.timestamp).plus(Int(end).minus(Int(entry.timestamp)) / 2))
            return av_seek_frame(context, Int32(index), time, AVSEEK_FLAG_BACKWARD) >= 0
        }
        // Some keyframes are not found that way, so read the packet to check, then seek again.
        let packet = try Packet()
        guard go(), case .packet = try read(into: packet, stream: index), packet.pointer.pointee.pos == entry.pos,
            packet.pointer.pointee.dts == entry.timestamp
        else { return false }
        return go()
    }
}

import CLibav

extension InputFile {
    /// Goes to packet `number` of a stream, counted from the file's first, by an index that has all packets and where they
    /// lie, as mp4 and mov do.
    ///
    /// - Returns: whether that packet is the next one to be read; where it isn't, the file is at no place in particular.
    func seek(toPacket number: Int, of index: Int) throws(MediaError) -> Bool {
        guard canSeek, formatName.hasPrefix("mov,mp4"), let stream = stream(index),
            Int(avformat_index_get_entries_count(stream)) == Int(stream.pointee.nb_frames),
            let entry = avformat_index_get_entry(stream, Int32(clamping: number))?.pointee
        else { return false }
        // Times to go to are taken as times of decoding or of showing, which lie a little later: halfway to the next keyframe
        // both lead to this one.
        let next = av_index_search_timestamp(stream, Int64(Int(entry.timestamp).plus(1)), 0)
        let last = avformat_index_get_entries_count(stream) - 1
        let end = avformat_index_get_entry(stream, next < 0 ? last : next)?.pointee.timestamp ?? entry.timestamp
        let go = { [context] in
            let time = Int64(Int(entry.timestamp).plus(Int(end).minus(Int(entry.timestamp)) / 2))
            return av_seek_frame(context, Int32(index), time, AVSEEK_FLAG_BACKWARD) >= 0
        }
        // Some keyframes are not found that way.
        let packet = try Packet()
        guard go(), case .packet = try read(into: packet, stream: index), packet.pointer.pointee.pos == entry.pos,
            packet.pointer.pointee.dts == entry.timestamp
        else { return false }
        return go()
    }
}

import FlipBase

/// What a finished file holds, found by reading all of it and decoding it.
package struct OutputCheck: Sendable {
    /// What is decoded of the video; audio is always decoded.
    package enum Depth {
        case everyFrame
        /// Keyframes only, which are those that need no other. Decoding a film of slides that hardly move takes a fifth
        /// of the time in which it was made; this takes a fiftieth.
        case keyframes
    }

    /// The number of frames; if only keyframes were decoded, that of packets.
    package let videoFrames: Int
    /// The coded width of the video, in pixels.
    package let width: Int
    /// The coded height of the video, in pixels.
    package let height: Int
    package let audioTracks: Int
    /// The number of damaged packets and frames in all tracks together.
    package let errors: Int

    /// The containers whose files this FFmpeg writes but can't read back.
    private static let unreadable = ["rawvideo", "framemd5", "webp"]

    /// Whether files of the container can be decoded.
    package static func canRead(_ container: Container) -> Bool { !unreadable.contains(container.name) }

    /// Reads the file at `path`. Throws `io` if it has no video.
    package init(of path: String, decoding depth: Depth, threads: Int) throws(MediaError) {
        let file = try InputFile(path: path)
        guard let stream = file.videoStream else { throw MediaError(.io, "there is no video in '\(path)'") }
        width = Int(stream.pointee.codecpar.pointee.width)
        height = Int(stream.pointee.codecpar.pointee.height)
        let tracks = file.audioStreams
        let video = try Self.decode(path, Int(stream.pointee.index), depth, threads)
        var errors = video.errors
        for track in tracks { errors += try Self.decode(path, Int(track.pointee.index), .everyFrame, 1).errors }
        videoFrames = video.frames
        audioTracks = tracks.count
        self.errors = errors
    }

    private static func decode(
        _ path: String, _ stream: Int, _ depth: Depth, _ threads: Int
    ) throws(MediaError) -> (frames: Int, errors: Int) {
        let reader = try StreamReader(
            path: path, streamIndex: stream, threads: threads, onlyKeyframes: depth == .keyframes)
        var frames = 0
        while try reader.next() != nil { frames += 1 }
        let errors = reader.errorCount + (reader.isCutOff || frames == 0 ? 1 : 0)
        return (depth == .keyframes ? reader.packetCount : frames, errors)
    }
}

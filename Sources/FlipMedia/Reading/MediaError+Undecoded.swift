import FlipBase

extension MediaError {
    /// The error for a video stream of which no picture can be decoded.
    /// - Parameters:
    ///   - stream: the stream's name and file, such as "stream 0 (h264) of 'a.mp4'".
    ///   - complaint: what libav's log says; nil if it says nothing.
    ///   - hint: the end of the sentence if the reason isn't a picture's size.
    package static func undecoded(_ stream: String, _ complaint: String?, hint: String = "") -> MediaError {
        // FFmpeg's own limit is 2^28 pixels, its margins included (`av_image_check_size2`).
        if let size = complaint?.firstMatch(of: /Picture size (\d+x\d+) is invalid/)?.1 {
            return MediaError(
                .badInput,
                "\(stream) has pictures of \(size) pixels, which is more than FFmpeg decodes (make them smaller first, for "
                    + "example with 'vipsthumbnail --size 8000x8000')")
        }
        if complaint?.contains("exceeds specified max pixel count") == true {
            return MediaError(
                .badInput,
                "\(stream) has pictures of more than \(InputLimits.maxPixels) pixels (--max-pixels sets the limit)")
        }
        return MediaError(
            .badInput, "no picture could be decoded from \(stream)" + (complaint.map { ": \($0)" } ?? "") + hint)
    }
}

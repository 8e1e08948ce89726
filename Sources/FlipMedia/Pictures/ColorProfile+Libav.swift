import CLibav
import FlipBase
import FlipClip

extension ColorProfile {
    /// The profile that was read last, since a picture's is asked for several times.
    private static let last = Mutex<(bytes: [UInt8], profile: ColorProfile)?>(nil)

    /// The profile of a frame; nil if it has none.
    init?(of frame: AVFrame) {
        let bytes: [UInt8]? = withUnsafePointer(to: frame) { frame in
            guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE)?.pointee, let base = data.data
            else { return nil }
            return Array(UnsafeBufferPointer(start: base, count: Int(data.size)))
        }
        guard let bytes else { return nil }
        self = Self.last.withLock { last in
            if let last, last.bytes == bytes { return last.profile }
            let profile = ColorProfile(bytes)
            last = (bytes, profile)
            return profile
        }
    }

    /// The way to sRGB for a picture of `format`, whose components are inks if `isInks`; nil if there is none, or if the
    /// profile is for pictures of another kind.
    func change(of format: PixelFormat, isInks: Bool = false) -> ProfileChange? {
        switch change?.components {
        case 1: format.components == .gray ? change : nil
        case 3: isInks ? nil : change
        default: isInks ? change : nil
        }
    }
}

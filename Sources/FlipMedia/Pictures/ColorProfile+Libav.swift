import CLibav
import FlipClip

extension ColorProfile {
    init?(of frame: AVFrame) {
        let bytes: [UInt8]? = withUnsafePointer(to: frame) { frame in
            guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE)?.pointee, let base = data.data
            else { return nil }
            return Array(UnsafeBufferPointer(start: base, count: Int(data.size)))
        }
        guard let bytes else { return nil }
        self.init(bytes)
    }
}

import CLibav
import FlipBase
import FlipClip

extension FrameMetadata {
    static func all(of frame: AVFrame) -> Set<FrameMetadata> {
        withUnsafePointer(to: frame) { frame in
            var found: Set<FrameMetadata> = []
            if av_frame_get_side_data(frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS) != nil { found.insert(.hdr10Plus) }
            if av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_METADATA) != nil
                || av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_RPU_BUFFER) != nil
            {
                found.insert(.dolbyVision)
            }
            return found
        }
    }
}

extension HDRMetadata {
    /// Returns nil if neither the stream nor its first frame has HDR metadata.
    init?(stream: UnsafeMutablePointer<AVStream>, frame: Frame) {
        let mastering = flip_mastering_display(stream, frame.pointer).flatMap { MasteringDisplay($0.pointee) }
        let contentLight = flip_content_light(stream, frame.pointer).map {
            ContentLight(maximum: Int($0.pointee.MaxCLL), maximumAverage: Int($0.pointee.MaxFALL))
        }
        if mastering == nil, contentLight == nil { return nil }
        self.init(mastering: mastering, contentLight: contentLight)
    }
}

extension HDRMetadata.MasteringDisplay {
    /// Returns nil if primaries or luminance are missing: no format stores one without the other.
    fileprivate init?(_ data: AVMasteringDisplayMetadata) {
        guard data.has_primaries != 0, data.has_luminance != 0 else { return nil }
        let point = { (x: AVRational, y: AVRational) in Chromaticity(x: Rational(x), y: Rational(y)) }
        let primaries = data.display_primaries
        self.init(
            red: point(primaries.0.0, primaries.0.1), green: point(primaries.1.0, primaries.1.1),
            blue: point(primaries.2.0, primaries.2.1), white: point(data.white_point.0, data.white_point.1),
            darkest: Rational(data.min_luminance), brightest: Rational(data.max_luminance))
    }

    fileprivate func fill(_ data: UnsafeMutablePointer<AVMasteringDisplayMetadata>) {
        data.pointee.display_primaries = (
            (red.x.raw, red.y.raw), (green.x.raw, green.y.raw), (blue.x.raw, blue.y.raw)
        )
        data.pointee.white_point = (white.x.raw, white.y.raw)
        data.pointee.min_luminance = darkest.raw
        data.pointee.max_luminance = brightest.raw
        data.pointee.has_primaries = 1
        data.pointee.has_luminance = 1
    }
}

/// Writing: the metadata goes into the container.
extension HDRMetadata {
    func attach(to stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        if let mastering {
            guard let data = flip_add_mastering_display(stream) else { throw .outOfMemory }
            mastering.fill(data)
        }
        if let contentLight {
            guard let data = flip_add_content_light(stream) else { throw .outOfMemory }
            data.pointee.MaxCLL = UInt32(clamping: contentLight.maximum)
            data.pointee.MaxFALL = UInt32(clamping: contentLight.maximumAverage)
        }
    }
}

import CLibav
import FlipBase

/// A kind of dynamic HDR metadata, which may change from frame to frame. It is written to outputs into which packets are copied.
package enum FrameMetadata: String, Sendable, Hashable {
    case hdr10Plus = "HDR10+"
    case dolbyVision = "Dolby Vision"
}

/// Static HDR metadata: the display that a video was graded on and its own light levels. It is carried from inputs to
/// the output.
package struct HDRMetadata: Sendable, Hashable, Encodable {
    /// The mastering display (SMPTE ST 2086); nil if unknown.
    package var mastering: MasteringDisplay?
    /// The content light level (CTA-861.3 annex P); nil if unknown.
    package var contentLight: ContentLight?

    package struct MasteringDisplay: Sendable, Hashable, Encodable {
        /// CIE 1931 x and y coordinates.
        package struct Chromaticity: Sendable, Hashable, Encodable {
            package var x: Rational
            package var y: Rational
        }

        package var red: Chromaticity
        package var green: Chromaticity
        package var blue: Chromaticity
        package var white: Chromaticity
        /// The display's minimum luminance in cd/m2.
        package var darkest: Rational
        /// The display's maximum luminance in cd/m2.
        package var brightest: Rational
    }

    package struct ContentLight: Sendable, Hashable, Encodable {
        /// MaxCLL: the light level of the brightest pixel, in cd/m2; 0 means unknown.
        package var maximum: Int
        /// MaxFALL: the average light level of the brightest frame, in cd/m2; 0 means unknown.
        package var maximumAverage: Int
    }

    /// The peak luminance in cd/m2: MaxCLL, else the mastering display's maximum; nil if neither is known.
    package var peakLuminance: Int? {
        if let maximum = contentLight?.maximum, maximum > 0 { return maximum }
        return mastering.map { $0.brightest.rounded() }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// This metadata for an output that also contains videos with `others`: its light levels are the highest of all.
    package func raised(to others: [HDRMetadata]) -> HDRMetadata {
        var copy = self
        for light in others.compactMap(\.contentLight) where copy.contentLight != nil {
            copy.contentLight?.maximum.raise(to: light.maximum)
            copy.contentLight?.maximumAverage.raise(to: light.maximumAverage)
        }
        return copy
    }
}

extension Int {
    fileprivate mutating func raise(to other: Int) { self = Swift.max(self, other) }
}

/// Writing: the metadata goes into the coded stream of encoders that support it.
extension HDRMetadata {
    /// The metadata as entries for the encoder's parameter list, such as `x265-params`; empty for other encoders.
    func encoderParameters(codec: String) -> [String] {
        switch codec {
        case "libx264": entries("mastering-display", "cll", scale: (50000, 10000))
        case "libx265": entries("master-display", "max-cll", scale: (50000, 10000))
        case "libsvtav1": entries("mastering-display", "content-light", scale: nil)
        default: []
        }
    }

    /// The entries with values as whole numbers in units of 1 / `scale`, or as decimals if that is nil.
    private func entries(_ display: String, _ light: String, scale: (chromaticity: Int, luminance: Int)?) -> [String] {
        var entries: [String] = []
        if let mastering {
            let number = { (value: Rational, scale: Int?) in
                scale.map { "\((value * Rational($0)).rounded())" } ?? "\(value.doubleValue)"
            }
            let point = { (name: String, at: MasteringDisplay.Chromaticity) in
                "\(name)(\(number(at.x, scale?.chromaticity)),\(number(at.y, scale?.chromaticity)))"
            }
            entries.append(
                "\(display)=" + point("G", mastering.green) + point("B", mastering.blue) + point("R", mastering.red)
                    + point("WP", mastering.white)
                    + "L(\(number(mastering.brightest, scale?.luminance)),\(number(mastering.darkest, scale?.luminance)))"
            )
        }
        if let contentLight { entries.append("\(light)=\(contentLight.maximum),\(contentLight.maximumAverage)") }
        return entries
    }
}

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
        data.pointee.display_primaries = ((red.x.raw, red.y.raw), (green.x.raw, green.y.raw), (blue.x.raw, blue.y.raw))
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

import CLibav
import FlipClip

extension ColorDescription {
    init(of frame: AVFrame) {
        self.init()
        primaries = Self.specified(frame.color_primaries.rawValue, AVCOL_PRI_UNSPECIFIED.rawValue) {
            av_color_primaries_name(frame.color_primaries)
        }
        transfer = Self.specified(frame.color_trc.rawValue, AVCOL_TRC_UNSPECIFIED.rawValue) {
            av_color_transfer_name(frame.color_trc)
        }
        matrix = Self.specified(frame.colorspace.rawValue, AVCOL_SPC_UNSPECIFIED.rawValue) {
            av_color_space_name(frame.colorspace)
        }
        chromaLocation = Self.specified(frame.chroma_location.rawValue, AVCHROMA_LOC_UNSPECIFIED.rawValue) {
            av_chroma_location_name(frame.chroma_location)
        }
        // The yuvj formats imply full range.
        let isTwin = PixelFormat.plainTwin(of: AVPixelFormat(frame.format)).rawValue != frame.format
        switch frame.color_range {
        case AVCOL_RANGE_JPEG: isFullRange = true
        case AVCOL_RANGE_MPEG: isFullRange = false
        default: isFullRange = isTwin ? true : nil
        }
        // A picture with a profile that has no name in video is converted to sRGB (`ProfileConverter`).
        if primaries == nil, let profile = ColorProfile(of: frame),
            let format = PixelFormat(AVPixelFormat(frame.format)),
            let named = profile.primaries ?? (profile.change(of: format) == nil ? nil : "bt709")
        {
            primaries = named
            transfer = transfer ?? "iec61966-2-1"
        }
    }

    private static func specified<Value: Equatable>(
        _ value: Value, _ unspecified: Value, name: () -> UnsafePointer<CChar>?
    ) -> String? {
        guard value != unspecified, let name = name() else { return nil }
        let text = String(cString: name)
        return text == "reserved" || text == "unknown" ? nil : text
    }
}

/// The properties as libav's enumeration values.
extension ColorDescription {
    var rawPrimaries: AVColorPrimaries { Self.number(primaries, av_color_primaries_from_name, AVCOL_PRI_UNSPECIFIED) }
    var rawTransfer: AVColorTransferCharacteristic {
        Self.number(transfer, av_color_transfer_from_name, AVCOL_TRC_UNSPECIFIED)
    }
    var rawMatrix: AVColorSpace { Self.number(matrix, av_color_space_from_name, AVCOL_SPC_UNSPECIFIED) }
    var rawChromaLocation: AVChromaLocation {
        Self.number(chromaLocation, av_chroma_location_from_name, AVCHROMA_LOC_UNSPECIFIED)
    }
    var rawRange: AVColorRange {
        switch isFullRange {
        case true?: AVCOL_RANGE_JPEG
        case false?: AVCOL_RANGE_MPEG
        case nil: AVCOL_RANGE_UNSPECIFIED
        }
    }

    private static func number<Value: RawRepresentable<UInt32>>(
        _ name: String?, _ look: (UnsafePointer<CChar>) -> Int32, _ unspecified: Value
    ) -> Value {
        guard let name else { return unspecified }
        let number = look(name)
        return number < 0 ? unspecified : Value(rawValue: UInt32(number)) ?? unspecified
    }

    /// Sets the color properties of a frame.
    func tag(_ frame: UnsafeMutablePointer<AVFrame>) {
        frame.pointee.color_primaries = rawPrimaries
        frame.pointee.color_trc = rawTransfer
        frame.pointee.colorspace = rawMatrix
        frame.pointee.color_range = rawRange
        frame.pointee.chroma_location = rawChromaLocation
    }
}

import COpenFX

/// One picture of the host, as long as it is lent.
struct EffectImage {
    /// The kinds of samples, by their names in the interface. Of the ones that it has, only half floats are missing.
    enum Depth: String, CaseIterable {
        case byte = "OfxBitDepthByte"
        case short = "OfxBitDepthShort"
        case float = "OfxBitDepthFloat"

        var bytes: Int {
            switch self {
            case .byte: 1
            case .short: 2
            case .float: 4
            }
        }
    }

    /// The channels of a pixel, by their names in the interface.
    enum Components: String, CaseIterable {
        case rgba = "OfxImageComponentRGBA"
        case rgb = "OfxImageComponentRGB"

        var count: Int { self == .rgba ? 4 : 3 }
    }

    /// What pictures that are drawn together have in common.
    struct Format: Equatable {
        let depth: Depth
        let components: Components

        var pixelBytes: Int { depth.bytes * components.count }
    }

    let handle: UnsafeMutableRawPointer
    let format: Format
    /// The first pixel of the lowest row, and the bytes from one row to the row above it.
    let lowest: UnsafeMutableRawPointer
    let rowBytes: Int
    /// The pixels in memory, and those that the whole picture has.
    let bounds: PixelRectangle
    let region: PixelRectangle
    /// Whether colors are multiplied by alpha; nil if the host doesn't say.
    let isPremultiplied: Bool?

    /// The picture behind a host's handle; nil if its format isn't drawn or its memory makes no sense.
    init?(_ handle: UnsafeMutableRawPointer, _ suites: Suites) {
        let properties = PropertySet(handle, suites)
        guard let depth = properties.string("OfxImageEffectPropPixelDepth").flatMap(Depth.init(rawValue:)),
            let components = properties.string("OfxImageEffectPropComponents").flatMap(Components.init(rawValue:)),
            let data = properties.pointer("OfxImagePropData"), let rowBytes = properties.int("OfxImagePropRowBytes"),
            let bounds = properties.rectangle("OfxImagePropBounds"), !bounds.isEmpty
        else { return nil }
        let format = Format(depth: depth, components: components)
        guard rowBytes.magnitude >= bounds.width * format.pixelBytes, Int(bitPattern: data) % depth.bytes == 0,
            rowBytes % depth.bytes == 0
        else { return nil }
        self.handle = handle
        self.format = format
        self.rowBytes = rowBytes
        self.bounds = bounds
        lowest = data
        // Generated pictures may be endless.
        let region = properties.rectangle("OfxImagePropRegionOfDefinition") ?? bounds
        self.region = FrameDrawer.canDraw(region) ? region : bounds
        switch (components, properties.string("OfxImageEffectPropPreMultiplication")) {
        case (.rgb, _), (.rgba, "OfxImageOpaque"), (.rgba, "OfxImageAlphaUnPremultiplied"): isPremultiplied = false
        case (.rgba, "OfxImageAlphaPremultiplied"): isPremultiplied = true
        case (.rgba, _): isPremultiplied = nil
        }
    }

    /// The address of a pixel, which must be within the bounds.
    func address(x: Int, y: Int) -> UnsafeMutableRawPointer {
        lowest + ((y - bounds.y1) * rowBytes + (x - bounds.x1) * format.pixelBytes)
    }
}

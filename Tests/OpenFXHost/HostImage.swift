import COpenFX
import Foundation
import Synchronization

/// A picture of a host, in memory of its own with a margin around it. Rows run upward.
package final class HostImage: @unchecked Sendable {
    package enum Depth: String, CaseIterable, Sendable {
        case byte = "OfxBitDepthByte"
        case short = "OfxBitDepthShort"
        case float = "OfxBitDepthFloat"

        package var bytes: Int { self == .byte ? 1 : self == .short ? 2 : 4 }
        /// The sample of full scale.
        package var peak: Double { self == .byte ? 255 : self == .short ? 65535 : 1 }
    }

    package let depth: Depth
    package let channels: Int
    /// The lowest x and y.
    package let origin: (x: Int, y: Int)
    package let width: Int
    package let height: Int
    package let properties: PropertyBag
    /// How many times the plugin has got the picture and not given it back.
    package let lent = Atomic(0)
    private let memory: UnsafeMutableRawBufferPointer
    private let lowest: UnsafeMutableRawPointer
    private let rowBytes: Int

    /// - Parameters:
    ///   - isUpsideDown: whether the rows' bytes run downward in memory, so that the interface's row bytes are negative.
    ///   - state: what the host says of alpha; nil for nothing.
    package init(
        _ depth: Depth, channels: Int = 4, width: Int, height: Int, origin: (x: Int, y: Int) = (0, 0),
        isUpsideDown: Bool = false, state: String? = "OfxImageAlphaUnPremultiplied"
    ) {
        (self.depth, self.channels, self.width, self.height, self.origin) = (depth, channels, width, height, origin)
        let stride = (width + 5) * channels * depth.bytes
        memory = .allocate(byteCount: stride * (height + 2), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: HostImage.mark)
        let first = memory.baseAddress! + stride + 2 * channels * depth.bytes
        lowest = isUpsideDown ? first + (height - 1) * stride : first
        rowBytes = isUpsideDown ? -stride : stride
        let bounds = [origin.x, origin.y, origin.x + width, origin.y + height].map { PropertyBag.Value.int(Int32($0)) }
        properties = PropertyBag([
            "OfxPropType": [.string("OfxTypeImage")],
            "OfxImageEffectPropPixelDepth": [.string(depth.rawValue)],
            "OfxImageEffectPropComponents": [
                .string(channels == 4 ? "OfxImageComponentRGBA" : "OfxImageComponentRGB")
            ],
            "OfxImagePropData": [.pointer(UInt(bitPattern: lowest))],
            "OfxImagePropRowBytes": [.int(Int32(rowBytes))],
            "OfxImagePropBounds": bounds, "OfxImagePropRegionOfDefinition": bounds,
        ])
        properties.image = self
        if let state { properties["OfxImageEffectPropPreMultiplication"] = [.string(state)] }
    }

    deinit { memory.deallocate() }

    private static let mark: UInt8 = 0x5A

    /// Whether nothing was written but the pixels.
    package var isIntact: Bool {
        let pixelBytes = channels * depth.bytes
        var inside = Set<Int>()
        for y in 0..<height {
            let start = lowest + y * rowBytes - memory.baseAddress!
            inside.formUnion(start..<(start + width * pixelBytes))
        }
        return memory.indices.allSatisfy { inside.contains($0) || memory[$0] == HostImage.mark }
    }

    private func address(_ x: Int, _ y: Int, _ channel: Int) -> UnsafeMutableRawPointer {
        // Callers count rows from the top.
        lowest + ((height - 1 - y) * rowBytes + (x * channels + channel) * depth.bytes)
    }

    /// The sample at column `x` of row `y` from the top: 0...255, 0...65535, or a float.
    package subscript(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        get {
            let place = address(x, y, channel)
            switch depth {
            case .byte: return Double(place.load(as: UInt8.self))
            case .short: return Double(place.load(as: UInt16.self))
            case .float: return Double(place.load(as: Float.self))
            }
        }
        set {
            let place = address(x, y, channel)
            switch depth {
            case .byte: place.storeBytes(of: UInt8(newValue), as: UInt8.self)
            case .short: place.storeBytes(of: UInt16(newValue), as: UInt16.self)
            case .float: place.storeBytes(of: Float(newValue), as: Float.self)
            }
        }
    }

    /// All samples, row after row from the top.
    package var samples: [Double] {
        var result: [Double] = []
        result.reserveCapacity(width * height * channels)
        for y in 0..<height {
            for x in 0..<width { for channel in 0..<channels { result.append(self[x, y, channel]) } }
        }
        return result
    }
}

import FlipBase
import FlipMedia
import Testing

/// Frames that are uploaded to a device arrive there as they are. Encoders need devices that few machines have; a Vulkan
/// device, which can be software (Mesa's lavapipe), shows that uploading works.
@Suite struct DeviceFramesTests {
    private static let type = "vulkan"
    private static let (width, height) = (70, 38)

    private static func device(_ pixelFormat: String, type: String = type) throws -> DeviceFrames {
        try DeviceFrames(
            ofType: type, pixelFormat: #require(PixelFormat(name: pixelFormat)), width: width, height: height)
    }

    private static let hasDevice = (try? device("nv12")) != nil

    /// Sample `x`, `y` of plane `plane` of frame `index`, in 0...1023.
    private static func sample(_ plane: Int, _ x: Int, _ y: Int, _ index: Int) -> Int {
        (x * 7 + y * 31 + plane * 97 + index * 13) % 1024
    }

    /// The frame in planes of 8 or 10 bits.
    private func frame(_ index: Int, depth: Int) throws -> VideoFrame {
        let format = try #require(PixelFormat(name: depth == 8 ? "yuv420p" : "yuv420p10le"))
        let pool = try FramePool(width: Self.width, height: Self.height, pixelFormat: format, color: ColorDescription())
        let frame = try pool.make()
        for plane in 0..<3 {
            let (base, stride) = frame.plane(plane)
            let size = frame.planeSize(plane)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let value = Self.sample(plane, x, y, index)
                    if depth == 8 {
                        base.storeBytes(of: UInt8(value / 4), toByteOffset: y * stride + x, as: UInt8.self)
                    } else {
                        base.storeBytes(of: UInt16(value), toByteOffset: y * stride + 2 * x, as: UInt16.self)
                    }
                }
            }
        }
        return frame
    }

    /// The bytes of the frame as nv12, or as p010le, which has its 10 bits at the upper end of 16.
    private func expected(_ index: Int, depth: Int) -> [UInt8] {
        let put = { (value: Int) -> [UInt8] in
            depth == 8 ? [UInt8(value / 4)] : [UInt8(value << 6 & 0xff), UInt8(value >> 2)]
        }
        var bytes: [UInt8] = []
        for y in 0..<Self.height {
            for x in 0..<Self.width { bytes += put(Self.sample(0, x, y, index)) }
        }
        for y in 0..<Self.height / 2 {
            for x in 0..<Self.width / 2 { bytes += put(Self.sample(1, x, y, index)) + put(Self.sample(2, x, y, index)) }
        }
        return bytes
    }

    @Test(
        .enabled(if: hasDevice, "there is no Vulkan device (mesa-vulkan-drivers has one in software)"),
        arguments: [("nv12", 8), ("p010le", 10)])
    func uploadedFramesAreTheSame(pixelFormat: String, depth: Int) throws {
        let device = try Self.device(pixelFormat)
        let format = try #require(PixelFormat(name: pixelFormat))
        // A raw video's packets are its frames' bytes.
        let raw = try VideoEncoder(
            VideoEncoding(
                codec: "rawvideo", pixelFormat: format, width: Self.width, height: Self.height, frameRate: Rational(25),
                color: ColorDescription(), threads: 1),
            in: #require(Container.named("nut")), hasGlobalHeader: false)
        for index in 0..<12 {
            let prepared = try raw.prepared(frame(index, depth: depth), index: index)
            let uploaded = try device.upload(prepared)
            try raw.encoder.send(device.download(uploaded))
            let packet = try #require(try raw.encoder.receive())
            #expect(packet.presentationTime == index)
            let bytes = Array(packet.bytes)
            let isSame = bytes == expected(index, depth: depth)
            #expect(isSame, "frame \(index) of \(bytes.count) bytes")
        }
    }

    /// What is missing is said in libav's words.
    @Test func missingDevicesAreNamed() throws {
        let unknown = #expect(throws: MediaError.self) { try Self.device("nv12", type: "abacus") }
        #expect(unknown?.kind == .missingCodec && unknown?.message.contains("'abacus'") == true)
    }
}

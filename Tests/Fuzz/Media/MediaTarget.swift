import FuzzSupport

/// Any bytes as a media file, on its way from the demuxer to the drawn frame.
enum MediaTarget {
    static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        let path = MediaPath(of: bytes)
        try? path.join()
        path.checkFolder()
    }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    MediaTarget.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}

import FlipBase
import FlipFiles

/// Pictures of four inks (CMYK): JPEG (ITU-T T.81) and TIFF (TIFF 6.0, section 16). libav's decoders mix the inks to R'G'B'
/// by themselves, and lose what a color profile could tell. They don't in a copy of the file that doesn't say that it has
/// inks: what they take for luma, chroma and alpha, or for red, green, blue and alpha, then are the inks.
struct InkPicture {
    /// How the samples of cyan, magenta, yellow and black are stored.
    enum Coding {
        /// As amounts of ink.
        case plain
        /// The largest sample is no ink, as in Adobe's JPEG files.
        case inverted
        /// Cyan, magenta and yellow as luma and chroma of R'G'B', and black inverted: YCCK in Adobe's JPEG files.
        case luma
    }

    /// The copy for libav.
    let file: NamelessFile
    let coding: Coding

    /// The largest file that is copied, in bytes.
    private static let maximumSize = 1 << 30

    /// - Returns: nil for files that aren't pictures of four inks.
    init?(_ location: String) throws(MediaError) {
        guard let start = Files.start(of: location, 4, ofAtMost: Self.maximumSize) else { return nil }
        let isTIFF = start == [0x49, 0x49, 42, 0] || start == [0x4D, 0x4D, 0, 42]
        guard isTIFF || start.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        // Where the headers of TIFF lie is up to the file; those of JPEG come first, after a preview and a profile.
        let known = isTIFF ? .max : 1 << 24
        guard var bytes = Files.start(of: location, known, ofAtMost: Self.maximumSize) else { return nil }
        if !isTIFF, Self.jpeg(&bytes) != nil {
            guard let all = Files.start(of: location, .max, ofAtMost: Self.maximumSize) else { return nil }
            bytes = all
        }
        guard let coding = isTIFF ? Self.tiff(&bytes) : Self.jpeg(&bytes) else { return nil }
        self.coding = coding
        file = try NamelessFile()
        try file.append(bytes)
    }

    /// Removes the marks of CMYK from a JPEG file.
    /// - Returns: the coding; nil if the file has other than four components.
    private static func jpeg(_ bytes: inout [UInt8]) -> Coding? {
        var coding = Coding.plain
        var names: [UInt8] = []
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let (marker, body) = (bytes[place + 1], place + 4)
            // Any number of bytes may fill the space before a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            guard end <= bytes.count, end >= body else { return nil }
            switch marker {
            // The frame's header: precision, height, width, and three bytes for each component.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard end >= body + 18, bytes[body + 5] == 4 else { return nil }
                names = (0..<4).map { bytes[body + 6 + 3 * $0] }
                for index in 0..<4 { bytes[body + 6 + 3 * index] = UInt8(index + 1) }
            case 0xEE where end >= body + 12 && bytes[body..<body + 5].elementsEqual("Adobe".utf8):
                coding = bytes[body + 11] == 2 ? .luma : .inverted
                // Nothing knows a marker of this name.
                bytes[body] = UInt8(ascii: "a")
            case 0xDA:
                guard names.count == 4 else { return nil }
                rename(names, from: place, in: &bytes)
                return coding
            default: break
            }
            place = end
        }
        return nil
    }

    /// Numbers the components in the headers of all scans from 1. libav knows inks by the names "CMYK", too.
    private static func rename(_ names: [UInt8], from start: Int, in bytes: inout [UInt8]) {
        guard names != [1, 2, 3, 4] else { return }
        // In coded data, 0xFF is followed by zero or by the number of a restart.
        for place in start..<max(start, bytes.count - 5) where bytes[place] == 0xFF && bytes[place + 1] == 0xDA {
            let count = Int(bytes[place + 4])
            guard count <= 4, place + 5 + 2 * count <= bytes.count else { continue }
            for index in 0..<count {
                let name = place + 5 + 2 * index
                if let number = names.firstIndex(of: bytes[name]) { bytes[name] = UInt8(number + 1) }
            }
        }
    }

    /// Has the first picture of a TIFF file called R'G'B' with a fourth component.
    /// - Returns: the coding; nil if the picture isn't CMYK.
    private static func tiff(_ bytes: inout [UInt8]) -> Coding? {
        let isLittle = bytes.first == 0x49
        let number = { [bytes] (place: Int, count: Int) -> Int? in
            guard place >= 0, place + count <= bytes.count else { return nil }
            let digits = bytes[place..<place + count]
            return isLittle
                ? digits.reversed().reduce(0) { $0 << 8 | Int($1) } : digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        var (photometric, components, inks): (Int?, Int?, Int) = (nil, nil, 1)
        for entry in (0..<count).map({ directory + 2 + 12 * $0 }) {
            guard let tag = number(entry, 2), let value = number(entry + 8, 2) else { return nil }
            switch tag {
            case 262: if value == 5 { photometric = entry + 8 }
            case 277: components = value
            case 332: inks = value
            default: break
            }
        }
        // InkSet 1 is CMYK. PhotometricInterpretation 5 stands for inks, 2 for R'G'B'.
        guard let photometric, components == 4, inks == 1 else { return nil }
        bytes[photometric + (isLittle ? 0 : 1)] = 2
        return .plain
    }
}

extension InkPicture {
    /// The inks of a decoded picture: cyan, magenta, yellow and black.
    func components(
        _ frame: Frame, _ shape: PictureShape, _ threads: Int
    ) throws(MediaError) -> [ProfileConverter.Component] {
        let inverted = [coding == .inverted, coding == .inverted, coding == .inverted, coding != .plain]
        guard shape.pixelFormat.components == .yuv, coding != .luma, let full = PixelFormat(name: "yuva444p") else {
            let format = PixelFormat.planarRGB(depth: shape.pixelFormat.depth > 8 ? 16 : 8, hasAlpha: true)
            let picture = try ProfileConverter.planar(frame, shape, as: format, threads)
            // libav's planes are green, blue, red and alpha.
            return zip([2, 0, 1, 3], inverted).map {
                ProfileConverter.Component(picture: picture, plane: $0, isInverted: $1)
            }
        }
        let picture = try ProfileConverter.planar(frame, shape, as: full, threads)
        return (0..<4).map { ProfileConverter.Component(picture: picture, plane: $0, isInverted: inverted[$0]) }
    }
}

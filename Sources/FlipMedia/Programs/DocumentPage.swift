import CLibav

/// A page of a PDF as a picture: drawn by poppler when it is needed, at the size it is needed in.
///
/// Poppler is run as a program: a page that crashes it or never ends costs that page, and its memory goes with it.
package struct DocumentPage: Sendable, Hashable, Encodable {
    /// As the user knows it.
    package let document: String
    /// Of the slide as its document counts it, from 1.
    package let number: Int
    /// The page that is drawn, from 1: fewer than the slides where some are hidden.
    private let page: Int
    /// Pixels that it is drawn in.
    package let width: Int
    package let height: Int
    /// The document as the system knows it.
    let location: String
    /// Keeps a converted document where it is.
    private let keeper: NamelessFile?

    private enum CodingKeys: CodingKey {
        case document, number, width, height
    }

    /// - Throws: `badInput` where it has more pixels than the limit.
    package init(
        document: String, location: String, keeper: NamelessFile? = nil, page: Int, number: Int, width: Int,
        height: Int
    ) throws(MediaError) {
        guard width <= InputLimits.maxPixels / max(height, 1) else {
            throw MediaError(
                .badInput,
                "page \(number) of '\(document)' would be drawn in \(width)x\(height), which is more than "
                    + "\(InputLimits.maxPixels) pixels (--max-pixels sets the limit)")
        }
        self.document = document
        self.location = location
        self.keeper = keeper
        self.page = page
        self.number = number
        self.width = width
        self.height = height
    }

    /// What it is called as an input.
    package var name: String { "\(document)#page=\(number)" }

    /// What its picture will be like, which needs no drawing.
    package var info: MediaInfo {
        guard let format = PixelFormat(name: "rgb24") else { preconditionFailure("libav knows no rgb24") }
        var info = MediaInfo(
            path: name, format: "pdf", byteCount: 0,
            video: VideoInfo(
                streamIndex: 0, codec: "ppm", profile: nil, width: width, height: height,
                sampleAspectRatio: Rational(1), transform: .identity, displayWidth: width, displayHeight: height,
                pixelFormat: format, colour: ColorDescription(), hdr: nil, frameRate: Rational(25),
                isVariableFrameRate: false, isInterlaced: false, frameCount: 1, start: .zero,
                duration: Rational(1, 25), isStill: true, seekPoints: []),
            audio: nil, audioTrackCount: 0, title: nil, chapters: [], ignoredStreams: [])
        info.page = self
        return info
    }

    /// Draws it.
    func draw() throws(MediaError) -> NamelessFile {
        let file = try NamelessFile()
        var limits = HelperProgram.Limits()
        limits.fileBytes = 3 * width * height + 1024
        try HelperProgram.pdftoppm.run(
            [
                "-q", "-cropbox", "-f", "\(page)", "-l", "\(page)", "-scale-to-x", "\(width)", "-scale-to-y",
                "\(height)",
                // Without it the size is that of the page before its /Rotate, which would squash and cut a page on its side.
                "-scale-dimension-before-rotation", location,
            ], for: name, into: file, limits: limits)
        if file.byteCount < limits.fileBytes - 1024, !file.hasRoom {
            throw MediaError(
                .io, "page \(number) of '\(document)' cannot be drawn: no space left in \(NamelessFile.folder)")
        }
        guard file.byteCount > 0 else {
            throw MediaError(.badInput, "'\(document)' has no page \(number) that can be drawn")
        }
        return file
    }
}

import FlipBase
import FlipFiles

/// A page of a PDF as a picture, which poppler draws when it is needed, at the size that is needed; or several, drawn
/// together.
///
/// Poppler runs in a process of its own: a page that crashes it or never ends costs only that page, and its memory is
/// freed with it.
package struct DocumentPage: Sendable, Hashable, Encodable {
    /// The document's path as the user gave it.
    package let document: String
    /// The number of the slide in the document, from 1.
    package let number: Int
    /// The page of the PDF that is drawn, from 1. It is lower than `number` where slides before it are hidden.
    private let page: Int
    /// The size in pixels at which the page is drawn.
    package let width: Int
    package let height: Int
    /// What the document says of itself, as the tags of a media file, such as "title".
    let tags: [String: String]
    /// The path at which the PDF can be opened.
    package let location: String
    /// Keeps the file of a converted document open; nil where the user's own file is read.
    private let keeper: NamelessFile?
    /// Draws what consists of several pages into a PPM file; nil for one page.
    private let drawing: Drawing?

    private struct Drawing: Sendable, Hashable {
        let name: String
        let draw: @Sendable () throws(MediaError) -> NamelessFile

        // One run binds pages in one way only, so that names tell spreads apart.
        static func == (left: Drawing, right: Drawing) -> Bool { left.name == right.name }

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    private enum CodingKeys: CodingKey {
        case document, number, width, height
    }

    /// - Throws: `badInput` where the page has more pixels than the limit.
    package init(
        document: String, location: String, keeper: NamelessFile? = nil, tags: [String: String] = [:], page: Int,
        number: Int, width: Int, height: Int
    ) throws(MediaError) {
        guard width <= InputLimits.maxPixels / max(height, 1) else {
            throw MediaError(
                .badInput,
                "page \(number) of '\(document)' would be drawn in \(width)x\(height), which is more than "
                    + "\(InputLimits.maxPixels) pixels (--max-pixels sets the limit)")
        }
        (self.document, self.location, self.keeper, self.tags) = (document, location, keeper, tags)
        (self.page, self.number, self.width, self.height) = (page, number, width, height)
        drawing = nil
    }

    /// A picture of `width` x `height` pixels that `draw` puts together from pages and other pictures. It is number `number`
    /// of those that belong to `document`.
    /// - Parameter name: its name as an input, which tells it from others of the same document and size.
    package init(
        drawnFor document: String, tags: [String: String] = [:], number: Int, width: Int, height: Int, name: String,
        draw: @escaping @Sendable () throws(MediaError) -> NamelessFile
    ) {
        (self.document, self.number, self.width, self.height, self.tags) = (document, number, width, height, tags)
        (location, keeper, page) = (document, nil, number)
        drawing = Drawing(name: name, draw: draw)
    }

    /// The page's name as an input.
    package var name: String { drawing?.name ?? "\(document)#page=\(number)" }

    /// The description of the picture, which is made without drawing it.
    package var video: VideoInfo {
        VideoInfo(
            streamIndex: 0, codec: "ppm", profile: nil, width: width, height: height, sampleAspectRatio: Rational(1),
            transform: .identity, displayWidth: width, displayHeight: height, pixelFormat: .rgb24,
            color: ColorDescription(), hdr: nil, frameRate: Rational(25), isVariableFrameRate: false,
            isInterlaced: false, frameCount: 1, start: .zero, duration: Rational(1, 25), isStill: true, seekPoints: [])
    }

    /// Draws the page into a PPM file.
    package func draw() throws(MediaError) -> NamelessFile {
        if let drawing { return try drawing.draw() }
        if let file = Self.hashed.withLock({ $0.first { $0.page == self }?.file }) { return file }
        return try drawAnew()
    }

    /// The pages whose hashes were taken last. What is drawn is what was hashed, and each is needed twice where segments are
    /// rendered on their own: for the transitions before and after it.
    private static let hashed = Mutex<[(page: DocumentPage, file: NamelessFile)]>([])
    private static let mostHashed = 4

    /// Forgets the pictures whose hashes were taken, which a run does at its end.
    package static func forget() { hashed.withLock { $0 = [] } }

    /// The hash of the picture, for which it is drawn unless `cache` has the hash already.
    /// - Parameters:
    ///   - pdf: a hash of the PDF.
    ///   - draws: whether it may be drawn.
    ///   - isUnchanged: whether the PDF still is what `pdf` is the hash of.
    /// - Returns: nil if it isn't known, or if it is put together from pages.
    package func hash(
        of pdf: String, in cache: WorkCache, draws: Bool, isUnchanged: () -> Bool
    ) throws(MediaError) -> String? {
        guard drawing == nil, let program = Surroundings.text(of: .pdftoppm), let fonts = Surroundings.fonts else {
            return nil
        }
        let key = WorkCache.key(["page", pdf, "\(page) \(width)x\(height)", program, fonts])
        if let known = cache.take(.pages, key) { return String(decoding: known, as: UTF8.self) }
        if !draws { return nil }
        let file = try drawAnew()
        guard let hash = SHA256.hash(file: file.location), isUnchanged() else { return nil }
        Self.hashed.withLock { $0 = $0.suffix(Self.mostHashed - 1) + [(self, file)] }
        cache.put(.pages, key, Array(hash.utf8))
        return hash
    }

    private func drawAnew() throws(MediaError) -> NamelessFile {
        let file = try NamelessFile()
        let limits = HelperProgram.Limits(fileBytes: 3 * width * height + 1024)
        try HelperProgram.pdftoppm.run(
            [
                "-q", "-cropbox", "-f", "\(page)", "-l", "\(page)", "-scale-to-x", "\(width)", "-scale-to-y",
                "\(height)",
                // Without this option, the size applies to the page before its /Rotate, which would distort and crop a
                // page on its side.
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

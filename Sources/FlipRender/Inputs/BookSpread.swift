import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipSamples

/// A spread of a bound book, as a page that is drawn when it is needed.
package struct BookSpread: Sendable {
    /// What lies on one side.
    package enum Page: Sendable {
        case page(DocumentPage)
        /// A picture.
        case file(MediaInfo)

        fileprivate var source: InputClip.Source {
            switch self {
            case .page(let page): .page(page)
            case .file(let info): .file(info)
            }
        }

        fileprivate var name: String { source.path }

        /// The path of the document or the picture.
        fileprivate var document: String {
            switch self {
            case .page(let page): page.document
            case .file(let info): info.path
            }
        }

        /// The page in planar G'B'R', fitted to the paper of a book.
        fileprivate func read(_ layout: BookLayout) throws(MediaError) -> VideoFrame {
            guard let video = source.video else { throw MediaError(.badInput, "\(name) has nothing to show") }
            let (width, height) = layout.pageSize
            let fills =
                layout.size(ofShape: Double(video.displayWidth) / Double(video.displayHeight)) == (width, height)
            let conform = VideoConform(
                width: width, height: height, frameRate: video.frameRate, pixelFormat: .planarRGB(depth: 8),
                color: ColorDescription(), fit: fills ? .stretch : .pad, background: (1, 1, 1))
            let reader = try VideoReader(InputClip(source, ClipUse(all: video)), conform: conform, threads: 1)
            guard let frame = try reader.next() else { throw MediaError(.badInput, "\(name) has no picture") }
            return frame
        }
    }

    private let layout: BookLayout
    private let index: Int
    private let pages: [Int: Page]
    private let ground: Color

    /// - Parameters:
    ///   - index: the spread's number, from 0.
    ///   - pages: the book's pages that are seen of it, by their numbers from 0.
    ///   - ground: the color beside the book.
    package init(_ layout: BookLayout, _ index: Int, pages: [Int: Page], ground: Color) {
        (self.layout, self.index, self.pages, self.ground) = (layout, index, pages, ground)
    }

    /// The spread as an input, named after its pages.
    package var page: DocumentPage {
        let seen = pages.sorted { $0.key < $1.key }.map(\.value)
        return DocumentPage(
            drawnFor: seen.first?.document ?? "", tags: seen.first?.source.tags ?? [:], number: index + 1,
            width: layout.width, height: layout.height, name: name(seen)
        ) { () throws(MediaError) in try draw() }
    }

    private func name(_ seen: [Page]) -> String {
        if case .page(let first)? = seen.first, case .page(let last)? = seen.last, first.document == last.document,
            last.number == first.number + 1
        {
            return "\(first.name)-\(last.number)"
        }
        return seen.map(\.name).joined(separator: " and ")
    }

    private func draw() throws(MediaError) -> NamelessFile {
        var picture = BookPicture(layout, spread: index, ground: ground)
        for isBeyond in [false, true] {
            guard let place = picture.place(beyond: isBeyond), let number = place.page, let page = pages[number] else {
                continue
            }
            let frame = try page.read(layout)
            picture.put(frame.memory, at: (place.x, place.y))
        }
        let file = try NamelessFile()
        try file.append(picture.ppm())
        return file
    }
}

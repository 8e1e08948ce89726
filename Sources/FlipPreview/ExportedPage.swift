import FlipBase
import FlipGesture
import FlipMedia
import FlipGeometry
import FlipRender
import Foundation

/// A page that needs no server: pictures of every join at even steps of time, inside one file.
package struct ExportedPage {
    private let plans: SeamPlans

    /// The most pictures of a join.
    static let steps = 40
    /// The widths that are tried, from the largest on.
    static let widths = [960, 800, 640, 480, 320]
    /// The largest page, in bytes: what mail services take as an attachment is 20 to 25 MB.
    package static let limit = 20 << 20

    package init(_ plans: SeamPlans) { self.plans = plans }

    /// What the page's script reads.
    private struct Content: Encodable {
        struct Seam: Encodable {
            let name: String
            let style: String
            let milliseconds: Double
            let frames: Int
            /// The progress of each picture.
            let progress: [Double]
            /// The files of the pictures, in base 64.
            let pictures: [String]
            let isVertical: Bool
            let isBackward: Bool
        }

        let width: Int
        let height: Int
        let seams: [Seam]
    }

    /// The page's bytes, in the largest size that keeps it within the limit. Throws `usage` if there is none.
    package func data() throws -> Data {
        for width in Self.widths {
            let page = try page(width: min(width, plans.full.video.width))
            if page.count <= Self.limit { return page }
        }
        throw MediaError(
            .usage,
            "a page with \(plans.full.transitions.count) joins is larger than \(Self.limit >> 20) MiB "
                + "(export fewer clips)"
        )
    }

    private func page(width: Int) throws -> Data {
        let plan = plans.full
        let info = PreviewInfo(plans, gestureFile: nil)
        var seams: [Content.Seam] = []
        var size = 0
        for (index, spec) in plan.transitions.enumerated() {
            guard let look = spec.look else { continue }
            let pictures = try SeamPictures(try plans.plan(width: width, .jpg), join: index)
            let frames = info.seams[index].frames
            let count = min(frames + 2, Self.steps)
            let progress = (0..<count).map { spec.progress(at: Double($0) / Double(count - 1)) }
            let files = try progress.map { try Data(pictures.picture(look, progress: $0)).base64EncodedString() }
            size += files.reduce(0) { $0 + $1.utf8.count }
            if size > Self.limit { return Data(count: size) }
            seams.append(
                Content.Seam(
                    name: "\(info.seams[index].first) → \(info.seams[index].second)", style: look.asked.style.name,
                    milliseconds: info.seams[index].milliseconds, frames: frames, progress: progress, pictures: files,
                    isVertical: look.look.orientation == .vertical, isBackward: look.look.direction == .backward))
        }
        let content = try JSONEncoder().encode(Content(width: info.width, height: info.height, seams: seams))
        // A script element ends at the first "</", wherever that is.
        let safe = String(decoding: content, as: UTF8.self).replacing("</", with: "<\\/")
        let template = String(decoding: PackageResources.export_html, as: UTF8.self)
        let style = String(decoding: PackageResources.preview_css, as: UTF8.self)
        let script = String(decoding: PackageResources.export_js, as: UTF8.self)
        return Data(
            template.replacing("/*STYLE*/", with: style).replacing("/*SCRIPT*/", with: script)
                .replacing("/*CONTENT*/", with: safe).utf8)
    }
}

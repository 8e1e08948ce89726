/// How a bound book lies in a frame, spread by spread (EFFECTS 14). Pages, leaves and spreads are counted from 0.
///
/// Lengths are pixels of the frame. Positions along the motion are those of a book whose spine is to the left of its pages;
/// one that is read from right to left is its mirror image.
package struct BookLayout: Sendable, Hashable {
    /// Where the pages are bound.
    package enum Binding: Sendable {
        /// To the left of the first page.
        case leftToRight
        /// To the right of the first page.
        case rightToLeft
        /// Above each page, which is seen alone and has nothing on its back.
        case pad
    }

    /// What is asked of a book.
    package struct Form: Sendable, Hashable {
        package let binding: Binding
        /// Whether the first page is the cover, and an even last one the back cover. A pad has none.
        package let hasCover: Bool

        package init(_ binding: Binding, hasCover: Bool) { (self.binding, self.hasCover) = (binding, hasCover) }

        /// The forms, by the words for them.
        private static let all: [(text: String, form: Form)] = [
            ("ltr", Form(.leftToRight, hasCover: true)), ("rtl", Form(.rightToLeft, hasCover: true)),
            ("pad", Form(.pad, hasCover: false)), ("ltr,no-cover", Form(.leftToRight, hasCover: false)),
            ("rtl,no-cover", Form(.rightToLeft, hasCover: false)),
        ]

        package init(parsing text: String) throws(OptionError) {
            guard let row = Self.all.first(where: { $0.text == text }) else {
                throw OptionError("invalid book '\(text)' (expected \(Self.words))")
            }
            self = row.form
        }

        /// The word that `init(parsing:)` reads.
        package var text: String { Self.all.first { $0.form == self }?.text ?? "" }

        /// The values, as help and messages write them.
        package static let words = all.map(\.text).joined(separator: "|")
    }

    package let form: Form
    /// The number of pages, at least 1.
    package let pages: Int
    /// The frame's width and height.
    package let width: Int
    package let height: Int
    /// A page's length along the motion, and its breadth across it; even numbers.
    package let length: Int
    package let breadth: Int

    /// The part of the frame's breadth that a page takes at most. What stands up is nearer to the camera, and seen larger.
    private static let mostBreadth = 0.78
    /// The part of the frame's length that an open book takes at most, without the edges of its pages.
    private static let mostLength = 0.92
    /// The thickness of all leaves together, in page lengths.
    private static let thickness = 0.015

    /// A book of pages with the aspect ratio `shape`, as large as the frame allows.
    package init(_ form: Form, pages: Int, shape: Double, width: Int, height: Int) {
        (self.form, self.pages, self.width, self.height) = (form, pages, width, height)
        let isPad = form.binding == .pad
        let most = (
            length: Double(isPad ? height : width / 2) * (isPad ? Self.mostBreadth : Self.mostLength),
            breadth: Double(isPad ? width : height) * (isPad ? Self.mostLength : Self.mostBreadth)
        )
        // Length / breadth.
        let ratio = isPad ? 1 / shape : shape
        let length = min(most.length, most.breadth * ratio)
        self.length = max(2 * Int(length / 2), 2)
        breadth = max(2 * Int(length / ratio / 2), 2)
    }

    /// Whether the frame has room for the book: for pages of 16 pixels in length and breadth.
    package var isLargeEnough: Bool { length >= 16 && breadth >= 16 }

    /// The axis along which pages turn.
    package var orientation: Orientation { form.binding == .pad ? .vertical : .horizontal }
    /// Forward for a book whose spine is to the left of its pages.
    package var direction: Direction { form.binding == .rightToLeft ? .backward : .forward }
    private var isPad: Bool { form.binding == .pad }
    /// The frame's extent along the motion and across it.
    package var extent: (along: Int, across: Int) { isPad ? (height, width) : (width, height) }

    /// A page's width and height.
    package var pageSize: (width: Int, height: Int) { isPad ? (breadth, length) : (length, breadth) }

    /// The size at which something of the aspect ratio `shape` lies on a page: as large as fits, in whole pixels. What leaves less
    /// than two of them free fills the page.
    package func size(ofShape shape: Double) -> (width: Int, height: Int) {
        let page = pageSize
        let width = min(Double(page.width), Double(page.height) * shape)
        let size = (width: max(Int(width.rounded()), 1), height: max(Int((width / shape).rounded()), 1))
        return page.width - size.width <= 2 && page.height - size.height <= 2 ? page : size
    }

    /// The number of leaves. Without a cover, a blank one precedes the first page and another one follows the last.
    package var leaves: Int { isPad ? pages : form.hasCover ? (pages + 1) / 2 : (pages + 1) / 2 + 1 }
    /// The number of spreads, each of which lies open for a while.
    package var spreads: Int { isPad ? pages : form.hasCover ? pages / 2 + 1 : (pages + 1) / 2 }

    /// What is seen of the book while it rests.
    package struct Spread: Sendable, Hashable {
        /// The spine's place along the motion.
        package var spine: Int
        /// The number of leaves that have been turned.
        package var turned: Int
        /// The sides before the spine and beyond it; nil where the book is closed.
        package var before: Side?
        package var beyond: Side?
    }

    /// One half of an open book.
    package struct Side: Sendable, Hashable {
        /// The page that is seen; nil for blank paper.
        package var page: Int?
        /// How far the edges of the pages under it protrude.
        package var edges: Int
    }

    /// The spread `index`.
    package func spread(_ index: Int) -> Spread {
        let turned = isPad || form.hasCover ? index : index + 1
        let edges = { (count: Int) in Int((Self.thickness * Double(length * count) / Double(leaves)).rounded()) }
        let side = { (page: Int, count: Int) in Side(page: (0..<pages).contains(page) ? page : nil, edges: edges(count))
        }
        if isPad {
            let before = turned > 0 ? Side(page: nil, edges: 0) : nil
            return Spread(
                spine: (height - length) / 2, turned: turned, before: before, beyond: side(index, leaves - turned))
        }
        let first = form.hasCover ? 2 * index - 1 : 2 * index
        let hasBefore = turned > 0
        let hasBeyond = turned < leaves
        let shift = hasBefore == hasBeyond ? 0 : hasBeyond ? -length / 2 : length / 2
        return Spread(
            spine: width / 2 + shift, turned: turned, before: hasBefore ? side(first, turned) : nil,
            beyond: hasBeyond ? side(first + 1, leaves - turned) : nil)
    }

    /// Whether the leaf that turns after spread `index` is a cover, which doesn't bend.
    package func isBoard(after index: Int) -> Bool {
        !isPad && (spread(index).before == nil || spread(index + 1).beyond == nil)
    }

    /// The extent across the motion that the pages take.
    package var across: ClosedRange<Int> { (extent.across - breadth) / 2...(extent.across + breadth) / 2 }

    /// The extent along the motion of a side of `spread`, with the edges of the pages under it.
    package func along(_ spread: Spread, beyond: Bool) -> ClosedRange<Int>? {
        guard let side = beyond ? spread.beyond : spread.before else { return nil }
        let length = length + side.edges
        return beyond ? spread.spine...spread.spine + length : spread.spine - length...spread.spine
    }

    /// The shadow that the book casts on what it lies on, in luma pixels of a frame of `extent`.
    package func shadow(_ spread: Spread) -> SoftShadow {
        let sides = [along(spread, beyond: false), along(spread, beyond: true)].compactMap { $0 }
        let first = sides.map(\.lowerBound).min() ?? spread.spine
        let last = sides.map(\.upperBound).max() ?? spread.spine
        return SoftShadow(
            along: Double(first)...Double(last), across: Double(across.lowerBound)...Double(across.upperBound),
            deviation: max(0.02 * Double(extent.across), 2), opacity: 0.5)
    }
}

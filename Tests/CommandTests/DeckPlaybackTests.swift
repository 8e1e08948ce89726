import TestSupport
import Testing

extension CommandTests {
    /// What a viewer of a deck sees who goes to its chapters, in a browser, judged by the pages that poppler draws.
    @Suite(.serialized, .enabled(if: Browser.path != nil || Places.runsSlowTests, Comment(rawValue: Browser.isMissing)))
    struct DeckPlaybackTests {
        let folder = TemporaryFolder.make()

        /// A PDF whose pages have different colors and shapes.
        private func slides(_ count: Int, _ folder: TemporaryFolder) throws -> String {
            let contents = (0..<count).map { page -> String in
                let color = "0.\(page + 2) 0.\(9 - page) 0.\(page * 3 % 10) rg"
                return "\(color) 0 0 320 180 re f 1 1 1 rg \(20 + 30 * page) \(30 + 10 * page) 80 60 re f"
            }
            let pdf = DeckFiles.pdf(
                pages: (0..<count).map { "/Contents \(3 + count + $0) 0 R" },
                objects: contents.map { "<< /Length \($0.utf8.count) >> stream\n\($0)\nendstream" })
            try pdf.write(to: folder / "slides.pdf")
            return folder / "slides.pdf"
        }

        /// Seeks to each chapter, and `late` seconds more where a transition leads to it, and compares the canvas with the
        /// page of the same number.
        private func expectChapters(_ video: String, of pdf: String, count: Int, late: Double) throws {
            let folder = try TemporaryFolder()
            let starts = try Judge.chapters(video).map(\.start)
            try #require(starts.count == count)
            try Tool.succeed("pdftoppm", "-png -scale-to-x 640 -scale-to-y 360 \(pdf) \(folder / "page")")
            let pages = try folder.names.sorted().map { folder / $0 }
            try #require(pages.count == count)
            // Into the frame, so that rounding doesn't lead to the one before.
            let times = starts.enumerated().map { $0.element + ($0.offset > 0 ? late : 0) + 0.01 }
            let view = try Browser.view(video, times: times, pictures: pages)
            #expect(view.frames.count == count)
            for (index, frame) in view.frames.enumerated() {
                #expect((frame.psnr ?? 0) >= 30, "chapter \(index + 1) at \(times[index]) s: \(frame.psnr ?? 0) dB")
            }
            // The check tells slides apart.
            let wrong = try Browser.view(video, times: [times[1]], pictures: [pages[0]])
            #expect((wrong.frames.first?.psnr ?? 100) < 30)
        }

        @Test(.turn(1, of: 3), arguments: Places.some(["cfr", "vfr"], every: 2))
        func everyChapterShowsItsSlide(holds: String) throws {
            let pdf = try slides(6, folder)
            let options = ["--hold", "3", "--size", "640x360", "--held-frames", holds, "--crf", "16"]
            try succeed(["deck", pdf, folder / "cuts.mp4", "--transition", "cut"] + options)
            try expectChapters(folder / "cuts.mp4", of: pdf, count: 6, late: 0)
            // A chapter begins with the transition to its slide, with the speech.
            try succeed(["deck", pdf, folder / "flips.mp4", "--duration", "0.6"] + options)
            try expectChapters(folder / "flips.mp4", of: pdf, count: 6, late: 0.6)
        }

        /// A real talk with text, with spoken notes' captions and chapters in one file.
        @Test(.turn(0, of: 2), .needsMedia) func aRealDeckShowsItsSlides() throws {
            let pdf = try medium("pdf-slides-16-9-11pages-theme-sample.pdf")
            try succeed("deck \(pdf) \(folder / "talk.mp4") --hold 2 --size 640x360 --crf 16 --preset fast")
            try expectChapters(folder / "talk.mp4", of: pdf, count: 11, late: 0.6)
        }
    }
}

import FlipBase
import FlipMedia
import Foundation

/// The output's chapters: those of the clips, moved to their places on the timeline, and one for each clip if that was
/// asked for.
struct ChapterList {
    private(set) var chapters: [Chapter] = []

    /// - Parameter marksClips: whether each clip begins a chapter named after its title or file, which replaces a
    ///   chapter of the clip's own that begins with the clip. A clip that continues a chapter begins none.
    init(_ clips: [RenderPlan.Clip], _ timeline: Timeline, marksClips: Bool) {
        for (index, clip) in clips.enumerated() {
            let start = timeline.times[timeline.clips[index].start]
            // The next clip's chapters begin where it is first seen.
            let next = index + 1 < clips.count ? timeline.clips[index + 1].start : timeline.frames
            let end = timeline.times[next]
            if marksClips, clip.continuesChapter, let last = chapters.indices.last {
                chapters[last].end = end
            } else if marksClips {
                chapters.append(Chapter(title: clip.chapterTitle, start: start, end: end))
            }
            for own in clip.info?.chapters ?? [] where clip.use.runsAtSpeed {
                let shift = start - clip.use.firstShown
                let first = max(own.start + shift, start)
                let last = min(own.end + shift, end)
                if first >= last || (marksClips && first - start < timeline.times.rate.inverse) { continue }
                chapters.append(Chapter(title: own.title, start: first, end: last))
            }
        }
        for index in chapters.indices.dropLast() {
            chapters[index].end = min(chapters[index].end, chapters[index + 1].start)
        }
        chapters.removeAll { $0.start >= $0.end }
    }
}

extension RenderPlan.Clip {
    /// The title of the clip's chapter: the one given, or else that of its file, with the number of the part.
    fileprivate var chapterTitle: String { title ?? input.chapterTitle + (partNumber.map { ", part \($0)" } ?? "") }
}

extension InputClip {
    /// The title of the input's chapter if none was given: the file's title, or the input's name without its extension.
    var chapterTitle: String { info?.title ?? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
}

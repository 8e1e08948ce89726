import FlipBase
import FlipFiles
import FlipMedia
import FlipSplice
import Foundation

/// Finds the parts of an output that an earlier run has encoded, and keeps those that this run encodes.
///
/// A part is known by all that it depends on: `PartContent`, the content of the files and pages in it, and the program with its
/// libraries. What isn't known to be covered by that, such as films, isn't kept.
final class PartCache: Sendable {
    private let plan: RenderPlan
    private let cache: WorkCache
    private let program: String
    private let hashes = Mutex(Hashes())

    private struct Hashes {
        /// By path, the hash of a file, and what the file was then.
        var files: [String: (hash: String, identity: FileIdentity)] = [:]
        var pages: [DocumentPage: String] = [:]
        /// The keys of segments that are known, by the segments' numbers.
        var keys: [Int: String] = [:]
    }

    /// Whether something that a key is made from can't be identified.
    private final class Doubt: Sendable {
        private let isThere = Mutex(false)

        var exists: Bool { isThere.withLock { $0 } }

        /// `text`, or an empty one in its place if there is none.
        func settle(_ text: String?) -> String {
            if text == nil { isThere.withLock { $0 = true } }
            return text ?? ""
        }
    }

    /// Nil if nothing of the plan can be kept, or nothing is to be.
    init?(_ plan: RenderPlan) {
        guard let cache = plan.cache, PartContent.refusal(plan) == nil, !plan.container.isPicture,
            !OutputPlace(plan.path).isStream, plan.renderSegments.count > 1, let program = Surroundings.program
        else { return nil }
        (self.plan, self.cache, self.program) = (plan, cache, program)
    }

    // MARK: Segments

    /// The key of segment `number`; nil if it isn't kept.
    /// - Parameter draws: whether pages may be drawn to identify them.
    func key(ofSegment number: Int, draws: Bool = true) throws -> String? {
        if let known = hashes.withLock({ $0.keys[number] }) { return known }
        let key = try newKey(ofSegment: number, draws: draws)
        hashes.withLock { $0.keys[number] = key }
        return key
    }

    private func newKey(ofSegment number: Int, draws: Bool) throws -> String? {
        let range = plan.renderSegments[number]
        let clips = plan.timeline.sources(of: range).map { plan.clips[$0.clip] }
        let overlays = plan.overlays.filter { $0.frames.overlaps(range) }
        guard clips.allSatisfy(Self.isCovered), overlays.allSatisfy({ $0.isCovered }) else { return nil }
        let hasText =
            plan.burned != nil || overlays.contains { $0.spec.path == nil || $0.isDrawing }
            || clips.contains { $0.input.video?.isDrawing == true }
        guard let fonts = hasText ? Surroundings.fonts : "" else { return nil }
        for page in clips.compactMap(\.input.page) where try hash(of: page, draws: draws) == nil { return nil }
        let doubt = Doubt()
        let gaps = Set(clips.filter(\.isGap).map(\.input.path))
        let content = PartContent(
            plan, page: { [self] in doubt.settle(try? hash(of: $0, draws: draws)) },
            identity: { [self] in gaps.contains($0) ? "" : doubt.settle(hash(ofFile: $0)) })
        let text = content.segment(number)
        if doubt.exists { return nil }
        return WorkCache.key(["segment", program, fonts, Self.unnamed(text)])
    }

    /// Whether all that the clip shows is known: a page, a picture, or nothing.
    private static func isCovered(_ clip: RenderPlan.Clip) -> Bool {
        guard clip.films.isEmpty, clip.input.isStill else { return false }
        return switch clip.input.source {
        case .page, .gap: true
        // Other programs decode HEIC.
        case .file(let info): info.made == nil && !HEIFPicture.isHEIC(clip.input.path)
        case .live: false
        }
    }

    /// Finds segment `number`.
    /// - Parameter file: an empty file, which stays empty if the segment isn't there.
    func take(_ key: String, into file: PacketFile) -> Bool { cache.take(.segments, key, into: file.descriptor) }

    /// Keeps a segment, unless something that it was made from has changed meanwhile.
    func put(_ key: String, from file: PacketFile) {
        if isUnchanged { cache.put(.segments, key, from: file.descriptor) }
    }

    // MARK: The output

    /// The key of the whole output; nil if it isn't kept.
    /// - Parameter draws: whether pages may be drawn to identify them.
    func outputKey(draws: Bool) throws -> String? {
        // What was measured is in the report.
        if plan.measuresLoudness { return nil }
        var keys: [String] = []
        for number in plan.renderSegments.indices {
            guard let key = try key(ofSegment: number, draws: draws) else { return nil }
            keys.append(key)
        }
        let doubt = Doubt()
        let content = PartContent(
            plan, page: { _ in "" }, identity: { [self] path in doubt.settle(hash(ofFile: path)) })
        let sounds = plan.audioTracks.flatMap(\.sounds).map(\.info)
        guard sounds.allSatisfy({ $0.made == nil }) else { return nil }
        // Of sounds that a document stores, the text has only the names.
        let heard = sounds.map { doubt.settle(hash(ofFile: $0.path)) }
        let texts = [content.audio ?? "", content.rest, ValueText.of(plan.video), try document()].map(Self.unnamed)
        if doubt.exists { return nil }
        return WorkCache.key(["output", program] + keys + heard + texts)
    }

    /// The plan as JSON, without the name of the output.
    private func document() throws -> String {
        String(decoding: try JSONEncoder.stable.encode(PlanDocument(plan)), as: UTF8.self)
            .replacing("\"\(plan.path)\"", with: "\"\"")
    }

    /// Writes the whole output, if an earlier run has made it.
    /// - Returns: its size in bytes; nil if none has.
    func takeOutput() throws -> Int? {
        guard let key = try outputKey(draws: false) else { return nil }
        let output = try OutputFile(path: plan.path, overwrite: plan.overwrites)
        let descriptor = open(output.workingPath, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, cache.take(.outputs, key, into: descriptor) else {
            output.discard()
            return nil
        }
        return try output.commit()
    }

    /// Keeps the output that was just written.
    func putOutput() throws {
        guard let key = try outputKey(draws: true), isUnchanged else { return }
        cache.put(.outputs, key, fromFile: plan.path)
    }

    /// Ends the run's use of what is kept.
    func finish() {
        DocumentPage.forget()
        cache.trim()
    }

    // MARK: Content

    private func hash(of page: DocumentPage, draws: Bool) throws -> String? {
        if let known = hashes.withLock({ $0.pages[page] }) { return known }
        guard let pdf = hash(ofFile: page.location),
            let hash = try page.hash(of: pdf, in: cache, draws: draws, isUnchanged: { isUnchanged })
        else { return nil }
        hashes.withLock { $0.pages[page] = hash }
        return hash
    }

    private func hash(ofFile path: String) -> String? {
        if let known = hashes.withLock({ $0.files[path] }) { return known.hash }
        guard let identity = FileIdentity(path: path), let hash = SHA256.hash(file: path) else { return nil }
        hashes.withLock { $0.files[path] = (hash, identity) }
        return hash
    }

    /// Whether all files are as they were when their hashes were taken.
    private var isUnchanged: Bool {
        hashes.withLock { hashes in hashes.files.allSatisfy { FileIdentity(path: $0) == $1.identity } }
    }

    /// A text without the names of files that have none but in this process.
    private static func unnamed(_ text: String) -> String { text.replacing(/\/proc\/[0-9]+\/fd\/[0-9]+/, with: "") }
}

extension VideoInfo {
    /// Whether it is a drawing whose texts are drawn with the fonts that are installed.
    fileprivate var isDrawing: Bool { codec == "svg" }
}

extension RenderPlan.Clip {
    fileprivate var isGap: Bool { if case .gap = input.source { true } else { false } }
}

extension PlacedOverlay {
    fileprivate var isDrawing: Bool {
        if case .picture(let still) = content { still.input.video?.isDrawing == true } else { false }
    }

    /// Whether what is drawn is known: a text, or a picture.
    fileprivate var isCovered: Bool {
        switch content {
        case .picture(let still): still.input.isStill && still.input.info?.made == nil
        case .text: true
        case .film: false
        }
    }
}

extension RenderPlan {
    /// The number of frames that are stored of segment `number`, of which the output takes those that it has: where a picture is
    /// held at the end, it is held to the end of a keyframe interval, for a few bytes. So the segment is the same however long
    /// that is.
    func storedFrames(ofSegment number: Int) -> Int {
        let range = renderSegments[number]
        guard cache != nil, hasHolds, burned == nil, fades.isEmpty || range.clamped(to: fades.steady) == range,
            HeldFrames.isPossible(video, in: container),
            let (segment, place) = timeline.placedSegments.last(where: { $0.frames.overlaps(range) }),
            case .clip(let index, _) = segment, clips[index].isUnmoved
        else { return range.count }
        let hold = place.clamped(to: range)
        // What is drawn over the picture changes nowhere in it.
        let changes = overlays.flatMap { [$0.frames.lowerBound, $0.frames.upperBound] }
        guard !changes.contains(where: { hold.lowerBound < $0 && $0 < hold.upperBound }) else { return range.count }
        return range.count + HeldFrames.repeatable(after: hold.count)
    }
}

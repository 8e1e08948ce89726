import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipGesture
import FlipRender
import Foundation

/// All that sessions share: the joins, the texts for the page, and where a gesture is saved.
package final class PreviewService: Sendable {
    package let info: PreviewInfo
    package let studio: PreviewStudio
    /// The catalogue of styles as JSON.
    let catalogue: Data
    private let texts: PreviewTexts
    private let gesturePath: String?
    private let overwrites: Bool
    private let inputs: [String]
    private let hasSaved = Mutex(false)
    /// The transition that was asked for last, since a gesture must not be read for every picture.
    private let lastSpec = Mutex<(key: SpecKey, spec: TransitionSpec)?>(nil)

    /// - Parameters:
    ///   - catalogue: the styles with their options, as `styles --json` prints them.
    ///   - gesturePath: the only file that is ever written; nil for none.
    ///   - overwrites: whether that file may replace one that was there before.
    package init(
        _ plans: SeamPlans, catalogue: Data, texts: PreviewTexts, gesturePath: String?, overwrites: Bool = false
    ) {
        info = PreviewInfo(plans, gestureFile: gesturePath)
        studio = PreviewStudio(plans)
        (self.catalogue, self.texts, self.gesturePath, self.overwrites) = (catalogue, texts, gesturePath, overwrites)
        inputs = plans.composition.files
    }

    /// The transition that a request describes: the one that was asked for on the command line, with its gesture, as long
    /// as its look is unchanged; and what the page sets of its timing.
    func spec(_ request: PreviewRequest) throws(OptionError) -> TransitionSpec {
        let own = studio.plans.full.transitions[request.seam]
        var duration = own.hasDuration ? own.duration : nil
        if let text = request.duration { duration = try TransitionDuration(parsing: String(text.prefix(40))) }
        var overlap = own.overlap
        if let text = request.overlap, !text.isEmpty {
            overlap = try OutputValue.word("overlap", String(text.prefix(40)))
        }
        let follows = request.gesture == true
        let isUnchanged = request.look == info.seams[request.seam].look && own.look != nil
        if isUnchanged, !follows, request.duration == nil, overlap == own.overlap { return own }
        let key = SpecKey(request)
        if let last = lastSpec.withLock(\.self), last.key == key { return last.spec }
        var choice = request.look
        // A gesture takes the place of an easing.
        if follows || isUnchanged && own.gesture != nil { choice.options["easing"] = nil }
        var spec = TransitionSpec(look: try look(choice, at: request.seam), duration: duration, overlap: overlap)
        spec.sound = own.sound
        if follows {
            if let gesturePath { try spec.follow(gesture: gesturePath) }
        } else if isUnchanged, let gesture = own.gesture {
            try spec.follow(gesture: gesture.path)
        }
        lastSpec.withLock { [spec] in $0 = (key, spec) }
        return spec
    }

    /// What a transition that the page has changed follows from.
    private struct SpecKey: Equatable {
        let seam: Int
        let look: LookChoice
        let duration: String?
        let overlap: String?
        let follows: Bool

        init(_ request: PreviewRequest) {
            (seam, look, duration) = (request.seam, request.look, request.duration)
            (overlap, follows) = (request.overlap, request.gesture == true)
        }
    }

    /// The look of a request. In a book it turns the leaf of that join.
    func look(_ request: PreviewRequest) throws(OptionError) -> StyledLook {
        try look(request.look, at: request.seam)
    }

    private func look(_ choice: LookChoice, at seam: Int) throws(OptionError) -> StyledLook {
        let look = try choice.look()
        guard let turn = studio.plans.full.transitions[seam].look?.style as? BookTurn else { return look }
        return try turn.styled(look)
    }

    /// How long the transition of a request lasts, in milliseconds, which is what a turn takes that nobody holds.
    func milliseconds(_ request: PreviewRequest) -> Double {
        var request = request
        // A turn by hand doesn't depend on what a hand did before.
        request.gesture = nil
        guard request.duration != nil, let spec = try? spec(request) else {
            return info.seams[request.seam].milliseconds
        }
        return spec.duration.seconds(at: studio.plans.full.video.frameRate).doubleValue * 1000
    }

    /// The number of steps of a curve.
    private static let steps = 60
    /// The name of the file that the browser saves.
    static let downloadName = "gesture.json"

    /// The texts, the length and the easing's curve of a look, or what is wrong with each of its options.
    func description(_ request: PreviewRequest) throws(OptionError) -> PreviewHeader {
        var header = PreviewHeader()
        let faults = request.look.faults
        if let first = faults.sorted(by: { $0.key < $1.key }).first {
            (header.faults, header.error) = (faults, first.value)
            return header
        }
        let look = try look(request)
        let spec = try spec(request)
        header.spec = look.description
        let overlap = studio.plans.composition.defaultOverlap(afterClip: request.seam)
        var text = PreviewTexts.spec(of: spec, defaultOverlap: overlap)
        if request.gesture == true, spec.gesture == nil {
            text += (text.contains("=") ? ":" : "=") + "gesture=\(Self.downloadName)"
        }
        (header.command, header.yaml) = texts.texts(of: text, at: request.seam)
        header.curve = (0...Self.steps).map { spec.progress(at: Double($0) / Double(Self.steps)) }
        let rate = studio.plans.full.video.frameRate
        header.frames = spec.duration.frames(at: rate)
        header.milliseconds = (Rational(spec.duration.frames(at: rate) * 1000) / rate).doubleValue
        return header
    }

    private func recording(_ request: PreviewRequest) throws(OptionError) -> (GestureRecording, StyledLook) {
        let look = try look(request)
        let samples = (request.samples ?? []).map(\.sample)
        guard samples.count <= GestureRecording.maximumCount else {
            throw OptionError("the gesture is too long (record a shorter one)")
        }
        var recording = GestureRecording(
            style: look.asked.style.name, rule: GestureRule(look), aspect: Double(info.width) / Double(info.height),
            samples: samples)
        recording.width = min(max(request.shown ?? 960, 16), 16384)
        recording.turn = min(max(milliseconds(request), 1), GestureRecording.longest)
        return (recording, look)
    }

    /// The curve of a recorded gesture, or why it can't be used.
    func trace(_ request: PreviewRequest) -> PreviewHeader {
        var header = PreviewHeader()
        do throws(OptionError) {
            let (recording, look) = try recording(request)
            do throws(OptionError) {
                let track = try recording.track(for: look)
                header.curve = (0...Self.steps).map { track(Double($0) / Double(Self.steps)) }
                header.milliseconds = track.length
                header.note = note(track.length, request.seam)
            } catch {
                header.error = error.description
                header.canMirror = (try? recording.mirrored(for: look).track(for: look)) != nil
            }
        } catch {
            header.error = error.description
        }
        return header
    }

    /// A warning if the clips are shorter than a gesture of `milliseconds`; nil if they are long enough.
    private func note(_ milliseconds: Double, _ seam: Int) -> String? {
        let plan = studio.plans.full
        let shortest = plan.timeline.clips[seam...seam + 1].map(\.frames).min() ?? 0
        let seconds = (Rational(shortest) / plan.video.frameRate).doubleValue
        guard milliseconds >= seconds * 1000 else { return nil }
        let shown = (seconds * 100).rounded() / 100
        return "the shorter clip has only \(shown) s, so set a shorter duration, or turn faster"
    }

    /// Writes the gesture to the file that the command line names, or returns the file's bytes if it names none.
    func save(_ request: PreviewRequest) throws -> (PreviewHeader, [UInt8]) {
        let (recording, look) = try recording(request)
        _ = try recording.track(for: look)
        let data = GestureFile.data(recording)
        var header = PreviewHeader()
        guard let gesturePath else { return (header, Array(data)) }
        try hasSaved.withLock { hasSaved in
            let file = try SideOutput(
                gesturePath, name: "gesture", overwrites: overwrites || hasSaved, inputs: inputs, outputs: [])
            try file.write(data)
            // From now on the file is the preview's own.
            hasSaved = true
        }
        lastSpec.withLock { $0 = nil }
        header.saved = gesturePath
        return (header, [])
    }
}

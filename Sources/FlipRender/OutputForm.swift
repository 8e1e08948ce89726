import FlipBase
import FlipBitstream
import FlipGeometry
import FlipMedia
import FlipRaster
import FlipSplice

/// The form that an output's frames are coded in: how players mirror and turn them, and the shape of their pixels. It is
/// decided before anything else of the output, and it decides which clips may be copied. This is its only home;
/// docs/SMART.md describes it for users.
///
/// An output whose frames are all encoded is upright and has square pixels. One that is partly copied has the form in which
/// most frames of the films are, or else that of the first film, as far as frames of that form may be copied, its container can
/// state it and no option asks for another.
package struct OutputForm: Sendable {
    package private(set) var coded = CodedForm.plain
    /// The frames per second of what is drawn if the films' frames keep their own times, the highest of theirs; nil if all
    /// frames follow each other evenly.
    private(set) var frameRate: Rational?
    var keepsTimes: Bool { frameRate != nil }
    /// The indices of the films of the form, of which the output follows one; empty if the form doesn't decide that.
    private(set) var members: [Int] = []
    /// Whether the output has the form that it would have if all of it were encoded.
    private(set) var isDefault = true
    private let container: Container
    /// The option that asks for a size in pixels, which are square then; nil if none does.
    private let sizeOption: String?
    /// Whether an option asks for a frame rate.
    private let asksForRate: Bool
    /// Whether interlaced films stay so.
    private let keepsFields: Bool

    /// The shapes of pixels in which frames are drawn, width over height: those that cameras and discs have, from 1:2 to 32:11,
    /// and some room.
    private static let aspects = Rational(1, 4)...Rational(4)

    /// Films of one form.
    private struct Row {
        /// Nil for films that no output can be like.
        let form: CodedForm?
        /// Their indices.
        var members: [Int] = []
        /// The number of their frames, and of those that could be copied.
        var frames = 0
        var copyable = 0
        /// Whether frames that could be copied follow each other unevenly.
        var isUneven = false

        func holds(_ other: CodedForm?) -> Bool {
            guard let form, let other else { return form == nil && other == nil }
            return form.agrees(with: other)
        }
    }

    /// The form of an output in `container`.
    /// - Parameter times: how long each input is shown.
    init(
        _ sources: [InputClip.Source], shownFor times: [Rational], _ composition: Composition, _ container: Container
    ) {
        let settings = composition.output
        self.container = container
        asksForRate = settings.frameRate != nil
        sizeOption = settings.size != nil ? "--size" : settings.width != nil ? "--width" : nil
        keepsFields = composition.reading.deinterlaces
        // The films of slides are drawn over upright pages.
        if settings.render == .full || settings.isStill || settings.slides != nil { return }
        if composition.inputs.contains(where: { !$0.films.isEmpty }) { return }
        var rows: [Row] = []
        for (index, (source, spec)) in zip(sources, composition.inputs).enumerated() {
            // What another program makes has no packets worth copying.
            guard let info = source.info, info.made == nil, let video = info.video, !video.isStill else { continue }
            let form = CodedForm(video, keepsFields: keepsFields)
            if !rows.contains(where: { $0.holds(form) }) { rows.append(Row(form: form)) }
            guard let row = rows.firstIndex(where: { $0.holds(form) }) else { continue }
            rows[row].members.append(index)
            let frames = spec.timing?.frames ?? (times[index] * video.frameRate).rounded()
            rows[row].frames += frames
            if spec.timing?.speed ?? Rational(1) == Rational(1), refusal(of: video) == nil,
                Self.mayBeCopied(video, composition, container)
            {
                rows[row].copyable += frames
                if video.isVariableFrameRate { rows[row].isUneven = true }
            }
        }
        guard let first = rows.first else { return }
        let most = rows.map(\.frames).max()
        // Of equals, the first counts.
        var best = rows.max { ($0.copyable, -$0.members[0]) < ($1.copyable, -$1.members[0]) } ?? first
        // A few frames that could be copied don't decide how all the others look.
        if best.copyable == 0 || best.frames != most { best = first }
        guard let form = best.form, let video = sources[best.members[0]].video, refusal(of: video) == nil else {
            return
        }
        (coded, members) = (form, best.members)
        let films = sources.compactMap(\.video).filter { !$0.isStill }
        if best.isUneven { frameRate = films.map(\.frameRate).max() }
        isDefault = form.isPlain && members == first.members && !keepsTimes
    }

    /// Whether the packets of a film may be copied at all, by what is known before they are examined.
    private static func mayBeCopied(_ video: VideoInfo, _ composition: Composition, _ container: Container) -> Bool {
        if video.isVariableFrameRate, !mayKeepTimes(composition.output, container) { return false }
        guard let encoder = composition.output.videoCodec else {
            return composition.output.copyEncoder(like: video, container) != nil
        }
        return Encoders.codec(of: encoder) == video.codec
    }

    /// Whether frames may keep their own times.
    private static func mayKeepTimes(_ settings: OutputSettings, _ container: Container) -> Bool {
        container.storesLongFrames && settings.frameRate == nil && settings.holds == .cfr
    }

    /// The size in pixels, as coded, of an output that follows `model`.
    func size(of model: VideoInfo, _ settings: OutputSettings) -> (width: Int, height: Int) {
        if !coded.isPlain, sizeOption == nil { return (model.width, model.height) }
        let shown = settings.size ?? Planner.size(of: model, width: settings.width)
        return coded.coded(shown)
    }

    /// How the form differs from the plain one, for the plan's text; nil if it doesn't.
    func text(_ video: VideoEncoding) -> String? {
        if coded.isPlain { return nil }
        let shown = coded.shown(width: video.width, height: video.height)
        return "shown as \(shown.width)x\(shown.height): \(coded.words.joined(separator: " and "))"
            + (members.first.map { ", as input \($0 + 1) is" } ?? "")
    }

    // MARK: Refusals

    /// Why films whose frames follow each other unevenly are not copied; nil if they may be.
    private var unevenRefusal: String? {
        if keepsTimes { return nil }
        if asksForRate { return "has a variable frame rate, and --fps asks for an even one (leave it out)" }
        return container.storesLongFrames
            ? nil
            : "has a variable frame rate, which \(container.extensions[0]) files can't have here (name an mp4, mov or mkv)"
    }

    /// Why an output can't have the form of `video`, as a clause; nil if it can.
    private func refusal(of video: VideoInfo) -> String? {
        guard let form = CodedForm(video, keepsFields: keepsFields) else {
            let angle = video.transform.requestedAngle.map { "by \($0.rounded()) degrees" } ?? "by its EXIF data"
            return "is rotated \(angle), which copied frames can't be (encode it first)"
        }
        let ending = container.extensions[0]
        if form.transform != .identity, !container.statesTurns {
            return "is \(form.words[0]), which \(ending) files can't state here (name an mp4 or mov)"
        }
        if form.hasSquarePixels { return nil }
        let shown = form.shown(width: video.width, height: video.height)
        guard Self.aspects.contains(form.sampleAspectRatio), Limits.sides.contains(max(shown.width, shown.height))
        else {
            return "has \(form.pixels), a shape that copied frames can't have here (encode it first)"
        }
        if let sizeOption { return "has \(form.pixels), and \(sizeOption) asks for square ones (leave it out)" }
        if !container.statesAspect, !video.codecStatesAspect {
            return
                "has \(form.pixels), which its packets don't state and \(ending) files can't (name an mp4, mov or mkv)"
        }
        return nil
    }

    /// Why the clip's frames, whatever their packets are, can't become those of the output without being encoded again;
    /// nil if they can.
    /// - Parameter codec: libav's name of the output's encoder.
    func refusal(of clip: RenderPlan.Clip, in encoding: VideoEncoding, codec: String) -> CopyRefusal? {
        guard let video = clip.video else { return CopyRefusal("shows nothing") }
        if clip.use.timing != nil {
            return CopyRefusal("is shown by a timeline at another speed, between its frames or beyond its ends")
        }
        if !clip.input.isStill {
            if let refusal = refusal(of: video) { return CopyRefusal(refusal) }
            if let form = CodedForm(video, keepsFields: keepsFields), let difference = form.difference(from: coded) {
                return CopyRefusal("\(difference) (only clips that are coded alike can be copied into one output)")
            }
        }
        if video.isVariableFrameRate, let unevenRefusal { return CopyRefusal(unevenRefusal) }
        // Packets have to fit the encoder's own format; that of `conform` is planar even for encoders that take none.
        var conform = clip.conform
        conform.pixelFormat = encoding.pixelFormat
        let conversions = conform.conversions(from: clip.input)
        if !conversions.isEmpty {
            return CopyRefusal("does not fit the output as it is (\(conversions.joined(separator: ", ")))")
        }
        return Planner.hasColors(of: encoding, codec: codec, video)
            ? nil : CopyRefusal("has other color tags than the output")
    }
}

extension CodedForm {
    /// The pixels, for a message.
    fileprivate var pixels: String {
        hasSquarePixels ? "square pixels" : "pixels of \(sampleAspectRatio.numerator):\(sampleAspectRatio.denominator)"
    }

    /// How it differs from the plain form, as predicates.
    fileprivate var words: [String] {
        var turns = transform.mirrored ? ["mirrored"] : []
        if transform.rotation != 0 { turns.append("rotated by \(transform.rotation) degrees") }
        return (turns.isEmpty ? [] : [turns.joined(separator: ", then ")]) + (hasSquarePixels ? [] : ["with \(pixels)"])
            + (fieldOrder == nil ? [] : [fields])
    }

    /// How frames are scanned, for a message.
    private var fields: String { fieldOrder.map { "interlaced (\($0.text))" } ?? "progressive" }

    /// How a clip of this form differs from an output of another, as a clause; nil if it doesn't.
    fileprivate func difference(from other: CodedForm) -> String? {
        if transform != other.transform {
            let (own, others) = (transform == .identity ? "is upright" : "is \(words[0])", other.transform)
            return others == .identity ? "\(own), unlike the output" : "\(own), and the output is \(other.words[0])"
        }
        if fieldOrder != other.fieldOrder { return "is \(fields), and the output is \(other.fields)" }
        return sampleAspectRatio == other.sampleAspectRatio ? nil : "has \(pixels), and the output has \(other.pixels)"
    }
}

extension DisplayTransform {
    /// Where the axes of shown pictures lie in the coded ones.
    var axes: FrameTurn {
        let (origin, right, down) = (coded((0, 0)), coded((1, 0)), coded((0, 1)))
        return FrameTurn(
            swapsAxes: swapsAxes, reversesX: right.x + right.y < origin.x + origin.y,
            reversesY: down.x + down.y < origin.x + origin.y)
    }
}

extension PictureZoom.Part {
    /// The same part of a picture that is coded for `transform`.
    fileprivate func coded(for transform: DisplayTransform) -> PictureZoom.Part {
        let (first, last) = (transform.coded((x, y)), transform.coded((x + width, y + height)))
        return PictureZoom.Part(
            x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x),
            height: abs(last.y - first.y))
    }
}

extension StillMotion {
    /// The same motion in a picture that is coded for `transform`.
    func coded(for transform: DisplayTransform) -> StillMotion {
        var motion = self
        motion.start = start.coded(for: transform)
        motion.end = end.coded(for: transform)
        return motion
    }
}

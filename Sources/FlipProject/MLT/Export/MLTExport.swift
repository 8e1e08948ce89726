import FlipBase
import FlipFiles
import FlipGeometry
import FlipHost
import FlipRender
import Foundation

/// Exports a plan as a project of an editor that builds on MLT, with this program's mixer on the transitions. Times are in
/// frames of the output.
package struct MLTExport {
    /// Whose project it is: Kdenlive has mixes where clips on two playlists of a track overlap, and Shotcut tractors between
    /// shortened clips.
    package enum Editor: Sendable {
        case kdenlive
        case shotcut
    }

    let plan: RenderPlan
    let editor: Editor
    /// The folder of the project, to which its paths are relative; nil for absolute ones.
    let folder: String?
    /// The pictures of clips that MLT can't read, such as the pages of a deck, by the clips' indices.
    let pictures: [Int: String]
    var rate: Rational { plan.video.frameRate }

    /// - Parameters:
    ///   - path: the path of the project; nil if it has none.
    ///   - pictures: the paths of pictures for `clipsWithoutFiles`.
    package init(_ plan: RenderPlan, for editor: Editor, path: String?, pictures: [Int: String] = [:]) {
        (self.plan, self.editor, self.pictures) = (plan, editor, pictures)
        folder = path.map { Files.split(absolutePath($0)).folder }
    }

    /// The project as XML in UTF-8.
    /// - Throws: `usage` if another program renders a part of the plan, if plugins can't draw a transition, or if
    ///   frames are held.
    package func encoded() throws(MediaError) -> [UInt8] {
        try plan.refuseMadeMedia()
        // MLT's filter for that doesn't get along with transitions: melt waits forever.
        let holds = plan.timeline.joins.contains { $0.frames > 0 && $0.overlap.isFrozen }
        guard !holds, plan.clips.allSatisfy({ $0.use.timing.map { $0.speed > .zero } ?? true }) else {
            throw MediaError(.usage, "projects of editors can't hold frames (--overlap play lets clips run)")
        }
        var document = node("mlt", ["LC_NUMERIC": "C", "version": "7.12.0", "producer": "main_bin"])
        document.children = [profile]
        switch editor {
        case .kdenlive:
            var project = KdenliveProject(self)
            document.children += try project.services()
        case .shotcut:
            document.attributes["title"] = "Shotcut version 22.12.21"
            var project = ShotcutProject(self)
            document.children += try project.services()
        }
        return Array(("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + document.xml).utf8)
    }

    /// What of the plan the project doesn't say, as a sentence; nil if it says everything.
    package var loss: String? {
        let marked = plan.sounds.contains { $0.join != nil }
        let shaped = plan.clips.indices.filter { pictures[$0] == nil && isShaped(plan.clips[$0]) }.map {
            plan.clips[$0]
        }
        let isSped = { (clip: RenderPlan.Clip) in clip.use.timing.map { $0.speed != Rational(1) } ?? false }
        return plan.loss(with: [
            ("gestures", plan.transitions.contains { $0.gesture != nil }), ("sounds of transitions", marked),
            ("blurred bars, which are black", shaped.contains { $0.conform.fit == .blur }),
            (
                "the color of bars, which are black",
                plan.background != .black && shaped.contains { $0.conform.fit == .pad }
            ),
            ("the stretching of clips at another speed", shaped.contains { $0.conform.fit == .stretch && isSped($0) }),
        ])
    }

    /// The clips for which there have to be pictures, since MLT can't read them.
    package static func clipsWithoutFiles(_ plan: RenderPlan) -> [Int] {
        plan.clips.indices.filter { index in
            let input = plan.clips[index].input
            guard input.isStill, input.video != nil else { return false }
            let ending = input.path.split(separator: ".").last?.lowercased() ?? ""
            // MLT takes such names for those of many pictures.
            let isSequence = input.path.contains("%") || input.path.contains(".all.")
            return input.info == nil || isSequence || !["png", "jpg", "jpeg", "bmp", "tif", "tiff"].contains(ending)
        }
    }

    // MARK: Elements

    func node(
        _ name: String, _ attributes: [String: String] = [:], _ properties: KeyValuePairs<String, String> = [:],
        _ children: [MLTNode] = []
    ) -> MLTNode {
        var node = MLTNode(name, at: TextLocation(path: plan.path, line: 1, column: 1))
        node.attributes = attributes
        for (name, value) in properties { node[name] = value }
        node.children = children
        return node
    }

    /// An element that shows frames of the service `id`, counted as its own.
    func cut(_ name: String, _ id: String, _ frames: Range<Int>) -> MLTNode {
        node(name, ["producer": id, "in": "\(frames.lowerBound)", "out": "\(frames.upperBound - 1)"])
    }

    private var profile: MLTNode {
        let (video, shape) = (plan.video, plan.video.form.sampleAspectRatio)
        let display = Rational(video.width, video.height) * shape
        let colorspace =
            switch video.color.matrix {
            case "bt709": 709
            case "bt2020nc", "bt2020c": 2020
            case nil, "unspecified": video.height < 720 ? 601 : 709
            default: 601
            }
        let numbers: [(String, Int)] = [
            ("width", video.width), ("height", video.height), ("progressive", video.form.fieldOrder == nil ? 1 : 0),
            ("sample_aspect_num", shape.numerator), ("sample_aspect_den", shape.denominator),
            ("display_aspect_num", display.numerator), ("display_aspect_den", display.denominator),
            ("frame_rate_num", rate.numerator), ("frame_rate_den", rate.denominator), ("colorspace", colorspace),
        ]
        var attributes = Dictionary(uniqueKeysWithValues: numbers.map { ($0.0, "\($0.1)") })
        attributes["description"] = "\(video.width)x\(video.height) \(rate.decimalText) fps"
        return node("profile", attributes)
    }

    /// `path` as the project names it.
    func named(_ path: String) -> String {
        let path = absolutePath(path)
        guard let folder, path.hasPrefix(folder) else { return path }
        return String(path.dropFirst(folder.count))
    }

    // MARK: Transitions

    /// This program's mixer from the first of two tracks to the second, with the look of join `join`.
    /// - Parameter extra: how many frames after the last it is stated to have.
    func mixer(_ join: Int, extra: Int = 0) throws(MediaError) -> MLTNode {
        let count = plan.timeline.joins[join].frames
        let progress = { (frame: Int) in "\(frame)=\(Double(frame + 1) / Double(count + 1))" }
        var mixer = node(
            "transition", [:],
            [
                "a_track": "0", "b_track": "1", "version": "0.1", "mlt_service": "frei0r.fliptransition",
                "progress": "\(progress(0));\(progress(count + extra - 1))",
            ])
        guard let look = plan.transitions[join].look else { return mixer }
        let settings: HostSettings
        do throws(OptionError) {
            settings = try HostSettings(
                look, background: plan.background(of: look), width: plan.video.width, height: plan.video.height,
                frameWidth: plan.video.width, offset: "", duration: "")
        } catch {
            throw MediaError(.usage, "transition \(join + 1) can't be written into a project: \(error.description)")
        }
        for (name, value) in settings.properties { mixer[name] = value }
        return mixer
    }

    /// The crossfade that goes with it.
    var crossfade: MLTNode {
        node(
            "transition", [:],
            ["a_track": "0", "b_track": "1", "start": "-1", "accepts_blanks": "1", "mlt_service": "mix"])
    }

    /// What puts the sound of track `track` beside that of the others.
    func addition(ofTrack track: Int) -> MLTNode {
        node(
            "transition", [:],
            [
                "a_track": "0", "b_track": "\(track)", "mlt_service": "mix", "always_active": "1", "sum": "1",
                "accepts_blanks": "1",
            ])
    }
}

import COpenFX
import FlipGeometry
import FlipHost
import Synchronization

/// An instance of the plugin. Any number of threads may use it at the same time: all that it remembers between frames are
/// renderers, of which each frame takes one of its own.
final class Effect: Sendable {
    /// Handles of the host, which are valid as long as the instance.
    struct Handle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

    private let effect: Handle
    private let suites: Suites
    private let from: Handle
    private let to: Handle
    private let output: Handle
    /// The handle, the kind and the index of each parameter.
    private let parameters: [(handle: Handle, kind: ParameterKind, index: Int)]
    private let idle = Mutex<[FrameDrawer]>([])

    /// The most renderers that are kept for later frames.
    private static let mostIdle = 8

    /// An instance for the host's `effect`; nil if the host doesn't know its clips and parameters.
    init?(_ effect: UnsafeMutableRawPointer, _ context: Description.Context, _ suites: Suites) {
        func clip(_ name: String) -> Handle? {
            var handle: UnsafeMutableRawPointer?
            return suites.effects.pointee.get_clip?(effect, name, &handle, nil) == status(.ok)
                ? handle.map(Handle.init) : nil
        }
        var set: UnsafeMutableRawPointer?
        guard let from = clip(Description.fromClip), let to = clip(Description.toClip),
            let output = clip(Description.outputClip),
            suites.effects.pointee.get_parameter_set?(effect, &set) == status(.ok), let set
        else { return nil }
        let parameters = Description.parameters.compactMap { index, parameter -> (Handle, ParameterKind, Int)? in
            var handle: UnsafeMutableRawPointer?
            let name = Description.name(parameter, in: context)
            guard suites.parameters.pointee.get?(set, name, &handle, nil) == status(.ok), let handle else { return nil }
            return (Handle(pointer: handle), ParameterKind(parameter), index)
        }
        guard parameters.count == Description.parameters.count else { return nil }
        self.parameters = parameters
        self.effect = Handle(pointer: effect)
        (self.from, self.to, self.output, self.suites) = (from, to, output, suites)
    }

    // MARK: Settings

    /// The values of all parameters at a time of the host.
    private func settings(at time: Double) -> HostSettings {
        var settings = HostSettings()
        for (handle, kind, index) in parameters {
            if let value = kind.value(handle.pointer, at: time, suites) { _ = settings.set(index, to: value) }
        }
        return settings
    }

    /// The transition's look and its progress after easing, 0...1, for a frame of this size.
    private func transition(
        _ settings: HostSettings, width: Int, height: Int
    ) -> (transition: HostTransition, progress: Double) {
        let transition = HostTransition(settings, width: width, height: height)
        return (transition, transition.progress(settings.progress(at: 0), time: 0))
    }

    // MARK: Actions

    /// Says which clip a frame is a copy of, if the transition hasn't begun or is over.
    func isIdentity(_ arguments: PropertySet, _ result: PropertySet) -> Status {
        guard let time = arguments.double("OfxPropTime") else { return .failed }
        let settings = settings(at: time)
        // Neither the style nor the size changes what the easing makes of the progress.
        let progress = transition(settings, width: 16, height: 16).progress
        if progress > 0 && progress < 1 { return .replyDefault }
        let isFirst = (progress <= 0) != settings.isSwapped
        if !isConnected(isFirst ? from : to) { return .replyDefault }
        result.set("OfxPropName", to: isFirst ? Description.fromClip : Description.toClip)
        result.set("OfxPropTime", to: time)
        return .ok
    }

    /// A frame shows all that either picture shows.
    func regionOfDefinition(_ arguments: PropertySet, _ result: PropertySet) -> Status {
        guard let time = arguments.double("OfxPropTime") else { return .failed }
        let regions = [from, to].compactMap { region(of: $0, at: time) }
        guard var all = regions.first else { return .replyDefault }
        for region in regions.dropFirst() {
            all = flip_ofx_rectangle(
                x1: min(all.x1, region.x1), y1: min(all.y1, region.y1), x2: max(all.x2, region.x2),
                y2: max(all.y2, region.y2))
        }
        result.set("OfxImageEffectPropRegionOfDefinition", to: all)
        return .ok
    }

    /// Every part of a frame needs the whole pictures.
    func regionsOfInterest(_ arguments: PropertySet, _ result: PropertySet) -> Status {
        guard let time = arguments.double("OfxPropTime") else { return .failed }
        for (clip, name) in [(from, Description.fromClip), (to, Description.toClip)] {
            if let region = region(of: clip, at: time) { result.set("OfxImageClipPropRoI_\(name)", to: region) }
        }
        return .ok
    }

    /// All pictures get alpha if one has it, or if one is missing. The frame's colors are multiplied by alpha if a
    /// picture's are.
    func clipPreferences(_ result: PropertySet) -> Status {
        let clips = [from, to].filter(isConnected).compactMap(properties)
        let isOpaque =
            clips.count == 2
            && clips.allSatisfy {
                $0.string("OfxImageEffectPropComponents") == EffectImage.Components.rgb.rawValue
            }
        let components = isOpaque ? EffectImage.Components.rgb : .rgba
        for name in [Description.fromClip, Description.toClip, Description.outputClip] {
            result.set("OfxImageClipPropComponents_\(name)", to: components.rawValue)
        }
        let states = clips.compactMap { $0.string("OfxImageEffectPropPreMultiplication") }
        if states.contains("OfxImageAlphaPremultiplied") {
            result.set("OfxImageEffectPropPreMultiplication", to: "OfxImageAlphaPremultiplied")
        } else if states.contains("OfxImageAlphaUnPremultiplied") {
            result.set("OfxImageEffectPropPreMultiplication", to: "OfxImageAlphaUnPremultiplied")
        }
        return .ok
    }

    private func properties(_ clip: Handle) -> PropertySet? {
        var handle: UnsafeMutableRawPointer?
        guard suites.effects.pointee.get_clip_properties?(clip.pointer, &handle) == status(.ok) else { return nil }
        return handle.map { PropertySet($0, suites) }
    }

    private func isConnected(_ clip: Handle) -> Bool { properties(clip)?.int("OfxImageClipPropConnected") == 1 }

    /// What `clip` shows, in canonical coordinates; nil if nothing is connected to it.
    private func region(of clip: Handle, at time: Double) -> flip_ofx_rectangle? {
        var region = flip_ofx_rectangle()
        guard isConnected(clip),
            suites.effects.pointee.get_clip_region?(clip.pointer, time, &region) == status(.ok), region.x1 < region.x2,
            region.y1 < region.y2
        else { return nil }
        return region
    }

    // MARK: Drawing

    /// Draws a frame.
    func render(_ arguments: PropertySet) -> Status {
        guard let time = arguments.double("OfxPropTime"),
            let window = arguments.rectangle("OfxImageEffectPropRenderWindow")
        else { return .failed }
        // A single field is no picture of a page in space.
        let field = arguments.string("OfxImageEffectPropFieldToRender") ?? "OfxFieldNone"
        guard ["OfxFieldNone", "OfxFieldBoth"].contains(field) else { return .unsupported }
        var lent: [UnsafeMutableRawPointer] = []
        defer { for image in lent { _ = suites.effects.pointee.release_image?(image) } }
        /// A clip's picture: nil inside if there is none, and nil if it can't be read.
        func picture(_ clip: Handle) -> EffectImage?? {
            var handle: UnsafeMutableRawPointer?
            guard suites.effects.pointee.get_image?(clip.pointer, time, nil, &handle) == status(.ok), let handle else {
                return .some(nil)
            }
            lent.append(handle)
            return EffectImage(handle, suites).map { .some($0) }
        }
        guard let target = picture(output), let target else { return isAborted ? .ok : .format }
        guard let first = picture(from), let second = picture(to) else { return .format }
        if isAborted { return .ok }
        let given = [first, second].compactMap(\.self)
        guard given.allSatisfy({ $0.format == target.format }) else { return .format }
        let frame = given.isEmpty ? target.region : given.reduce(given[0].region) { $0.union($1.region) }
        guard FrameDrawer.canDraw(frame) else { return .failed }
        let settings = settings(at: time)
        let (transition, progress) = transition(settings, width: frame.width, height: frame.height)
        let drawer = drawer(target.format, frame)
        drawer.draw(
            transition, progress: progress, from: settings.isSwapped ? second : first,
            to: settings.isSwapped ? first : second, into: target, frame: frame, window: window)
        put(drawer)
        return .ok
    }

    private var isAborted: Bool { suites.effects.pointee.abort?(effect.pointer) == 1 }

    private func drawer(_ format: EffectImage.Format, _ frame: PixelRectangle) -> FrameDrawer {
        let kept = idle.withLock { idle -> FrameDrawer? in
            let index = idle.lastIndex { $0.fits(format, frame) }
            return index.map { idle.remove(at: $0) }
        }
        return kept ?? FrameDrawer(format, frame)
    }

    private func put(_ drawer: FrameDrawer) {
        idle.withLock { idle in
            idle.append(drawer)
            if idle.count > Effect.mostIdle { idle.removeFirst() }
        }
    }

    /// Frees what is only kept to be fast.
    func purge() { idle.withLock { $0.removeAll() } }
}

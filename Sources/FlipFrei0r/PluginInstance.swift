import CFrei0r
import FlipGeometry
import FlipHost
import FlipRaster

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An instance of a plugin, for pictures of one size, used by one thread at a time. Frames don't depend on earlier
/// ones; only buffers are reused.
package final class PluginInstance {
    private let width: Int
    private let height: Int
    /// The number of rows below two stacked pictures that belong to neither.
    private let spareRows: Int
    /// The unit of the host's clock, in seconds.
    private let clockUnit: Double
    private var settings = HostSettings()
    /// The transition that the settings describe; nil after they have changed.
    private var transition: HostTransition?
    /// Draws at the picture's own width, which the settings may give.
    private var renderer: TransitionRenderer
    /// The mistakes that have already been reported.
    private var reported: Set<String> = []
    /// The C strings that the host was given, by the index of their parameter.
    private var texts: [Int: UnsafeMutablePointer<CChar>] = [:]

    /// An instance for pictures of `width` x `height` pixels; nil unless both are 1...16384.
    package init?(width: Int, height: Int, spareRows: Int = 0, clockUnit: Double) {
        guard TransitionRenderer.sides.contains(width), TransitionRenderer.sides.contains(height) else { return nil }
        (self.width, self.height, self.spareRows, self.clockUnit) = (width, height, spareRows, clockUnit)
        renderer = PluginInstance.renderer(width: width, height: height)
    }

    /// Hosts draw with many threads of their own, so an instance needs only the one that calls it. Opaque pixels are
    /// drawn as those of pictures without alpha are, which is what most clips are decoded from.
    private static func renderer(width: Int, height: Int) -> TransitionRenderer {
        guard let layout = PixelLayout(named: "rgba") else { preconditionFailure("rgba is a layout") }
        return TransitionRenderer(
            layout: layout, width: width, height: height, background: .black, threads: 1, rounding: .direct)
    }

    deinit { for text in texts.values { free(text) } }

    /// Draws the frame at `time` of the host's clock, from the first picture to the second, or the other way around if
    /// `swap` is set. `result` must be neither of the pictures. Its padding, if any, is left as it is.
    package func draw(
        _ time: Double, from first: UnsafeRawPointer, to second: UnsafeRawPointer, into result: UnsafeMutableRawPointer
    ) {
        let transition = current()
        if renderer.width != transition.width {
            renderer = PluginInstance.renderer(width: transition.width, height: height)
        }
        renderer.background = transition.background
        let time = time * clockUnit
        let (from, to) = settings.isSwapped ? (second, first) : (first, second)
        let spacing = transition.spacing(settings, frame: nil)
        if spacing == nil, transition.look.look.shutter > 0 {
            report("shutter has no effect, since the host doesn't tell how long a frame is (MLT does, with rate)")
        }
        renderer.render(
            transition.look, at: transition.time(settings.progress(at: time), seconds: time), spacing: spacing ?? 0,
            progress: { transition.progress(at: $0) },
            from: view(UnsafeMutableRawPointer(mutating: from)), to: view(UnsafeMutableRawPointer(mutating: to)),
            into: view(result))
    }

    /// Draws the frame at `time` of the host's clock, from the upper half of `pair` to the lower one, each of the
    /// instance's size, into the upper half of `result`. The second picture and the spare rows below it are copied.
    package func drawStack(_ time: Double, _ pair: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        let half = 4 * pixels
        draw(time, from: pair, to: pair + half, into: result)
        (result + half).copyMemory(from: pair + half, byteCount: half + 4 * width * spareRows)
    }

    /// The number of pixels of a frame, including padding.
    private var pixels: Int { width * height }

    /// Copies a frame.
    package func copy(_ picture: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        result.copyMemory(from: picture, byteCount: 4 * pixels)
    }

    private func view(_ pixels: UnsafeMutableRawPointer) -> PictureView {
        PictureView(PlaneView(base: pixels, stride: 4 * width, width: renderer.width, height: height))
    }

    private func current() -> HostTransition {
        if let transition { return transition }
        let fresh = HostTransition(settings, width: width, height: height)
        // Report each mistake once: animated values make a new transition for every frame.
        fresh.mistakes.forEach(report)
        transition = fresh
        return fresh
    }

    /// Reports a mistake unless it has been reported before.
    private func report(_ mistake: String) {
        if reported.insert(mistake).inserted && reported.count < 100 { PluginInstance.say(mistake) }
    }

    /// Writes a line to standard error, because frei0r has no way to report errors.
    private static func say(_ sentence: String) {
        var line = "fliptransition: \(sentence)\n"
        line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }

    // MARK: Parameters

    /// Sets parameter `index` to the value in the host's memory.
    func set(_ index: Int, from memory: UnsafeRawPointer) {
        guard settings.values.indices.contains(index) else { return }
        let value: HostParameter.Value
        switch settings.values[index] {
        case .flag: value = .flag(memory.loadUnaligned(as: Double.self) >= 0.5)
        case .number: value = .number(memory.loadUnaligned(as: Double.self))
        case .color:
            let color = memory.loadUnaligned(as: flip_f0r_color.self)
            value = .color(Color(red: part(color.red), green: part(color.green), blue: part(color.blue)))
        case .text:
            guard let text = memory.loadUnaligned(as: UnsafePointer<CChar>?.self) else { return }
            value = .text(String(cString: text))
        }
        let isChanged = settings.set(index, to: value)
        if isChanged, !HostParameter.all[index].changesAllTheTime { transition = nil }
    }

    private func part(_ value: Float) -> Double { value.isFinite ? min(max(Double(value), 0), 1) : 0 }

    /// Writes the value of parameter `index` to the host's memory.
    func get(_ index: Int, into memory: UnsafeMutableRawPointer) {
        guard settings.values.indices.contains(index) else { return }
        switch settings.values[index] {
        case .flag(let flag): memory.storeBytes(of: flag ? 1 : 0, as: Double.self)
        case .number(let number): memory.storeBytes(of: number, as: Double.self)
        case .color(let color):
            memory.storeBytes(
                of: flip_f0r_color(red: Float(color.red), green: Float(color.green), blue: Float(color.blue)),
                as: flip_f0r_color.self)
        case .text(let text):
            free(texts[index])
            texts[index] = strdup(text)
            memory.storeBytes(of: texts[index], as: UnsafeMutablePointer<CChar>?.self)
        }
    }
}

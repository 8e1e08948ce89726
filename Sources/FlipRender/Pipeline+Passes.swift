import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// Why an output is encoded more than once.
enum EncodingPasses: Equatable {
    case one
    /// To come near to so many bytes, and not to exceed them.
    case size(Int)
    /// Not to exceed so many bytes, if the quality that is asked for would.
    case limit(Int)
    /// To choose one palette for all frames.
    case palette

    /// The option that bounds the output's size; nil if none does.
    func sizeOption(_ settings: OutputSettings) -> String? {
        switch self {
        case .size: "--target-size"
        case .limit: settings.presetFor.map { "--preset-for \($0.name)" }
        case .one, .palette: nil
        }
    }
}

extension OutputSettings {
    /// Why an output of these settings is encoded more than once.
    var passes: EncodingPasses {
        if let targetSize { return .size(targetSize) }
        // A quality or a bit rate that is asked for counts for more than the preset's limit.
        if let limit = presetFor?.sizeLimit, crf == nil, videoBitrate == nil { return .limit(limit) }
        return presetFor?.isSmall == true ? .palette : .one
    }
}

/// Outputs of a given size. The encoder's first pass learns what the pictures need, and the second one spends the bits by it. What
/// the rest of the file takes is known when it is written, so where the size is missed, the second pass is repeated with the
/// bit rate that makes up for it.
extension Pipeline {
    /// The share of the size asked for that an output may fall short of it.
    private static let tolerance = 0.02
    /// The share that is aimed at, so that neither bound is passed by chance.
    fileprivate static let aim = 0.99
    /// How often the second pass is repeated at most.
    private static let mostPasses = 6

    func runInPasses(progress: @escaping @Sendable (Progress) -> Void) throws -> RenderReport {
        let start = ContinuousClock.now
        var report: RenderReport
        switch asked.passes {
        case .one: return try run(asked, progress: progress)
        case .palette: report = try inPasses(asked, progress) { plan in try run(plan, progress: progress) }
        case .size(let size): report = try run(asked, to: size, progress: progress)
        case .limit(let size):
            report = try run(asked, progress: progress) { $0 <= size }
            if report.bytes > size { report = try run(asked.fitted(to: size), to: size, progress: progress) }
        }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    /// Carries out the first pass of `plan`, which leaves no output, and then `second` with the plan of the second one.
    private func inPasses(
        _ plan: RenderPlan, _ progress: @escaping @Sendable (Progress) -> Void,
        _ second: (inout RenderPlan) throws -> RenderReport
    ) throws -> RenderReport {
        guard let place = TemporaryPlace(beside: plan.path, kind: .privateFolder) else {
            throw MediaError.system(.cannotCreate, "create a folder beside", plan.path)
        }
        defer { place.remove() }
        var plan = plan
        plan.video.pass = VideoEncoding.Pass(isFirst: true, statistics: place.path + "/pass")
        _ = try run(plan, progress: progress) { _ in false }
        plan.video.pass?.isFirst = false
        return try second(&plan)
    }

    private func run(
        _ plan: RenderPlan, to size: Int, progress: @escaping @Sendable (Progress) -> Void
    ) throws -> RenderReport {
        try inPasses(plan, progress) { plan in
            try checkQuantizers(plan, size)
            return try approach(size, &plan, progress)
        }
    }

    /// Carries out the second pass until the output has the size.
    private func approach(
        _ size: Int, _ plan: inout RenderPlan, _ progress: @escaping @Sendable (Progress) -> Void
    ) throws -> RenderReport {
        let least = Double(size) * (1 - Self.tolerance)
        let aim = Double(size) * Self.aim
        var last: (bitrate: Int, bytes: Int)?
        // Whether the picture needs no more, and audio has got what it left.
        var isShared = false
        for attempt in 1...Self.mostPasses {
            let (current, before, wasShared) = (plan, last, isShared)
            let bitrate = plan.video.bitrate ?? 0
            let isLast = attempt == Self.mostPasses
            let isSatisfied = { (bytes: Int) in
                wasShared || before.map { Self.isSatisfied(bytes, bitrate, after: $0) } ?? false
            }
            let suits = { (bytes: Int) in
                if bytes > size { return false }
                if Double(bytes) >= least || isLast || wasShared { return true }
                return isSatisfied(bytes) && current.enriched(by: aim - Double(bytes)) == nil
            }
            var report = try run(plan, progress: progress, accepts: suits)
            if suits(report.bytes) {
                if Double(report.bytes) < least {
                    report.remark(
                        "\(plan.path) has \(RenderReport.size(report.bytes)) of the \(RenderReport.size(size)) asked for, "
                            + (isSatisfied(report.bytes)
                                ? "since its picture needs no more" : "and further passes came no nearer"))
                }
                return report
            }
            if report.bytes < size, isSatisfied(report.bytes),
                let enriched = plan.enriched(by: aim - Double(report.bytes))
            {
                plan = enriched
                isShared = true
                continue
            }
            last = (bitrate, report.bytes)
            let missing = (aim - Double(report.bytes)) * 8 / asked.seconds.doubleValue
            // Where the encoder doesn't follow the bit rate, more than what is missing has to be asked for.
            plan.video.bitrate = max(1000, Int(Double(bitrate) + missing))
        }
        throw MediaError(
            .usage,
            "an output of at most \(size) bytes was not reached in \(Self.mostPasses) attempts, the last of which had "
                + "\(last?.bytes ?? 0) (ask for a smaller picture with --size, or for another --target-size)")
    }

    /// Whether an encoder has nothing more to spend bits on, since with a higher bit rate it made hardly more `bytes` than
    /// it did in the pass before.
    private static func isSatisfied(_ bytes: Int, _ bitrate: Int, after last: (bitrate: Int, bytes: Int)) -> Bool {
        let more = Double(bitrate) / Double(last.bitrate) - 1
        return more > 0 && Double(bytes - last.bytes) < 0.1 * Double(last.bytes) * more
    }

    /// The quantizer of x264 and x265, 0...51, above which a picture falls apart into blocks.
    private static let coarsest = 42.0

    /// Throws if the picture has too much texture for its bits. The first pass tells what each frame took: the quantizer, the
    /// bits of its texture, which a quantizer 6 steps lower doubles, and those of its motion and headers.
    private func checkQuantizers(_ plan: RenderPlan, _ size: Int) throws(MediaError) {
        guard let path = plan.video.pass?.statistics, let text = try? String(contentsOfFile: path, encoding: .utf8)
        else { return }
        var bits = 0.0
        for line in text.split(separator: "\n") where line.hasPrefix("in:") {
            let value = { (name: String) in
                line.range(of: " \(name):").flatMap { Double(line[$0.upperBound...].prefix { $0 != " " }) } ?? 0
            }
            bits += value("mv") + value("misc") + value("tex") * pow(2, (min(value("q"), 51) - Self.coarsest) / 6)
        }
        let missing = bits / 8 - Double(plan.video.bitrate ?? 0) * asked.seconds.doubleValue / 8
        guard missing > 0 else { return }
        throw MediaError(
            .usage,
            "\(asked.seconds.playTime(decimals: 0)) of \(asked.video.width)x\(asked.video.height) would fall apart at "
                + "\(size) bytes, and needs some \(Int(((Double(size) + missing) / 1e5).rounded(.up)) * 100) kB (give that, or a smaller --size)"
        )
    }
}

extension RenderPlan {
    /// The share of the size that is left to audio whose bit rate may be lowered.
    private static let audioShare = 0.25

    /// The same plan with the bit rates for an output of `size` bytes, as far as they are known beforehand.
    func fitted(to size: Int) throws(MediaError) -> RenderPlan {
        let length = seconds.doubleValue
        // Headers and indices: some bytes for each packet.
        let packets = Double(timeline.frames) + Double(audioTracks.count) * length * 50
        let bits = (Double(size) * Pipeline.aim - packets * 12 - 4096) * 8 / length
        var plan = self
        plan.fitAudio(to: bits * Self.audioShare)
        if let audio = plan.audio, let highest = audio.highestBitrate, audio.rate < highest {
            plan.remarks.append(
                "\(audioName) gets \(audio.rate / 1000) kbit/s rather than \(highest / 1000), so that enough is left for the "
                    + "picture (--audio-bitrate decides it)")
        }
        // Lossless audio takes what it takes, which the second pass makes up for.
        let sound = Double(plan.audioTracks.map(\.encoding.rate).reduce(0, +))
        guard bits - sound >= 1000 else {
            let time = seconds.playTime(decimals: 0)
            throw MediaError(
                .usage,
                "\(size) bytes leave nothing for the picture, since "
                    + (sound > 0
                        ? "\(time) of audio take some \(Int((sound * length / 8 / 1000).rounded(.up))) kB (give a lower "
                            + "--audio-bitrate, or --no-audio)"
                        : "the index of \(timeline.frames) frames takes some \(Int(packets * 12 / 1000)) kB (give a larger "
                            + "--target-size, or a lower --fps)"))
        }
        plan.video.bitrate = Int(bits - sound)
        plan.video.crf = nil
        return plan
    }

    /// The same plan with more bits for audio where `bytes` are left over; nil if it can't have more.
    func enriched(by bytes: Double) -> RenderPlan? {
        var plan = self
        let rate = audioTracks.map(\.encoding.rate).reduce(0, +)
        plan.fitAudio(to: Double(rate) + bytes * 8 / seconds.doubleValue)
        guard let before = audio?.rate, let after = plan.audio?.rate, after > before else { return nil }
        plan.remarks.append("\(audioName) gets \(after / 1000) kbit/s after all, since the picture needs less")
        return plan
    }

    /// Gives audio whose bit rate may be lowered at most `bits` per second, for all tracks together.
    private mutating func fitAudio(to bits: Double) {
        audioTracks = audioTracks.map { $0.fitted(to: Int(bits) / audioTracks.count) }
    }

    private var audioName: String { audioTracks.count > 1 ? "each audio track" : "the audio" }
}

extension Planner {
    /// Settles what else follows for an output that is encoded more than once: nothing is copied, passed on or rendered in
    /// segments. Throws if the settings can't be combined with a size asked for.
    mutating func settlePasses() throws(MediaError) {
        passes = settings.passes
        if passes == .one { return }
        if case .size = passes { try checkTargetSize() }
        if settings.render == .smart, let preset = settings.presetFor {
            throw MediaError(.usage, "--preset-for \(preset.name) encodes everything (leave out --render)")
        }
        composition.output.render = .full
        composition.output.segments = .off
        composition.reading.passesOn = false
    }

    private func checkTargetSize() throws(MediaError) {
        let others = [("--crf", settings.crf != nil), ("--bitrate", settings.videoBitrate != nil)]
        if let (name, _) = others.first(where: \.1) {
            throw MediaError(.usage, "\(name) can't be combined with --target-size, which decides the quality")
        }
        if settings.render != .full {
            throw MediaError(.usage, "--target-size encodes everything (leave out --render)")
        }
        if OutputPlace(settings.path).isStream || settings.isStill {
            throw MediaError(.usage, "--target-size needs a file, not '\(settings.path)'")
        }
    }
}

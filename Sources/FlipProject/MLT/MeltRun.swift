import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// A project as melt is given it, and the runs of melt that render parts of it.
struct MeltRun: Sendable {
    /// The path of the project, as messages have it.
    let project: String
    /// The document, and the documents that it names, with the names of their files.
    let text: String
    let nested: [(name: String, text: String)]
    /// The files and folders that melt may read.
    let readable: [String]
    let profile: MLTProfile
    /// The channels of the project's sound.
    let channels: Int
    /// The room for raw frames, which take a hundredth of the time to write and to read again that coded ones take.
    private let room = RawRoom()

    /// How many frames are rendered before those that are wanted, since some filters look back, and decoders find their way.
    static let preroll = 12
    private static let sampleRate = 48_000
    /// The name of a layout by its number of channels.
    private static let layouts = [1: "mono", 2: "stereo", 4: "quad", 6: "5.1"]

    init(
        project: String, text: String, nested: [(name: String, text: String)], readable: Set<String>,
        profile: MLTProfile, channels: Int
    ) {
        (self.project, self.text, self.nested, self.profile) = (project, text, nested, profile)
        self.readable = readable.sorted()
        self.channels = Self.layouts[channels] == nil ? 2 : channels
    }

    // MARK: What it makes

    /// The frames `frames` of the project, behind `lead` frames before them.
    func picture(_ frames: Range<Int>, reason: String) -> (media: MadeMedia, lead: Int) {
        let lead = min(Self.preroll, frames.lowerBound)
        let all = frames.lowerBound - lead..<frames.upperBound
        let shown = profile.shown
        let video = VideoInfo(
            streamIndex: 0, codec: "rawvideo", profile: nil, width: profile.width, height: profile.height,
            sampleAspectRatio: profile.sampleAspectRatio, transform: .identity, displayWidth: shown.width,
            displayHeight: shown.height, pixelFormat: .planar420, color: profile.color, hdr: nil,
            frameRate: profile.rate,
            isVariableFrameRate: false, isInterlaced: !profile.isProgressive, frameCount: all.count, start: .zero,
            duration: Rational(all.count) / profile.rate, isStill: false, seekPoints: [])
        let name = "\(project)#frames=\(frames.lowerBound)-\(frames.upperBound - 1)"
        let info = MediaInfo(
            path: name, format: "matroska,webm", byteCount: 0, video: video, audioTracks: [], audioTrackCount: 0,
            title: nil,
            chapters: [], ignoredStreams: [])
        let media = MadeMedia(info, maker: "melt", reason: reason) { () throws(MediaError) in
            // Raw frames don't say whether they hold fields.
            let isRaw = profile.isProgressive && room.take(all.count * profile.width * profile.height * 3 / 2)
            // Golomb-Rice codes of FFV1 take half the time of its arithmetic codes, and some more room.
            let coding =
                isRaw ? ["vcodec=rawvideo"] : ["vcodec=ffv1", "level=3", "coder=0", "context=0", "slices=4", "g=1"]
            let file = try render(all, ending: "mkv", ["f=matroska", "pix_fmt=yuv420p", "an=1"] + coding)
            let found = try MediaProbe.probe(path: file.location).video?.frameCount ?? 0
            guard found == all.count else { throw incomplete("\(found) of \(all.count) frames") }
            return file
        }
        return (media, lead)
    }

    /// The sound of the project's frames `frames`.
    func sound(_ frames: Range<Int>, reason: String) -> MadeMedia {
        let audio = AudioInfo(
            streamIndex: 0, codec: "pcm_f32le", sampleRate: Self.sampleRate, channels: channels,
            layout: Self.layouts[channels] ?? "stereo", start: .zero)
        let info = MediaInfo(
            path: "\(project)#sound", format: "wav", byteCount: 0, video: nil, audioTracks: [audio], audioTrackCount: 1,
            title: nil, chapters: [], ignoredStreams: [])
        let seconds = Rational(frames.count) / profile.rate
        return MadeMedia(info, duration: seconds, maker: "melt", reason: reason) { () throws(MediaError) in
            let file = try render(
                frames, ending: "wav",
                [
                    "f=wav", "acodec=pcm_f32le", "rf64=auto", "frequency=\(Self.sampleRate)", "channels=\(channels)",
                    "vn=1", "video_off=1",
                ])
            let found = try MediaProbe.probeAudio(path: file.location)?.duration ?? .zero
            guard found + profile.rate.inverse >= seconds else { throw incomplete("\(found.decimalText) s of sound") }
            return file
        }
    }

    private func incomplete(_ found: String) -> MediaError {
        let hasRoom = (try? NamelessFile())?.hasRoom ?? false
        return hasRoom
            ? MediaError(.badInput, "melt cannot render '\(project)': it made only \(found)")
            : MediaError(.io, "melt cannot render '\(project)': no space left in \(NamelessFile.folder)")
    }

    // MARK: Running

    /// Renders `frames` into a file.
    private func render(_ frames: Range<Int>, ending: String, _ options: [String]) throws(MediaError) -> NamelessFile {
        let place = try TemporaryPlace.privateFolder(named: "melt")
        defer { place.remove() }
        guard let folder = Files.realPath(place.path) else { throw MediaError.system(.io, "find", place.path) }
        do {
            for (name, text) in nested + [("project.mlt", text)] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
            }
        } catch {
            throw MediaError(.io, "cannot write to \(folder)")
        }
        let result = folder + "/result." + ending
        let words =
            [
                "-silent", folder + "/project.mlt", "in=\(frames.lowerBound)", "out=\(frames.upperBound - 1)",
                "-consumer",
            ]
            // Other values of real_time drop frames, or render them in an order that some filters don't survive.
            + ["avformat:\(result)", "real_time=-1", "terminate_on_pause=1"] + options
        // On a busy machine, melt's consumer may not see that it has been started (MLT 7). Then melt ends at once and has written
        // nothing, or it waits forever.
        for attempt in 1... {
            unlink(result)
            let isLast = attempt == Self.attempts
            do throws(MediaError) {
                try HelperProgram.melt.run(
                    words, for: project, into: try NamelessFile(), limits: limits(frames.count, folder))
            } catch {
                if isLast || error.kind != .badInput || size(of: result) > 0 { throw error }
            }
            if isLast || size(of: result) > 0 { break }
        }
        guard let file = try? NamelessFile(adopting: result) else { throw incomplete("no file") }
        return file
    }

    private static let attempts = 4

    private func size(of path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private func limits(_ frames: Int, _ folder: String) -> HelperProgram.Limits {
        var limits = HelperProgram.Limits()
        // A hundred times as long as a plain cut takes.
        limits.seconds = 120 + frames * max(profile.width * profile.height / 200_000, 1)
        limits.idleSeconds = 10
        limits.memory = 16 << 30
        limits.fileBytes = (64 << 20) + frames * (profile.width * profile.height * 2 + 64 * channels * 1024)
        // Qt draws titles without a display, but MLT asks for the name of one.
        limits.launcher =
            (Sandbox(readable: readable + [Sandbox.users], folder: folder).words() ?? [])
            + [
                "env", "-u", "WAYLAND_DISPLAY", "DISPLAY=:none", "QT_QPA_PLATFORM=offscreen",
                "XDG_RUNTIME_DIR=" + folder, "TMPDIR=" + folder,
            ]
        return limits
    }
}

/// What the raw frames of a project may take in temporary files, altogether.
private final class RawRoom: Sendable {
    private let left = Mutex(1 << 30)

    /// Takes `bytes` of it. Returns false if less is left.
    func take(_ bytes: Int) -> Bool {
        left.withLock { left in
            guard bytes <= left else { return false }
            left -= bytes
            return true
        }
    }
}

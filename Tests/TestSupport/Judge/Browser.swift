import Foundation

/// What a browser showed of a video.
package struct BrowserView: Sendable {
    /// A frame that a seek found.
    package struct Frame: Sendable {
        /// The frame's own time in seconds; nil where the browser presented none.
        package var mediaTime: Double?
        /// WebCodecs' name of the decoded format: I420.
        package var format: String
        /// SHA-256 of the decoded planes, packed, in hexadecimal digits: that of ffmpeg's `framehash`.
        package var sha256: String
        /// The frame as a canvas got it.
        package var picture: GrayCells
    }

    /// How the video played from its start to its end.
    package struct Playing: Sendable {
        /// The times of the frames that were presented, in seconds; some are left out where it plays fast.
        package var times: [Double]
        /// Where it ended, in seconds.
        package var end: Double
        /// Frames that the browser calls damaged.
        package var damaged: Int
    }

    /// Seconds; of the longest stream.
    package var duration: Double
    /// Pixels.
    package var width: Int
    package var height: Int
    /// One for each time that was asked for.
    package var frames: [Frame]
    /// nil where it wasn't asked for.
    package var playing: Playing?
}

/// Chromium without a window, which decodes with a build of libavcodec of its own, but demuxes, seeks and times by its own
/// rules.
package enum Browser {
    /// Chromium's path: FLIPTRANSITION_CHROMIUM, else `chromium` on PATH; nil where there is none.
    package static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        let places = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/chromium" }
        return ([environment["FLIPTRANSITION_CHROMIUM"]].compactMap(\.self) + places).first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// Why a test of playback does not run.
    package static let isMissing = "needs chromium (scripts/setup --tests installs it)"

    /// Seeks to each of `times` in seconds, then plays all of the video at `speed` times its own, if given. Throws where the
    /// browser reports an error, or doesn't end.
    package static func view(_ file: String, times: [Double], speed: Double? = nil) throws -> BrowserView {
        guard let path else { throw ToolError(isMissing) }
        let task: [String: Any] = [
            "source": URL(fileURLWithPath: file).absoluteString, "times": times, "width": GrayCells.width,
            "height": GrayCells.height, "speed": speed ?? 0,
        ]
        let text = try String(decoding: JSONSerialization.data(withJSONObject: task), as: UTF8.self)
        let page = URL(fileURLWithPath: Places.package + "/Tests/TestSupport/Judge/player.html").absoluteString
        guard let fragment = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else {
            throw ToolError("no address for \(file)")
        }
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            path,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-breakpad",
                "--autoplay-policy=no-user-gesture-required", "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=\(folder.path)", "--enable-logging=stderr", "\(page)#\(fragment)",
            ])
        return try BrowserView(facts: facts(run), of: run)
    }

    /// What the page wrote to the console.
    private static func facts(_ run: ToolRun) throws -> [[String: Any]] {
        try run.messageLines.compactMap { line in
            guard let start = line.range(of: "\"player: "),
                let end = line.range(of: "\", source: ", options: .backwards)
            else { return nil }
            let fact = try JSONSerialization.jsonObject(with: Data(line[start.upperBound..<end.lowerBound].utf8))
            return fact as? [String: Any]
        }
    }
}

extension BrowserView {
    fileprivate init(facts: [[String: Any]], of run: ToolRun) throws {
        if let error = facts.compactMap({ $0["error"] }).first { throw ToolError("the browser says: \(error)") }
        guard facts.last?["finished"] != nil, let opened = facts.first, let size = opened["size"] as? [Int],
            let duration = opened["duration"] as? Double
        else { throw ToolError("the browser did not finish: \(run.story)") }
        self.init(
            duration: duration, width: size[0], height: size[1],
            frames: try facts.filter { $0["sha256"] != nil }.map(Frame.init),
            playing: facts.lazy.compactMap(Playing.init).first)
    }
}

extension BrowserView.Playing {
    fileprivate init?(_ fact: [String: Any]) {
        guard let times = fact["played"] as? [Double], let end = fact["ended"] as? Double,
            let damaged = fact["damaged"] as? Int
        else { return nil }
        self.init(times: times, end: end, damaged: damaged)
    }
}

extension BrowserView.Frame {
    fileprivate init(_ fact: [String: Any]) throws {
        guard let format = fact["format"] as? String, let sha256 = fact["sha256"] as? String,
            let picture = (fact["luma"] as? String).flatMap(GrayCells.init(hexadecimal:))
        else { throw ToolError("the browser says nothing of a frame: \(fact)") }
        self.init(mediaTime: fact["mediaTime"] as? Double, format: format, sha256: sha256, picture: picture)
    }
}

import Foundation

/// What a browser showed when it opened a video.
package struct BrowserView: Sendable {
    /// The frame shown after a seek.
    package struct Frame: Sendable {
        /// The frame's presentation time in seconds; nil if the browser presented no frame.
        package var mediaTime: Double?
        /// WebCodecs' name of the decoded format, such as I420.
        package var format: String
        /// The SHA-256 of the decoded planes without row padding, in hexadecimal digits, as ffmpeg's `framehash`
        /// computes it.
        package var sha256: String
        /// The frame as drawn on a canvas.
        package var picture: GrayCells
        /// The PSNR in dB of the canvas against the picture that was given for this frame; nil for none.
        package var psnr: Double?
    }

    /// The playback of the whole video.
    package struct Playing: Sendable {
        /// The times of the presented frames in seconds; some frames are skipped in fast playback.
        package var times: [Double]
        /// The playback position at the end, in seconds.
        package var end: Double
        /// The number of frames that the browser reports as corrupted.
        package var damaged: Int
    }

    /// The duration of the longest stream, in seconds.
    package var duration: Double
    /// The size in pixels.
    package var width: Int
    package var height: Int
    /// One frame for each time that was asked for.
    package var frames: [Frame]
    /// The playback; nil if none was asked for.
    package var playing: Playing?
}

/// Headless Chromium. It decodes with its own build of libavcodec, but demuxes, seeks and times frames by itself.
package enum Browser {
    /// Chromium's path: FLIPTRANSITION_CHROMIUM, or else `chromium` on PATH; nil if there is none.
    package static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        let places = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/chromium" }
        return ([environment["FLIPTRANSITION_CHROMIUM"]].compactMap(\.self) + places).first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// Why tests of playback are skipped.
    package static let isMissing = "needs chromium (scripts/setup --tests installs it)"

    /// Seeks to each of `times`, in seconds, and then plays the whole video at `speed` times normal speed, if given.
    /// Throws if the browser reports an error or does not finish.
    /// - Parameter pictures: the path of a picture for each of the times, which what is shown is compared with.
    package static func view(
        _ file: String, times: [Double], pictures: [String] = [], speed: Double? = nil
    ) throws -> BrowserView {
        guard let path else { throw ToolError(isMissing) }
        let task: [String: Any] = [
            "source": URL(fileURLWithPath: file).absoluteString, "times": times, "width": GrayCells.width,
            "height": GrayCells.height, "speed": speed ?? 0,
            "pictures": pictures.map { URL(fileURLWithPath: $0).absoluteString },
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

    /// The JSON objects that the page wrote to the console.
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
        self.init(
            mediaTime: fact["mediaTime"] as? Double, format: format, sha256: sha256, picture: picture,
            psnr: fact["psnr"] as? Double)
    }
}

import FlipGeometry
import FlipHost
import FlipRaster
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

extension CommandTests {
    /// The frei0r plugins, run by the programs that load them.
    @Suite(.serialized, .enabled(if: Places.plugins != nil, Comment(rawValue: Places.pluginsAreMissing)))
    struct PluginTests {
        let folder = TemporaryFolder.make()

        static func has(_ program: String) -> Bool { (try? Tool.run("which", [program]).status) == 0 }

        /// Runs a program with the path of the plugins in its environment.
        @discardableResult
        static func host(_ words: [String], timeout: Double = 120) throws -> ToolRun {
            try Tool.succeed("env", ["FREI0R_PATH=\(try #require(Places.plugins))"] + words, timeout: timeout)
        }

        /// Two lossless R'G'B' clips of `count` frames of real video, so that only the plugin changes their pixels.
        private func realClips(frames count: Int) throws -> [String] {
            try ["bunny", "flower"].map { name in
                try clips().make(
                    "plugin-\(name).mkv", "-i \(Places.package)/Media/\(name).mp4 -an",
                    "-vf fps=25,scale=320:180,format=gbrp -frames:v \(count) -c:v ffv1")
            }
        }

        private func pictures(_ path: String, _ range: Range<Int>? = nil) throws -> [TestPicture] {
            try Judge.pictures(path, pixelFormat: "gbrp", width: 320, height: 180, range: range)
        }

        /// Joins 25 frames of each clip in melt, with an overlap of 15 frames drawn by `mixer`.
        private func melt(_ inputs: [String], to path: String, _ mixer: [String], threads: Int = 1) throws {
            try MeltRun.succeed(
                inputs.flatMap { [$0, "out=24"] } + [
                    "-mix", "15", "-mixer", "frei0r.fliptransition", "progress=0=0; -1=1",
                ] + mixer + [
                    "-consumer", "avformat:\(path)", "vcodec=ffv1", "pix_fmt=bgr0", "an=1", "real_time=-\(threads)",
                ], writing: path)
        }

        /// Frame `index` of the 15 of the transition, drawn by the program. In melt the first of these is purely A and
        /// the last purely B.
        private func still(_ inputs: [String], _ index: Int, _ look: Look, _ options: [String]) throws -> TestPicture {
            let folder = try TemporaryFolder()
            let progress = look.easing(Double(index) / 14)
            try succeed(
                "still \(inputs[0] + "#t=0,\(Double(11 + index) / 25)") \(inputs[1] + "#t=\(Double(index) / 25)")",
                "\(folder / "still.png") --at \(progress) \(options)")
            return try #require(try pictures(folder / "still.png").first)
        }

        @Test(
            .turn(1, of: 2), .enabled(if: PluginTests.has("melt"), "needs melt"),
            arguments: Places.some(
                ["flip", "fold", "card", "curl", "cube", "blinds", "push", "slide", "wipe"], every: 12))
        func meltDrawsWhatStillDraws(style: String) throws {
            let inputs = try realClips(frames: 25)
            try melt(inputs, to: folder / "join.mkv", ["style=\(style)"])
            let frames = try pictures(folder / "join.mkv")
            #expect(frames.count == 35)
            for index in [1, 4, 7, 10, 13] {
                let look = try Styles.named(style).defaults
                let difference = PictureDifference(
                    frames[10 + index], try still(inputs, index, look, ["--style", style]))
                #expect(difference.psnr >= 48, "\(style) \(index): \(difference)")
            }
            let (first, second) = (try pictures(inputs[0]), try pictures(inputs[1]))
            #expect(Array(frames[..<11]) == Array(first[..<11]) && Array(frames[24...]) == Array(second[14...]))
            try melt(inputs, to: folder / "threads.mkv", ["style=\(style)"], threads: 4)
            #expect(try Judge.frameHashes(folder / "threads.mkv") == Judge.frameHashes(folder / "join.mkv"))
        }

        /// melt's parameters draw what the program's options draw, where the two are written differently.
        @Test(.turn(0, of: 3), .enabled(if: PluginTests.has("melt"), "needs melt"))
        func parametersAreTheOptions() throws {
            let inputs = try realClips(frames: 25)
            let cases: [(style: String, mixer: [String], options: [String])] = [
                (
                    "flip",
                    [
                        "direction=backward", "orientation=vertical", "spine=0.25", "perspective=0.25",
                        "viewpoint-x=0.52", "viewpoint-y=0.48", "shadow=edge", "shadow-strength=0.5",
                        "shadow-color=#ff8000",
                    ],
                    [
                        "--direction", "backward", "--orientation", "vertical", "--spine", "0.275", "--perspective",
                        "9.33333333333333", "--viewpoint", "0.68,0.32", "--shadow", "edge", "--shadow-strength", "1.5",
                        "--shadow-color", "#ff8000",
                    ]
                ),
                ("flip", ["reverse=1"], ["--reverse"]),
                ("fold", ["creases=0.2"], ["--creases", "4"]), ("unfold", ["mode=cubic"], ["--mode", "cubic"]),
                (
                    "card", ["pull-back=0.5", "corner-radius=0.2", "background=#204060"],
                    ["--pull-back", "0.525", "--corner-radius", "18", "--background", "#204060"]
                ),
                (
                    "blinds", ["strips=0.25", "stagger=0.5", "background=#204060"],
                    ["--strips", "18", "--stagger", "2", "--background", "#204060"]
                ),
                ("slide", ["mode=uncover"], ["--mode", "uncover"]), ("wipe", ["softness=0.4"], ["--softness", "0.4"]),
            ]
            for (number, example) in cases.enumerated() {
                let path = folder / "\(number).mkv"
                try melt(inputs, to: path, ["style=\(example.style)", "easing=linear"] + example.mixer)
                var look = Look()
                look.easing = .linear
                let expected = try still(inputs, 4, look, ["--style", example.style] + example.options)
                let difference = PictureDifference(try #require(try pictures(path, 14..<15).first), expected)
                #expect(difference.psnr >= 48, "\(example): \(difference)")
            }
        }

        @Test(.enabled(if: PluginTests.has("melt"), "needs melt")) func meltListsTheParameters() throws {
            let text = try Self.host(["melt", "-query", "transition=frei0r.fliptransition"]).text
            for parameter in HostParameter.all {
                #expect(text.contains("    title: \(parameter.name)\n"), "\(parameter.name)")
            }
        }

        /// Creates, uses and destroys `count` instances of each plugin in a process of its own, run by `words`.
        private func cycle(_ count: Int, under words: [String] = []) throws -> ToolRun {
            let program = URL(fileURLWithPath: try Places.program()).deletingLastPathComponent()
                .appendingPathComponent("plugin-bench").path
            let plugins = try #require(Places.plugins)
            return try Tool.succeed("env", "\(words) \(program) cycles \(plugins) \(count)", timeout: 600)
        }

        /// The memory in use at exit does not grow with the number of instances.
        @Test(.enabled(if: PluginTests.has("valgrind"), "needs valgrind"), .turn(2, of: 4))
        func instancesLeakNothing() throws {
            let leftovers = try [10, 40].map { count in
                let run = try cycle(count, under: ["valgrind", "--undef-value-errors=no"])
                #expect(run.messages.contains("ERROR SUMMARY: 0 errors"), "\(run.messages.suffix(2000))")
                return try #require(
                    run.messageLines.first { $0.contains("in use at exit:") }?.split(separator: ":").last)
            }
            #expect(leftovers[0] == leftovers[1], "after 10 and 40 instances of each plugin")
        }

        /// 2000 instances of each plugin take no more memory than 200, also while they exist, and with their threads.
        @Test(.turn(0, of: 3)) func instancesTakeTurnsInTheSameMemory() throws {
            let peaks = try [200, 2000].map { count in
                try #require(Int(cycle(count).text.filter(\.isNumber)), "the peak in kilobytes")
            }
            #expect(peaks[1] - peaks[0] < 1800 * 2, "\(peaks)")
        }

        @Test(.enabled(if: PluginTests.has("gst-launch-1.0"), "needs gst-launch-1.0"))
        func gstreamerWritesTheTransition() throws {
            // As in docs/PLUGINS.md: sources of different colorimetry are converted to the same one.
            let matrices = ["circular": "bt601", "ball": "bt709"]
            func source(_ pattern: String) -> [String] {
                [
                    "videotestsrc", "num-buffers=25", "pattern=\(pattern)", "!",
                    "video/x-raw,format=I420,colorimetry=\(matrices[pattern] ?? "")", "!", "videoconvert", "!",
                    "video/x-raw,format=RGBA,width=320,height=180,framerate=25/1,colorimetry=sRGB",
                ]
            }
            func sink(_ name: String) -> [String] {
                ["!", "videoconvert", "!", "y4menc", "!", "filesink", "location=\(folder / name)"]
            }
            for pattern in ["circular", "ball"] {
                try Self.host(["gst-launch-1.0", "-q"] + source(pattern) + sink(pattern + ".y4m"))
            }
            try Self.host(
                ["gst-launch-1.0", "-q", "frei0r-mixer-fliptransition", "name=m", "style=card"]
                    + ["offset=0.2", "duration=0.6"] + sink("join.y4m") + source("circular") + ["!", "m.sink_0"]
                    + source("ball") + ["!", "m.sink_1"])
            let (from, to, join) = (
                try pictures(folder / "circular.y4m"), try pictures(folder / "ball.y4m"),
                try pictures(folder / "join.y4m")
            )
            #expect(join.count == 25)
            #expect(Array(join.prefix(6)) == Array(from.prefix(6)) && Array(join.suffix(5)) == Array(to.suffix(5)))
            for index in 8...17 { #expect(psnr(join[index], from[index]) < 40 && psnr(join[index], to[index]) < 40) }
        }
    }
}

extension CommandTests {
    /// The description of the plugin for Kdenlive.
    @Suite struct KdenliveTests {
        private final class Reader: NSObject, XMLParserDelegate {
            var root: [String: String] = [:]
            var parameters: [[String: String]] = []
            var texts: [String: [String]] = [:]
            private var text = ""

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                if name == "transition" { root = attributes }
                if name == "parameter" { parameters.append(attributes) }
                text = ""
            }

            func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

            func parser(
                _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
            ) { texts[name, default: []].append(text) }
        }

        @Test func everyParameterIsNamedAndExplained() throws {
            let reader = Reader()
            let parser = XMLParser(data: try succeed(["styles", "--kdenlive"]).output)
            parser.delegate = reader
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
            #expect(reader.root["tag"] == "frei0r.fliptransition" && reader.root["id"] == reader.root["tag"])
            // A time of 1000 s, which MLT converts to frames; with MLT's `in` and `out` it gives the plugin its
            // progress.
            let clock = try #require(reader.parameters.first)
            #expect(clock == ["type": "fixed", "name": "rate", "value": "00:16:40.000"])
            let hidden = ["progress", "offset", "duration", "width", "rate", "in", "out"]
            let expected = HostParameter.all.filter { !hidden.contains($0.name) }
            #expect(reader.parameters.dropFirst().map { $0["name"] } == expected.map(\.name))
            #expect(reader.texts["comment"] == expected.map(\.explanation))
            #expect(reader.texts["name"]?.count == expected.count + 1)
            // What counts for few styles says for which.
            let names = try #require(reader.texts["name"])
            #expect(names.contains("Creases (fold, unfold)") && names.contains("Shadow strength"), "\(names)")
            #expect(names.contains("Strips (blinds)"), "\(names)")
            for (parameter, found) in zip(expected, reader.parameters.dropFirst()) {
                let value = try #require(found["default"])
                switch parameter.initial {
                case .number(let number):
                    #expect(found["type"] == "animated" && found["min"] == "0" && found["max"] == "1")
                    #expect(value == "\(number)")
                case .flag: #expect(found["type"] == "bool" && value == "0")
                case .color(let color): #expect(found["type"] == "color" && value == color.description)
                case .text:
                    let list = try #require(found["paramlist"]).split(separator: ";").map(String.init)
                    #expect(found["type"] == "list" && list.contains(value))
                    #expect(Set(parameter.choices).isSubset(of: list))
                    // The plugin must accept every entry of the list.
                    for text in list {
                        var settings = HostSettings()
                        let index = try #require(HostParameter.all.firstIndex { $0.name == parameter.name })
                        _ = settings.set(index, to: .text(text))
                        let mistakes = HostTransition(settings, width: 320, height: 180).mistakes
                        // Some shadows are for other styles only.
                        #expect(mistakes.isEmpty || parameter.name == "shadow", "\(text): \(mistakes)")
                    }
                }
            }
        }
    }
}

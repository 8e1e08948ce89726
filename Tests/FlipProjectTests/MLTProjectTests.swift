import FlipBase
import FlipFiles
import FlipMedia
import FlipProject
import FlipRender
import TestSupport
import Testing

/// How projects of editors that build on MLT are read, before anything of them is rendered.
@Suite struct MLTProjectTests {
    private let folder = TemporaryFolder.make()

    private static let profile = """
        <profile width="320" height="180" frame_rate_num="25" frame_rate_den="1" sample_aspect_num="1" sample_aspect_den="1" \
        progressive="1" colorspace="709"/>
        """

    /// The composition of a project with these elements behind its profile.
    private func composition(
        _ elements: String, _ mode: RenderMode = .auto, name: String = "film.mlt", root: RootFolder? = nil
    ) throws -> Composition {
        try "<?xml version=\"1.0\"?>\n<mlt>\(Self.profile)\n\(elements)</mlt>".write(to: folder / name)
        var settings = OutputSettings(path: folder / "out.mp4")
        settings.render = mode
        return try MLTProject(path: folder / name, root: root, settings: settings).composition
    }

    private func properties(_ pairs: [(String, String)]) -> String {
        pairs.map { "<property name=\"\($0.0)\">\($0.1)</property>" }.joined()
    }

    private func producer(_ id: String, _ service: String, _ resource: String, _ more: String = "") -> String {
        "<producer id=\"\(id)\">\(properties([("length", "1000"), ("mlt_service", service), ("resource", resource)]))\(more)</producer>"
    }

    /// Colors that stand for tracks: black is a gap, and everything else is melt's.
    private var colors: String { producer("black", "color", "black") + producer("red", "color", "red") }

    private func playlist(_ id: String, _ items: String) -> String { "<playlist id=\"\(id)\">\(items)</playlist>" }

    private func entry(_ name: String, _ first: Int, _ last: Int) -> String {
        "<entry producer=\"\(name)\" in=\"\(first)\" out=\"\(last)\"/>"
    }

    /// The inputs as their kinds, frames and, for melt, reasons.
    private func kinds(_ composition: Composition) -> [String] {
        composition.inputs.map { input in
            let frames = input.timing?.frames ?? 0
            return input.made.map { "melt \(frames) \($0.reason)" }
                ?? "\(input.kind == .gap ? "gap" : "clip") \(frames)"
        }
    }

    // MARK: Timelines

    @Test func stretchesFollowEachOther() throws {
        let list = playlist(
            "p", entry("black", 0, 9) + entry("red", 5, 14) + "<blank length=\"5\"/>" + entry("black", 0, 0))
        #expect(
            try kinds(composition(colors + list)) == [
                "gap 10", "melt 15 producer color, nothing is shown, for which it has a color of its own", "gap 1",
            ])
        #expect(try kinds(composition(colors + list, .full)) == ["melt 26 --render full has it render all frames"])
    }

    @Test func upperTracksHideLowerOnes() throws {
        let lists =
            playlist("v1", entry("red", 0, 29)) + playlist("v2", "<blank length=\"10\"/>" + entry("black", 0, 9))
        let tracks = "<track producer=\"v1\"/><track producer=\"v2\"/>"
        #expect(
            try kinds(composition(colors + lists + "<tractor id=\"t\">\(tracks)</tractor>"))
                == ["melt 10 producer color", "gap 10", "melt 10 producer color"])
        let hidden = "<track producer=\"v1\"/><track producer=\"v2\" hide=\"video\"/>"
        #expect(
            try kinds(composition(colors + lists + "<tractor id=\"t\">\(hidden)</tractor>")) == [
                "melt 30 producer color"
            ])
    }

    /// A filter is active from `in` to `out`, counted as the frames of what it is attached to; one that is disabled or works
    /// on sound changes no picture.
    @Test(arguments: [
        ("brightness", "in=\"12\" out=\"14\"", "", ["gap 2", "melt 3 filter brightness", "gap 5"]),
        ("brightness", "", "", ["melt 10 filter brightness"]),
        ("brightness", "", "<property name=\"disable\">1</property>", ["gap 10"]), ("volume", "", "", ["gap 10"]),
        ("audiolevel", "", "", ["gap 10"]),
    ])
    func filtersCountTheirOwnFrames(service: String, span: String, more: String, expected: [String]) throws {
        let filter = "<filter \(span)>\(properties([("mlt_service", service)]))\(more)</filter>"
        let list = "<entry producer=\"black\" in=\"10\" out=\"19\">\(filter)</entry>"
        #expect(try kinds(composition(colors + playlist("p", list))) == expected)
    }

    @Test(arguments: [
        ("10", 10), ("00:00:00.400", 10), ("00:00:00:10", 10), ("00:00:01.999", 50), ("00:01:00.000", 1500),
        ("00:00:01,040", 26),
    ])
    func timesHaveThreeForms(text: String, frames: Int) throws {
        let list = playlist("p", entry("black", 0, 0) + "<blank length=\"\(text)\"/>" + entry("black", 0, 0))
        #expect(try composition(colors + list).inputs[1].timing?.frames == frames)
    }

    /// Kdenlive's background is 20 minutes longer than what it shows.
    @Test func projectsOfKdenliveEndWithTheirTracks() throws {
        let bin = producer("black_track", "color", "black") + playlist("main_bin", entry("red", 0, 0))
        let track = "<tractor id=\"t1\"><track producer=\"a\"/><track producer=\"b\"/></tractor>"
        let lists = playlist("a", entry("red", 0, 19)) + playlist("b", "<blank length=\"30\"/>" + entry("red", 0, 4))
        let main = "<tractor id=\"m\" out=\"30034\"><track producer=\"black_track\"/><track producer=\"t1\"/></tractor>"
        #expect(
            try kinds(composition(colors + bin + lists + track + main))
                == ["melt 20 producer color", "gap 10", "melt 5 producer color"])
    }

    /// A document that names each playlist twice in the next one would have a million million parts.
    @Test func repetitionsAreLimited() throws {
        var text = colors + playlist("p0", entry("red", 0, 0) + entry("black", 0, 0))
        for level in 1...40 {
            let name = "p\(level - 1)"
            text += "<playlist id=\"p\(level)\"><entry producer=\"\(name)\"/><entry producer=\"\(name)\"/></playlist>"
        }
        #expect(throws: MediaError.self) { try composition(text) }
    }

    // MARK: Refusals

    /// Why a project is refused.
    private func refusal(_ elements: String, root: RootFolder? = nil) throws -> String {
        try #require(throws: MediaError.self) {
            try composition(elements + playlist("p", entry("x", 0, 9)), root: root)
        }.message
    }

    @Test(arguments: [
        "qml", "webvfx", "consumer", "melt", "melt_file", "decklink", "xml-string", "avfilter.movie", "avfilter.zmq",
        "avfilter.frei0r", "avfilter.metadata", "avfilter.dnn_processing", "movit.blur", "jackrack", "unheard.of",
    ])
    func servicesThatMayDoHarmAreRefusedByName(service: String) throws {
        #expect(try refusal(producer("x", service, "")).contains("service '\(service)' is refused"))
        let filter = "<filter>\(properties([("mlt_service", service)]))</filter>"
        #expect(try refusal(producer("x", "color", "red", filter)).contains("service '\(service)' is refused"))
        // A mask has a filter of its own.
        let mask = "<filter>\(properties([("mlt_service", "mask_start"), ("filter", service)]))</filter>"
        #expect(try refusal(producer("x", "color", "red", mask)).contains("service '\(service)' is refused"))
    }

    @Test(arguments: [
        ("avformat", "http://example.com/a.mp4", "only local files"), ("", "http://a/b", "only local files"),
        ("avformat", "concat:a.mp4|b.mp4", "only local files"),
        ("avformat", "rtmp://example.com/x", "only local files"),
        ("timewarp", "2:http://example.com/a.mp4", "only local files"),
        ("qimage", "data:image/png;base64,AA", "only local files"), ("", "a.melt", "it is a script or a page"),
        ("", "qml:a.qml", "the service 'qml' is refused"), ("", "melt:a", "the service 'melt' is refused"),
        ("timewarp", "fast:a.mp4", "the speed 'fast' is no number"),
    ])
    func networksAndScriptsAreRefused(service: String, resource: String, reason: String) throws {
        // Files of these names are there, so that their absence isn't what is refused.
        for name in ["a.mp4", "b.mp4", "a.melt", "a.qml", "a"] { try Data().write(to: folder / name) }
        let text = producer("x", service, resource)
        let message = try refusal(
            service.isEmpty ? text.replacing("<property name=\"mlt_service\"></property>", with: "") : text)
        #expect(message.contains(reason), "\(message)")
    }

    /// Members of families that open files, sockets or plugins are refused by name, and so are the options by which others
    /// write files or do what those do.
    @Test func whatOpensFilesIsRefused() throws {
        for service in [
            "avfilter.vidstabdetect", "avfilter.vidstabtransform", "avfilter.deshake", "avfilter.fieldhint",
            "avfilter.nnedi", "avfilter.flite", "avfilter.life", "avfilter.", "frei0r.facebl0r", "frei0r.", "ladspa",
            "ladspa.plugin", "sox", "sox.ladspa", "sox.spectrogram", "sox.noiseprof", "sox.fir",
        ] {
            let filter = "<filter>\(properties([("mlt_service", service)]))</filter>"
            #expect(
                try refusal(producer("x", "color", "red", filter)).contains("'\(service)' is refused"), "\(service)")
        }
        for (service, name, value) in [
            ("sox.echo", "effect", "spectrogram -o x.png"), ("sox.echo", "effect.1", "ladspa x"),
            ("avfilter.firequalizer", "av.dumpfile", "x"), ("avfilter.curves", "av.plot", "x"),
            ("vidstab", "analyze", "1"),
        ] {
            let filter = "<filter>\(properties([("mlt_service", service), (name, value)]))</filter>"
            #expect(try refusal(producer("x", "color", "red", filter)).contains("'\(name)' of service"), "\(service)")
        }
        for (service, name) in [
            ("avfilter.subtitles", "av.f"), ("avfilter.lut3d", "av.file"), ("avfilter.sofalizer", "av.sofa"),
            ("shape", "resource"), ("gpsgraphic", "bg_img_path"),
        ] {
            let filter = "<filter>\(properties([("mlt_service", service), (name, "../x")]))</filter>"
            #expect(
                try refusal(producer("x", "color", "red", filter)).contains("outside the project's folder"),
                "\(service)")
        }
        for allowed in ["sox.echo", "ladspa.1218", "frei0r.glow", "avfilter.gblur", "avfilter.equalizer"] {
            let filter = "<filter>\(properties([("mlt_service", allowed), ("av.f", "1000")]))</filter>"
            let list = playlist("p", entry("x", 0, 9))
            #expect(try kinds(composition(producer("x", "color", "red", filter) + list)).count == 1, "\(allowed)")
        }
    }

    /// Projects and scripts in places where MLT would read them unchecked are refused.
    @Test(arguments: ["x.mlt", "x.story", "x.melt", "x.html", "x.mlt?y"])
    func hiddenProjectsAreRefused(name: String) throws {
        try Data("<mlt/>".utf8).write(to: folder / "x.mlt")
        let filter = "<filter>\(properties([("mlt_service", "watermark"), ("resource", name)]))</filter>"
        #expect(try refusal(producer("x", "color", "red", filter)).contains("can't be used there"))
        #expect(try refusal(producer("x", "timewarp", "2:" + name)).contains("can't be used there"))
        #expect(try refusal(producer("x", "avformat", name)).contains("can't be used there"))
    }

    /// Files outside the project's folder are refused, whatever names them, whether they are there or not.
    @Test(arguments: [
        ("avformat", "resource", "/etc/passwd"), ("avformat", "resource", "../outside.mp4"),
        ("color", "luma", "/etc/passwd"),
        ("timewarp", "resource", "2:/etc/passwd"), ("qimage", "resource", "/etc/.all.png"),
        ("qimage", "resource", "/nowhere/a.png"),
        (
            "kdenlivetitle", "xmldata",
            "&lt;kdenlivetitle&gt;&lt;item&gt;&lt;content url=&quot;/etc/passwd&quot;/&gt;&lt;/item&gt;&lt;/kdenlivetitle&gt;"
        ),
        ("color", "av.file", "/etc/passwd"), ("color", "anything", "/etc/passwd"),
        ("color", "anything", "file:///etc/passwd"),
        ("pango", "resource", "link.txt"),
    ])
    func filesElsewhereAreRefused(service: String, name: String, value: String) throws {
        let link = folder / "link.txt"
        if !FileManager.default.fileExists(atPath: link) {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/passwd")
        }
        let message = try refusal(
            producer(
                "x", service, name == "resource" ? value : "", name == "resource" ? "" : properties([(name, value)])))
        #expect(message.contains("is outside the project's folder"), "\(message)")
    }

    @Test func aRootTakesThePlaceOfTheFolder() throws {
        try Data().write(to: folder / "a.png")
        try folder.makeFolder("sub")
        let image = producer("x", "qimage", folder / "a.png") + playlist("p", entry("x", 0, 9))
        #expect(throws: MediaError.self) { try composition(image, name: "sub/film.mlt") }
        let root = try RootFolder(folder.path)
        #expect(try kinds(composition(image, name: "sub/film.mlt", root: root)) == ["melt 10 producer qimage"])
    }

    @Test func allMissingFilesAreNamed() throws {
        let text =
            producer("x", "avformat", "a.mp4") + producer("y", "avformat", "b.mp4") + playlist("p", entry("x", 0, 9))
        let error = try #require(throws: MediaError.self) { try composition(text) }
        #expect(error.kind == .missingInput && error.message.contains("a.mp4") && error.message.contains("b.mp4"))
    }

    /// What the proxy of a film was made from takes its place.
    @Test func proxiesAreResolved() throws {
        let proxy = properties([("kdenlive:proxy", "proxy/x.mkv"), ("kdenlive:originalurl", "original.mp4")])
        let message = try refusal(producer("x", "avformat", "proxy/x.mkv", proxy))
        #expect(message.contains("original.mp4") && !message.contains("x.mkv"), "\(message)")
    }

    @Test func otherFilesAreRefused() throws {
        for text in [
            "", "<mlt/>", "<smil/>", "<mlt><profile width=\"0\"/></mlt>", "<mlt>\(Self.profile)</mlt>", "\u{80}\u{4}",
        ] {
            try text.write(to: folder / "film.mlt")
            #expect(throws: MediaError.self) {
                try MLTProject(path: folder / "film.mlt", settings: OutputSettings(path: folder / "out.mp4"))
            }
        }
    }
}

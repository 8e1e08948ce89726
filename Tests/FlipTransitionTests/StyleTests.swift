import FlipTransition
import TestSupport
import Testing

/// Looks by their public names, and styles that are not in the catalog.
@Suite struct StyleTests {
    /// A style in which one picture pushes the other out, without perspective. ffmpeg can make the same frames from two
    /// crops.
    struct Shift: TransitionStyle {
        let name = "shift"
        let summary = "the next picture pushes this one out"
        let origin = "a test"
        let options: [LookOption] = [.direction, .orientation, .easing]
        let shadows: [Shadow] = [.none]
        var defaults: Look {
            var look = Look()
            look.shadow = .none
            look.perspective = 0
            return look
        }

        func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
            set.sheets = [
                Sheet(.outgoing, cut: 0...length, position: Line(constant: -progress * length, slope: 1)),
                Sheet(.incoming, cut: 0...length, position: Line(constant: (1 - progress) * length, slope: 1)),
            ]
        }
    }

    @Test func aStyleOfOnesOwnIsDrawn() async throws {
        let folder = try TemporaryFolder()
        let clips = try Clips.shared.get()
        // RGB has no subsampled planes, so a page may end at any column.
        let a = try clips.pattern("library-rgb-a", frames: 20, pixelFormat: "gbrp")
        let b = try clips.pattern("library-rgb-b", frames: 15, pixelFormat: "gbrp", hue: 120)
        func hashes(_ name: String, _ frames: Range<Int>? = nil) throws -> [String] {
            try Judge.frameHashes(folder / name, pixelFormat: "gbrp", frames: frames)
        }
        let composition = Composition([Clip(a), Clip(b)], try Transition(Shift(), length: .frames(3)))
        try await composition.writeStill(RenderTests.lossless(folder / "still.mkv"), progress: 0.25)
        // At progress 0.25, the picture of 160 pixels has moved by 40.
        let last = "[0:v]select=eq(n\\,19),crop=120:90:40:0[l];[1:v]select=eq(n\\,0),crop=40:90:0:0[r]"
        try Tool.ffmpeg(
            "-i \(a) -i \(b) -filter_complex \(last + ";[l][r]hstack") -frames:v 1 -c:v ffv1 \(folder / "expected.mkv")"
        )
        #expect(try hashes("still.mkv") == hashes("expected.mkv"))

        // In a video, the middle frame of three is at progress 1/2. Other options come from the style's defaults.
        let backward = Composition(
            [Clip(a), Clip(b)], try Transition(Shift(), .direction(.backward), length: .frames(3)))
        _ = try await backward.render(RenderTests.lossless(folder / "film.mkv"))
        let graph = "[0:v]select=eq(n\\,18),crop=80:90:0:0[r];[1:v]select=eq(n\\,1),crop=80:90:80:0[l]"
        try Tool.ffmpeg(
            "-i \(a) -i \(b) -filter_complex \(graph + ";[l][r]hstack") -frames:v 1 -c:v ffv1 \(folder / "middle.mkv")")
        #expect(try hashes("film.mkv", 18..<19) == hashes("middle.mkv"))
    }

    @Test func aStyleOfOnesOwnHasANameWhereItIsGivenOne() throws {
        let named = try Transition(parsing: "shift=direction=backward", styles: Styles.all + [Shift()])
        #expect(named.description == "shift=direction=backward")
        let error = #expect(throws: FlipError.self) { try Transition(parsing: "shift") }
        #expect(error?.message.contains("dissolve") == true && !Styles.all.contains { $0.name == "shift" })
        for wrong in [LookSetting.creases(2), .easing("nonsense"), .shadow(.crease)] {
            #expect(throws: FlipError.self) { try Transition(Shift(), wrong) }
        }
    }

    /// Typed settings and the command line's words are equivalent.
    @Test func settingsAreTheWordsOfTheCommandLine() throws {
        let pairs: [(Transition, String)] = try [
            (Transition(), "flip"), (.cut, "cut"),
            (Transition(Styles.flip, .reverse(), .spine(0.25)), "flip=reverse=true:spine=0.25"),
            (Transition(Styles.flip, .viewpoint(x: 0.5, y: 1), .shadow(.cast)), "flip=viewpoint=0.5,1.0:shadow=cast"),
            (
                Transition(Styles.flip, .shadowColor(Color(parsing: "red")), .shadowStrength(2)),
                "flip=shadow-strength=2.0:shadow-color=#ff0000"
            ),
            (
                Transition(Styles.fold, .mode(.cubic), .orientation(.horizontal)),
                "fold=orientation=horizontal:mode=cubic"
            ),
            (Transition(Styles.fold, .creases(3)), "fold=creases=3"),
            (
                Transition(Styles.card, .perspective(0), .cornerRadius(8), .pullBack(0.5), .direction(.backward)),
                "card=direction=backward:perspective=0.0:corner-radius=8.0:pull-back=0.5"
            ),
            (Transition(Styles.card, .easing("cubic-out")), "card=easing=cubic-out"),
        ]
        for (transition, words) in pairs {
            #expect(try transition.description == words && Transition(parsing: words).description == words)
        }
        #expect(try Transition(parsing: "flip=look=vctransitions").description.contains("shadow=edge"))
    }

    @Test func settingsOutsideTheirLawAreRefused() throws {
        let wrong: [(any TransitionStyle, LookSetting)] = [
            (Styles.fold, .creases(0)), (Styles.flip, .spine(1)), (Styles.flip, .perspective(-1)),
            (Styles.flip, .shadowStrength(.nan)),
            (Styles.card, .pullBack(0)), (Styles.card, .cornerRadius(-1)), (Styles.flip, .viewpoint(x: 9, y: 0)),
            (Styles.flip, .creases(2)), (Styles.flip, .shadow(.gradient)),
            (Styles.flip, LookSetting(.mode, "sideways")),
        ]
        for (style, setting) in wrong {
            let error = #expect(throws: FlipError.self) { try Transition(style, setting) }
            #expect(error?.kind == .usage && error?.message.isEmpty == false)
        }
        for length in [Transition.Length.frames(0), .time(.zero), .time(.seconds(-1)), .time(.seconds(100_000))] {
            #expect(throws: FlipError.self) { try Transition(length: length) }
        }
    }

    @Test func progressIsTheEasings() throws {
        let transition = try Transition(Styles.flip, .easing("cubic-in"))
        #expect(abs(transition.progress(at: 0.5) - 0.125) < 1e-12)
        #expect(transition.progress(at: 0) == 0 && transition.progress(at: 1) == 1)
        #expect(Transition.cut.progress(at: 0.9) == 0 && Transition.cut.progress(at: 1) == 1)
    }
}

import FlipGeometry
import FlipHost
import TestSupport
import Testing

/// The catalog's options as plugin parameters, and back.
@Suite struct HostParameterTests {
    private func index(_ name: String) throws -> Int {
        try #require(HostParameter.all.firstIndex { $0.name == name }, "\(name)")
    }

    private func transition(
        _ values: [(name: String, value: HostParameter.Value)], width: Int = 1920, height: Int = 1080
    ) throws -> HostTransition {
        var settings = HostSettings()
        for (name, value) in values {
            let isChanged = settings.set(try index(name), to: value)
            #expect(isChanged, "\(name) stays as it is")
        }
        return HostTransition(settings, width: width, height: height)
    }

    @Test func everyOptionIsAParameter() {
        let roles = HostParameter.all.map(\.role)
        for option in LookOption.allCases {
            if case .point = option.kind {
                #expect(
                    roles.contains(.coordinate(option, isX: true)) && roles.contains(.coordinate(option, isX: false)))
            } else {
                #expect(roles.contains(.option(option)))
            }
        }
        #expect(Set(HostParameter.all.map(\.name)).count == HostParameter.all.count)
        for parameter in HostParameter.all {
            #expect(!parameter.explanation.isEmpty && !parameter.explanation.contains("|"))
            #expect(parameter.name.allSatisfy { $0.isLowercase || $0 == "-" }, "GStreamer takes such names only")
            if case .number(let number) = parameter.initial { #expect((0...1).contains(number), "\(parameter.name)") }
        }
    }

    /// The order of the parameters never changes, because ffmpeg's `filter_params` relies on it. New parameters are
    /// added at the end; none may be moved, removed or changed in kind.
    @Test func theOrderNeverChanges() {
        let expected = [
            "progress number", "offset text", "duration text", "width text", "style text", "look text",
            "direction text", "orientation text", "reverse flag", "mode text", "creases number", "easing text",
            "perspective number", "viewpoint-x number", "viewpoint-y number", "spine number", "shadow text",
            "shadow-strength number", "shadow-color color", "corner-radius number", "pull-back number",
            "background color", "background-opacity number", "swap flag", "rate number", "in number", "out number",
            "through color", "radius number", "angle number", "paper color", "paper-opacity number", "strips number",
            "stagger number", "softness number", "bend number", "shutter number",
        ]
        let found = HostParameter.all.map { parameter in
            let kind =
                switch parameter.initial {
                case .flag: "flag"
                case .number: "number"
                case .color: "color"
                case .text: "text"
                }
            return "\(parameter.name) \(kind)"
        }
        #expect(found == expected)
    }

    @Test func nothingSetIsTheStylesOwnLook() throws {
        for style in Styles.all {
            let plain = try transition(style.name == Styles.all[0].name ? [] : [("style", .text(style.name))])
            #expect(plain.look.style.name == style.name && plain.look.look == style.defaults)
            #expect(plain.background == .black && plain.clock == nil && plain.mistakes.isEmpty)
        }
        for look in Looks.all {
            let bundle = try transition([("look", .text(look.name))])
            let expected = try StyledLook(style: look.style, options: look.options)
            #expect(bundle.look.style.name == look.style.name && bundle.look.look == expected.look)
        }
    }

    /// The ends and the middle of every number parameter give the values that its scale defines, in every style that
    /// has the option.
    @Test func numbersCoverTheirLaws() throws {
        let expected: [(name: String, host: Double, style: String, option: String)] = [
            ("spine", 0, "flip", "0.05"), ("spine", 1, "flip", "0.95"), ("spine", 0.25, "flip", "0.275"),
            ("shadow-strength", 1, "fold", "3"), ("shadow-strength", 0, "card", "0"),
            ("creases", 1, "fold", "16"), ("creases", 0.2, "unfold", "4"), ("pull-back", 1, "card", "1"),
            ("pull-back", 0, "card", "0.05"), ("corner-radius", 0.1, "card", "54"),
            ("corner-radius", 1, "spine-fold", "540"), ("perspective", 0, "card", "0"),
            ("perspective", 1, "card", "1.575"), ("perspective", 1, "cube", "1"), ("perspective", 1, "box", "1.2"),
            ("strips", 0, "blinds", "2"), ("strips", 1, "blinds", "64"), ("stagger", 0.5, "blinds", "2"),
            ("bend", 1, "flip", "0.8"), ("bend", 0.5, "flip", "0.4"), ("softness", 0, "wipe", "0"),
            ("softness", 0.25, "wipe", "0.25"), ("softness", 1, "wipe", "1"),
            ("shutter", 0.25, "dip", "90"), ("shutter", 0.5, "push", "180"), ("shutter", 1, "flip", "360"),
            ("perspective", 0.25, "spine-fold", "7.8125"),
            ("viewpoint-x", 0, "flip", "-4,0.5"), ("viewpoint-y", 1, "flip", "0.5,5"),
        ]
        for (name, host, style, value) in expected {
            let found = try transition((style == "flip" ? [] : [("style", .text(style))]) + [(name, .number(host))])
            #expect(found.mistakes.isEmpty && found.look.style.name == style)
            let option = try #require(LookOption(rawValue: name.replacing("-x", with: "").replacing("-y", with: "")))
            let words = try #require(value.split(separator: ",").map { Double($0) } as? [Double])
            let numbers = try #require(
                option.value(in: found.look.look).split(separator: ",").map { Double($0) } as? [Double])
            #expect(zip(words, numbers).allSatisfy { abs($0 - $1) < 1e-9 } && words.count == numbers.count, "\(name)")
        }
    }

    @Test func hostValuesGiveTheNumbersBack() throws {
        for style in Styles.all {
            for option in style.options {
                switch option.kind {
                case .number, .wholeNumber: break
                case .word, .flag, .point, .color, .easing: continue
                }
                let scale = NumberScale(option)
                let own = try #require(Double(option.value(in: style.defaults)))
                for host in [0.0, 0.125, 0.5, 0.8, 1] {
                    let number = scale.number(host, own: own, shorterSide: 720)
                    let back = try #require(scale.hostValue(number, own: own, shorterSide: 720), "\(option) \(host)")
                    #expect(abs(scale.number(back, own: own, shorterSide: 720) - number) < 1e-9)
                }
            }
        }
    }

    @Test func wordsFlagsAndColorsAreTakenOver() throws {
        let flip = try transition([
            ("direction", .text("backward")), ("orientation", .text("vertical")), ("reverse", .flag(true)),
            ("easing", .text("cubic-bezier(0.1,0.2,0.3,0.4)")), ("shadow", .text("cast")),
            ("shadow-color", .color(Color(red: 1, green: 0, blue: 0.2))),
            ("background", .color(.white)), ("background-opacity", .number(0.25)),
        ])
        let look = flip.look.look
        #expect(look.direction == .backward && look.orientation == .vertical && look.reverse && look.shadow == .cast)
        #expect(look.easing == .cubicBezier(x1: 0.1, y1: 0.2, x2: 0.3, y2: 0.4))
        #expect(look.shadowColor == Color(red: 1, green: 0, blue: 0.2))
        #expect(flip.background == Color(red: 1, green: 1, blue: 1, alpha: 0.25) && flip.mistakes.isEmpty)
        let fold = try transition([("style", .text("fold")), ("mode", .text("cubic"))])
        #expect(fold.look.look.mode == .cubic)
    }

    /// Hosts show all parameters at once: options that a style doesn't have are not mistakes, and a mistake does not
    /// affect other parameters.
    @Test func whatDoesNotFitIsLeftOut() throws {
        let card = try transition([("style", .text("card")), ("spine", .number(0.1)), ("mode", .text("cubic"))])
        #expect(card.look.look == Card().defaults && card.mistakes.isEmpty)
        let wrong = try transition([
            ("shadow", .text("gradient")), ("easing", .text("wobbly")), ("direction", .text("backward")),
        ])
        #expect(wrong.look.look.shadow == Flip().defaults.shadow && wrong.look.look.direction == .backward)
        #expect(wrong.mistakes.count == 2)
        let beyond = try transition([("style", .text("card")), ("perspective", .number(7)), ("spine", .number(-3))])
        #expect(beyond.mistakes == ["invalid perspective '7.0' (expected 0...1)"])
        #expect(try beyond.look.look == transition([("style", .text("card")), ("perspective", .number(1))]).look.look)
        let unknown = try transition([("style", .text("pirouette"))])
        #expect(unknown.look.style.name == "flip" && unknown.mistakes.count == 1)
    }

    @Test func theHostsClockMaySetTheProgress() throws {
        let animated = try transition([("easing", .text("linear"))])
        #expect(animated.progress(at: animated.time(0.25, seconds: 100)) == 0.25)
        let clocked = try transition([
            ("easing", .text("linear")), ("offset", .text("2s")), ("duration", .text("500ms")),
        ])
        #expect(clocked.mistakes.isEmpty)
        for (time, progress) in [(0.0, 0.0), (2, 0), (2.125, 0.25), (2.5, 1), (9, 1)] {
            #expect(clocked.progress(at: clocked.time(0.9, seconds: time)) == progress)
        }
        let early = try transition([
            ("easing", .text("linear")), ("offset", .text("-40ms")), ("duration", .text("0.4")),
        ])
        #expect(abs(early.progress(at: early.time(0, seconds: 0)) - 0.1) < 1e-9)
        for (offset, duration) in [("0.5", "0"), ("x", "1"), ("0.5", "-1"), ("0.5", "1m"), ("1", "auto")] {
            let wrong = try transition([("offset", .text(offset)), ("duration", .text(duration))])
            #expect(wrong.clock == nil && wrong.mistakes.count == 1)
        }
    }

    /// Progress can follow the host's frames: MLT passes the first and the last frame, and the frames per 1000 s if
    /// Kdenlive's description of the effect asks for them.
    @Test func theHostsFramesMaySetTheProgress() throws {
        func progress(_ time: Double, _ values: [(String, Double)]) throws -> Double {
            var settings = HostSettings()
            for (name, value) in values { _ = settings.set(try index(name), to: .number(value)) }
            return settings.progress(at: time)
        }
        let values = [("in", 50.0), ("out", 74), ("rate", 25000), ("progress", 0.75)]
        for (frame, expected) in [(0.0, 0.0), (1, 1.0 / 24), (12, 0.5), (24, 1), (25, 1)] {
            #expect(try abs(progress(frame / 25, values) - expected) < 1e-12, "\(frame)")
        }
        let ntsc = [("in", 50.0), ("out", 250), ("rate", 29970)]
        #expect(try abs(progress(100 * 1.001 / 30, ntsc) - 0.5) < 1e-5)
        // Without a rate, or in transitions of a single frame, the host's own progress is used.
        #expect(try progress(0.1, [("in", 50), ("out", 74), ("progress", 0.25)]) == 0.25)
        #expect(try progress(0.1, [("in", 50), ("out", 50), ("rate", 25000), ("progress", 0.25)]) == 0.25)
        #expect(try progress(0.1, [("rate", 25000), ("progress", 2)]) == 1)
    }

    @Test func picturesMayBeSwapped() throws {
        var settings = HostSettings()
        #expect(!settings.isSwapped)
        _ = settings.set(try index("swap"), to: .flag(true))
        #expect(settings.isSwapped && HostTransition(settings, width: 320, height: 180).mistakes == [])
    }

    /// The parameters written for FFmpeg's filter give the same look when they are read.
    @Test(arguments: Styles.all.map(\.name)) func looksAreValues(style: String) throws {
        var reached = 0
        for example in RandomCase.cases(style: try Styles.named(style), count: 60, seed: 4000) {
            let look = try StyledLook(style: try Styles.named(style), look: example.look)
            let settings: HostSettings
            do {
                settings = try HostSettings(
                    look, background: example.background, width: 1274, height: 720, frameWidth: 1280, offset: "-0.04",
                    duration: "0.6")
            } catch {
                let own = look.style.defaults.perspective
                #expect(
                    look.look.perspective != 0 && look.look.perspective < own / 2 || look.look.cornerRadius > 360,
                    "\(error): \(example)")
                continue
            }
            reached += 1
            let found = HostTransition(settings, width: 1280, height: 720)
            #expect(found.width == 1274)
            #expect(found.mistakes.isEmpty && found.background == example.background)
            #expect(found.look.style.name == style && found.clock?.offset == -0.04 && found.clock?.duration == 0.6)
            for option in look.style.options {
                let (text, expected) = (option.value(in: found.look.look), option.value(in: look.look))
                let numbers = [text, expected].map { $0.split(separator: ",").compactMap { Double($0) } }
                let areNear = zip(numbers[0], numbers[1]).allSatisfy { abs($0 - $1) <= 1e-9 * max(1, abs($1)) }
                #expect(numbers[1].isEmpty ? text == expected : areNear, "\(option): \(text), not \(expected)")
            }
            // There is at most one value per parameter.
            #expect(settings.filterParameters.count <= HostParameter.all.count)
        }
        #expect(reached > 30)
    }

    @Test func framesMayBePadded() throws {
        #expect(try transition([]).width == 1920)
        let padded = try transition([("width", .text("300")), ("style", .text("card")), ("corner-radius", .number(1))])
        #expect(padded.width == 300 && padded.look.look.cornerRadius == 150 && padded.mistakes.isEmpty)
        for text in ["0", "-4", "1921", "wide"] {
            let wrong = try transition([("width", .text(text))])
            #expect(wrong.width == 1920 && wrong.mistakes.count == 1, "\(text)")
        }
    }

    @Test func onlyChangesOfTheSameKindCount() throws {
        var settings = HostSettings()
        let (spine, reverse) = (try index("spine"), try index("reverse"))
        let changes: [(index: Int, value: HostParameter.Value, counts: Bool)] = [
            (spine, .number(0.25), true), (spine, .number(0.25), false), (spine, .number(.nan), false),
            (spine, .text("0.5"), false), (reverse, .number(1), false),
        ]
        for change in changes {
            let isChanged = settings.set(change.index, to: change.value)
            #expect(isChanged == change.counts)
        }
        #expect(settings.values[spine] == .number(0.25) && settings.values[reverse] == .flag(false))
    }
}

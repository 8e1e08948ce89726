import FlipGeometry
import TestSupport
import Testing

/// Each option's range, and the rule that a style takes exactly the options it lists.
@Suite struct LookOptionTests {
    /// Values inside and outside each option's range, including its very ends.
    private static let examples: [(option: LookOption, good: [String], bad: [String])] = [
        (.direction, ["forward", "backward"], ["", "left", "Forward"]),
        (.orientation, ["horizontal", "vertical"], ["", "diagonal"]),
        (.reverse, ["true", "false"], ["maybe", "2"]),
        (.mode, ["normal", "cubic", "peel", "book", "cover", "uncover"], ["", "cube"]),
        (.creases, ["1", "16", "7"], ["0", "17", "-1", "1.5", "", "many", "nan"]),
        (.easing, ["linear", "page-turn", "steps(3)", "cubic-bezier(0,0,1,1)"], ["", "fast"]),
        (.perspective, ["0", "0.1", "4.5", "1000"], ["-1", "0.05", "1001", "inf", "nan", "", "0x4"]),
        (.viewpoint, ["0.5,0.5", "-4,5", "5,-4"], ["0.5", "0.5,0.5,0.5", "-4.1,0", "0,5.1", ",", "a,b", "nan,0"]),
        (.spine, ["0.05", "0.95", "0.5"], ["0.04", "0.96", "0", "1", "-0.5", "middle"]),
        (.bend, ["0", "0.8", "0.45"], ["-0.1", "0.81", "1", "nan", "much"]),
        (.shadow, ["crease", "edge", "solid", "cast", "gradient", "paper", "none"], ["", "dark"]),
        (.shadowStrength, ["0", "3", "1.25"], ["-0.1", "3.1", "nan", "x"]),
        (.shadowColor, ["black", "#102030"], ["blackish", "#12"]),
        (.cornerRadius, ["0", "14.5", "8192"], ["-1", "8193", "inf"]),
        (.pullBack, ["0.05", "1", "0.85"], ["0", "0.04", "1.01", "-1"]),
        (.through, ["black", "white", "#102030"], ["whitish", "#12"]),
        (.radius, ["0.01", "0.5", "0.12"], ["0", "0.009", "0.51", "-0.1", "nan"]),
        (.angle, ["-60", "0", "-12.5", "60"], ["-61", "60.5", "inf", "steep"]),
        (.paper, ["white", "#f5f5f5"], ["whitish", "#12"]),
        (.paperOpacity, ["0", "1", "0.8"], ["-0.1", "1.1", ""]),
        (.strips, ["2", "64", "8"], ["1", "65", "0", "-2", "8.5", "many", ""]),
        (.stagger, ["0", "4", "1.5"], ["-0.1", "4.1", "nan", "late"]),
        (.shutter, ["0", "180", "360", "0.5"], ["-1", "360.1", "nan", "half"]),
        (.softness, ["0", "1", "0.35"], ["-0.1", "1.01", "nan", "soft"]),
    ]

    @Test func everyOptionHasItsLawChecked() {
        #expect(Set(Self.examples.map(\.option)) == Set(LookOption.allCases))
    }

    @Test func takesValuesWithinTheLaw() throws {
        for (option, good, _) in Self.examples {
            for text in good {
                var look = Look()
                try option.set(&look, to: text)
                // The written value reads back as the same value.
                var again = Look()
                try option.set(&again, to: option.value(in: look))
                #expect(again == look, "\(option.rawValue)=\(text)")
            }
        }
    }

    @Test func refusesValuesOutsideTheLawAndLeavesTheLookAlone() {
        for (option, _, bad) in Self.examples {
            for text in bad {
                var look = Look()
                let error = #expect(throws: OptionError.self, "\(option.rawValue)=\(text)") {
                    try option.set(&look, to: text)
                }
                #expect(look == Look())
                let sentence = error?.description ?? ""
                #expect(sentence.contains("expected") && !sentence.contains("\n"), "\(sentence)")
                if ![.easing, .shadowColor, .through, .paper].contains(option) {
                    #expect(
                        sentence.contains(option.acceptedValues) && sentence.contains(option.rawValue), "\(sentence)")
                }
            }
        }
    }

    @Test func namesAreWhatUsersType() {
        let names = [
            "direction", "orientation", "reverse", "mode", "creases", "easing", "perspective", "viewpoint", "spine",
            "bend", "shadow", "shadow-strength", "shadow-color", "corner-radius", "pull-back", "through", "radius",
            "angle", "paper", "paper-opacity", "strips", "stagger", "softness", "shutter",
        ]
        #expect(Set(LookOption.allCases.map(\.rawValue)) == Set(names))
    }

    @Test(arguments: Styles.all.map(\.name)) func everyListedOptionCanBeSet(style: String) throws {
        let style = try Styles.named(style)
        #expect(Set(style.options).count == style.options.count)
        for option in style.options {
            for text in try #require(Self.examples.first { $0.option == option }).good {
                let isRefused =
                    option == .shadow && !style.shadows.contains { $0.rawValue == text }
                    || option == .mode && !style.modes.contains { $0.rawValue == text }
                    || option == .pullBack && !style.pullsBackItself && Double(text)! < 0.5
                    || option == .perspective && ["curl", "box"].contains(style.name)
                        && (0.001..<1.2).contains(Double(text)!)
                if isRefused {
                    #expect(throws: OptionError.self) { try StyledLook(style: style, options: [(option, text)]) }
                    continue
                }
                let styled = try StyledLook(style: style, options: [(option, text)])
                // The mode decides about other defaults, too.
                var expected = option == .mode ? style.defaults(in: try #require(Mode(rawValue: text))) : style.defaults
                try option.set(&expected, to: text)
                if expected.bend > 0 { expected.shadow = .paper }
                #expect(styled.look == expected)
                #expect(styled.description.hasPrefix(style.name))
                let changes = option.value(in: expected) != option.value(in: style.defaults)
                #expect(styled.description.contains("\(option.rawValue)=") == changes)
            }
        }
    }

    @Test(arguments: Styles.all.map(\.name)) func anOptionThatMeansNothingIsRefusedByName(style: String) throws {
        let style = try Styles.named(style)
        for (option, good, _) in Self.examples where !style.options.contains(option) {
            let error = #expect(throws: OptionError.self) { try StyledLook(style: style, options: [(option, good[0])]) }
            let sentence = error?.description ?? ""
            #expect(sentence.contains(option.rawValue) && sentence.contains(style.name), "\(sentence)")
        }
    }

    @Test func optionsThatExcludeEachOtherAreRefused() {
        for style in ["fold", "unfold"] {
            #expect(throws: OptionError.self) {
                try StyledLook(style: Styles.named(style), options: [(.mode, "cubic"), (.creases, "2")])
            }
        }
        #expect(throws: OptionError.self) { try Styles.named("flap") }
    }

    /// The defaults are those of the table in EFFECTS.
    @Test func defaultsAreThoseOfTheDefinition() throws {
        let table: [(String, Orientation, Double, String, Shadow)] = [
            ("flip", .horizontal, 14.0 / 3, "page-turn", .crease), ("fold", .vertical, 14.0 / 3, "ease-out", .gradient),
            ("unfold", .vertical, 14.0 / 3, "ease-in", .gradient), ("card", .horizontal, 3.15, "ease-in-out", .solid),
            ("spine-fold", .horizontal, 3.90625, "ease-in-out", .gradient),
            ("curl", .horizontal, 14.0 / 3, "ease-in-out", .paper),
            ("cube", .horizontal, 2, "ease-in-out", .solid), ("box", .horizontal, 2, "ease-in-out", .solid),
            ("swing", .horizontal, 14.0 / 3, "ease-in-out", .solid),
            ("doors", .horizontal, 14.0 / 3, "ease-in-out", .solid),
            ("blinds", .horizontal, 3.15, "ease-in-out", .solid),
            ("push", .horizontal, 0, "ease-in-out", .none), ("slide", .horizontal, 0, "ease-in-out", .none),
            ("wipe", .horizontal, 0, "ease-in-out", .none),
            ("dissolve", .horizontal, 14.0 / 3, "linear", .none), ("dip", .horizontal, 14.0 / 3, "linear", .none),
        ]
        #expect(table.map(\.0) == Styles.all.map(\.name))
        for (name, orientation, perspective, easing, shadow) in table {
            let look = try Styles.named(name).defaults
            #expect(look.orientation == orientation && look.perspective == perspective && look.shadow == shadow)
            #expect(look.easing.name == easing && look.direction == .forward && look.spine == 0.5)
            #expect(look.viewpoint == Viewpoint(x: 0.5, y: 0.5) && look.shadowStrength == 1)
            #expect(
                look.creases == 1 && look.mode == (["curl": .peel, "slide": .cover][name] ?? .normal)
                    && look.cornerRadius == 0)
            #expect(look.strips == 8 && look.stagger == 1 && look.softness == 0.1)
            if try Styles.named(name).options.contains(.pullBack) {
                #expect(look.pullBack == ["card": 0.85, "cube": 0.88][name, default: 1])
            }
            #expect(look.shadowColor == .black && !look.reverse)
        }
    }

    /// EFFECTS 7: what differs between the curl's modes.
    @Test func theModesOfTheCurlHaveDefaultsOfTheirOwn() throws {
        let sheet = try StyledLook(style: Styles.curl).look
        #expect(sheet.mode == .peel && sheet.angle == 20 && sheet.radius == 0.12 && sheet.paperOpacity == 0.8)
        #expect(sheet.paper.description == "#f5f5f5")
        let book = try StyledLook(style: Styles.curl, options: [(.mode, "book")])
        #expect(book.look.angle == 10 && book.look.easing.name == "page-turn")
        #expect(book.description == "curl=mode=book")
        let own = try StyledLook(style: Styles.curl, options: [(.angle, "5"), (.mode, "book")])
        #expect(own.look.angle == 5)
    }

    @Test(arguments: Styles.all.map(\.name)) func shadowsAreThoseOfTheDefinition(style: String) throws {
        let table: [String: [Shadow]] = [
            "flip": [.crease, .edge, .solid, .cast, .paper, .none], "fold": [.gradient, .solid, .none],
            "unfold": [.gradient, .solid, .none], "card": [.solid, .none], "spine-fold": [.gradient, .none],
            "curl": [.paper, .none], "cube": [.solid, .none], "box": [.solid, .none], "swing": [.solid, .none],
            "doors": [.solid, .none], "blinds": [.solid, .none], "push": [.none], "slide": [.none], "wipe": [.none],
            "dissolve": [.none], "dip": [.none],
        ]
        #expect(try Set(Styles.named(style).shadows) == Set(#require(table[style])))
        #expect(try Styles.named(style).shadows.first == Styles.named(style).defaults.shadow)
    }
}

import FlipGeometry
import TestSupport
import Testing

/// Named looks, which are bundles of options, set exactly their own options.
@Suite struct NamedLookTests {
    /// The looks by EFFECTS 3 (preset `vctransitions`) and the defaults of EFFECTS 3 to 5.
    private static let definition: [(name: String, style: String, options: [LookOption: String])] = [
        ("mpflip", "flip", [:]), ("mpfold", "fold", [:]),
        ("vctransitions", "flip", [.shadow: "edge", .perspective: "3.125", .easing: "ease-in-out"]),
        ("rosetta-card", "card", [:]),
        ("paper", "flip", [.shadow: "cast", .shadowStrength: "1.25", .perspective: "4.0", .viewpoint: "0.5,0.65"]),
        ("desk", "flip", [.shadow: "cast", .shadowStrength: "1.25", .viewpoint: "0.5,0.6", .pullBack: "0.78"]),
        ("magazine", "flip", [.bend: "0.45", .shadow: "paper", .pullBack: "0.82"]),
        ("cinema", "flip", [.shutter: "180.0", .bend: "0.35", .shadow: "paper", .pullBack: "0.85"]),
        ("curl", "curl", [:]), ("peel", "curl", [.angle: "0.0"]),
        ("book", "curl", [.mode: "book", .angle: "10.0", .easing: "page-turn"]),
        ("powerpoint-prism", "cube", [:]),
        ("keynote-cube", "cube", [.perspective: "1.5", .shadowStrength: "0.7", .pullBack: "0.8"]),
        ("swing-door", "swing", [.perspective: "2.5", .shadowStrength: "1.25"]),
        ("venetian", "blinds", [.orientation: "vertical", .direction: "backward", .strips: "12", .stagger: "0.5"]),
        ("whip", "push", [.shutter: "270.0", .easing: "expo-in-out"]),
    ]

    @Test func namesAreThoseOfTheCommandLine() {
        #expect(Looks.all.map(\.name) == Self.definition.map(\.name))
        // A look may only have a style's name if it is that style.
        for look in Looks.all where Styles.all.contains(where: { $0.name == look.name }) {
            #expect(look.style.name == look.name && look.options.isEmpty)
        }
    }

    @Test(arguments: Looks.all.map(\.name)) func setsWhatTheDefinitionSaysAndNothingElse(name: String) throws {
        let (_, style, options) = try #require(Self.definition.first { $0.name == name })
        let styled = try StyledLook(style: nil, look: name, options: [])
        #expect(styled.style.name == style)
        for option in LookOption.allCases {
            #expect(
                option.value(in: styled.look) == options[option] ?? option.value(in: styled.style.defaults),
                "\(option.rawValue)")
        }
        let row = try Looks.named(name)
        // A mode brings defaults of its own, which the row doesn't repeat.
        let brought = styled.style.defaults(in: styled.look.mode)
        let own = options.filter { $0.key == .mode || $0.key.value(in: brought) != $0.value }
        #expect(Set(row.options.map(\.option)) == Set(own.keys) && row.options.count == own.count)
        #expect(!row.summary.isEmpty && !row.summary.contains("\n"))
    }

    @Test(arguments: Looks.all.map(\.name)) func theStyleMayBeNamedBesideItButNotContradicted(name: String) throws {
        let bundle = try Looks.named(name)
        for style in Styles.all {
            if style.name == bundle.style.name {
                let both = try StyledLook(style: style.name, look: name, options: [])
                #expect(try both.look == StyledLook(style: nil, look: name, options: []).look)
                continue
            }
            let error = #expect(throws: OptionError.self) { try StyledLook(style: style.name, look: name, options: []) }
            let sentence = error?.description ?? ""
            #expect(sentence.contains(name) && sentence.contains(style.name), "\(sentence)")
        }
    }

    @Test(arguments: Looks.all.map(\.name)) func explicitOptionsOverrideIt(name: String) throws {
        let plain = try StyledLook(style: nil, look: name, options: [])
        if name == "whip" {
            // Nothing has depth or shade.
            let slow = try StyledLook(style: nil, look: name, options: [(.easing, "linear"), (.shutter, "90")])
            #expect(slow.look.easing == .linear && slow.look.shutter == 90)
            return
        }
        let styled = try StyledLook(style: nil, look: name, options: [(.shadow, "none"), (.perspective, "7")])
        var expected = plain.look
        expected.shadow = .none
        expected.perspective = 7
        #expect(styled.look == expected)
        #expect(throws: OptionError.self) { try StyledLook(style: nil, look: name, options: [(.perspective, "-1")]) }
    }

    @Test func unknownNamesAreRefusedWithTheKnownOnes() {
        let error = #expect(throws: OptionError.self) { try StyledLook(style: nil, look: "papyrus", options: []) }
        for look in Looks.all { #expect(error?.description.contains(look.name) == true) }
        #expect(throws: OptionError.self) { try StyledLook(style: "flap", look: "paper", options: []) }
    }

    @Test func withoutNamesItIsTheFirstStyle() throws {
        let styled = try StyledLook(style: nil, look: nil, options: [])
        #expect(styled.style.name == Styles.all[0].name && styled.look == Styles.all[0].defaults)
    }
}

import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// docs/STYLES.md, which `scripts/pictures` writes, matches the catalog of styles, and docs/OPTIONS.md, which
    /// `scripts/options` writes, the program's options.
    @Suite struct DocumentTests {
        private static let folder = Places.package + "/docs"

        /// The page's sections, keyed by the style in their heading.
        private func sections() throws -> [String: String] {
            let page = try String(contentsOf: Self.folder + "/STYLES.md")
            var sections: [String: String] = [:]
            for part in page.components(separatedBy: "\n## ").dropFirst() {
                sections[String(part.prefix { $0 != "\n" })] = part
            }
            return sections
        }

        private func isPicture(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: Self.folder + "/styles/" + name)
        }

        @Test func theStylesPageHasEveryStyleWithItsPictureAndOrigin() throws {
            let sections = try sections()
            #expect(Set(sections.keys) == Set(Styles.all.map(\.name)))
            for style in Styles.all {
                let section = try #require(sections[style.name])
                #expect(section.contains(style.origin) && section.contains("(styles/\(style.name).jpg)"))
                #expect(isPicture("\(style.name).jpg"), "\(style.name)")
            }
            #expect(isPicture("../../Media/page.webp"))
        }

        @Test func theStylesPageHasEveryOptionAsItIs() throws {
            let sections = try sections()
            for style in Styles.all {
                let section = try #require(sections[style.name])
                #expect(section.components(separatedBy: "\n| `--").count == style.options.count + 1, "\(style.name)")
                for option in style.options {
                    let accepted = option.acceptedValues(for: style)
                    let row =
                        "| `--\(option.rawValue)` | `\(option.value(in: style.defaults))` | "
                        + "\(accepted.replacingOccurrences(of: "|", with: "\\|")) | \(option.summary) |"
                    #expect(section.contains(row), "run scripts/pictures: \(row)")
                }
            }
        }

        @Test func theStylesPageHasEveryLook() throws {
            let sections = try sections()
            for look in Looks.all {
                let section = try #require(sections[look.style.name])
                #expect(section.contains("`--look \(look.name)`: \(look.summary)"), "\(look.name)")
                for (option, value) in look.options { #expect(section.contains("`--\(option.rawValue) \(value)`")) }
                #expect(look.options.isEmpty || isPicture("\(look.name).jpg"), "\(look.name)")
            }
        }

        // MARK: Options

        @Test func theOptionsPageIsUpToDate() throws {
            let page = try String(contentsOf: Self.folder + "/OPTIONS.md")
            #expect(try succeed(["--generate-options-page"]).text == page, "run scripts/options")
        }

        /// The page has every option that the parser knows, under a list of the commands that take it.
        @Test func theOptionsPageHasEveryOption() throws {
            let page = try String(contentsOf: Self.folder + "/OPTIONS.md")
            // What follows "For `join`, `deck` and `plan`:", by these names.
            let tables = page.components(separatedBy: "\nFor ").dropFirst().map { part in
                let head = part.prefix { $0 != ":" }
                return (commands: Set(head.matches(of: /`([a-z -]+)`/).map { String($0.1) }), rows: part)
            }
            for command in try HelpTests.commands() {
                for option in command.arguments ?? [] where option.shouldDisplay && option.kind != "positional" {
                    for name in option.longNames where !["help", "version"].contains(name) {
                        let found = tables.filter {
                            $0.commands.contains(command.words.joined(separator: " "))
                                && $0.rows.contains("`--\(name)`")
                        }
                        #expect(found.count == 1, "\(command.words) --\(name)")
                    }
                }
            }
            for option in LookOption.allCases {
                for style in Styles.all where style.options.contains(option) {
                    let value = option.value(in: style.defaults)
                    let row = page.split(separator: "\n").last { $0.hasPrefix("| `--\(option.rawValue)` | ") }
                    let cell = try #require(row?.components(separatedBy: "`\(value)`: ").dropFirst().first)
                    #expect(cell.prefix { $0 != ";" && $0 != "|" }.contains(style.name), "\(option) of \(style.name)")
                }
            }
            for look in Looks.all {
                #expect(page.contains("\n| `\(look.name)` | `\(look.style.name)` | \(look.summary) |"))
            }
        }

        /// The page and the parser come from one catalogue, so that they agree even where both are wrong. What the page says
        /// of numbers is tried: the ends of each range are accepted, and what lies just outside of it is refused.
        @Test func theRangesOnTheStylesPageHold() throws {
            var count = 0
            for (name, section) in try sections() {
                let style = try Styles.named(name)
                for row in section.split(separator: "\n") where row.hasPrefix("| `--") {
                    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                    guard let range = cells[2].firstMatch(of: /(-?[0-9.]*[0-9])\.\.\.(-?[0-9]+(\.[0-9]+)?)/),
                        let low = Double(range.1), let high = Double(range.2)
                    else { continue }
                    let written = cells[0].filter { $0 != "`" }.dropFirst(2)
                    let option = try #require(LookOption(rawValue: String(written)))
                    let isPoint = cells[2].contains("x,y")
                    let step = low == low.rounded() && high == high.rounded() ? 1 : 0.01
                    let isAccepted = { (value: Double) in
                        let number = value == value.rounded() ? "\(Int(value))" : "\(value)"
                        let text = isPoint ? "\(number),\(number)" : number
                        return (try? StyledLook(style: style, options: [(option, text)])) != nil
                    }
                    #expect(isAccepted(low) && isAccepted(high), "\(name) \(row)")
                    // 0 is a value of its own of perspective.
                    #expect(!isAccepted(low - step) && !isAccepted(high + step), "\(name) \(row)")
                    count += 1
                }
            }
            #expect(count > 50, "\(count) ranges were found")
        }

        /// Every easing is in the table with its progress, which is 50 % at half the time for all that are symmetrical.
        @Test func theOptionsPageHasEveryEasing() throws {
            let page = try String(contentsOf: Self.folder + "/OPTIONS.md")
            for (name, easing) in Easing.named {
                let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(name)` | ") }, "\(name)")
                let cells = row.split(separator: "|").suffix(3).compactMap { Double($0.filter { $0.isNumber }) }
                for (cell, time) in zip(cells, [0.25, 0.5, 0.75]) {
                    #expect(abs(cell / 100 - easing(time)) <= 0.0051, "\(row)")
                }
                if name.hasSuffix("-in-out") || name == "page-turn" { #expect(cells[1] == 50, "\(row)") }
            }
        }
    }
}

import FlipGeometry
import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// docs/STYLES.md, which `scripts/pictures` writes, matches the catalog of styles.
    @Suite struct DocumentTests {
        private static let folder = Places.package + "/docs"

        /// The page's sections, keyed by the style in their heading.
        private func sections() throws -> [String: String] {
            let page = try String(contentsOfFile: Self.folder + "/STYLES.md", encoding: .utf8)
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
            #expect(isPicture("styles.webp"))
        }

        @Test func theStylesPageHasEveryOptionAsItIs() throws {
            let sections = try sections()
            for style in Styles.all {
                let section = try #require(sections[style.name])
                #expect(section.components(separatedBy: "\n| `--").count == style.options.count + 1, "\(style.name)")
                for option in style.options {
                    let law = option == .shadow ? style.shadows.map(\.rawValue).joined(separator: "|") : option.law
                    let row =
                        "| `--\(option.rawValue)` | `\(option.value(in: style.defaults))` | "
                        + "\(law.replacingOccurrences(of: "|", with: "\\|")) | \(option.summary) |"
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
    }
}

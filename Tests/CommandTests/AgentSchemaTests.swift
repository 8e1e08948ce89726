import FlipGeometry
import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// The tools' schemas have what the parser and the catalogue of styles know.
    @Suite(.serialized) struct AgentSchemaTests {
        private func tools() throws -> [String: [String: Any]] {
            let heard = try AgentTalk().talk([#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#])
            let tools = try #require(try heard.result(1)["tools"] as? [[String: Any]])
            return Dictionary(uniqueKeysWithValues: tools.map { ($0["name"] as? String ?? "", $0) })
        }

        private func properties(_ tool: [String: Any]?) throws -> [String: [String: Any]] {
            let schema = try #require(tool?["inputSchema"] as? [String: Any])
            #expect(schema["type"] as? String == "object" && schema["additionalProperties"] as? Bool == false)
            return try #require(schema["properties"] as? [String: [String: Any]])
        }

        /// Every option that help shows is there, but for those that make no sense in a call.
        @Test func everyOptionIsThere() throws {
            let tools = try tools()
            let left: Set<String> = [
                "help", "version", "progress", "report", "quiet", "verbose", "messages", "json", "kdenlive", "root",
                "no-overwrite", "out", "emit", "password", "speak", "speech-cache",
            ]
            // Those of clusters, which only render has besides batch.
            let engines: Set<String> = [
                "jobs", "memory", "retries", "job-dir", "engine", "follow", "cancel", "partition", "constraint",
                "account",
                "time", "slurm-options", "root-map", "inputs-by", "any-processor",
            ]
            #expect(Set(tools.keys) == ["plan", "still", "sheet", "join", "deck", "render", "probe", "styles"])
            for command in try HelpTests.commands() {
                guard let tool = tools[command.commandName] else { continue }
                var expected: Set<String> = command.commandName == "styles" ? [] : ["inputs"]
                if !["styles", "probe"].contains(command.commandName) { expected.insert("output") }
                if ["still", "sheet"].contains(command.commandName) { expected.insert("image") }
                for option in command.arguments ?? [] where option.kind != "positional" && option.shouldDisplay {
                    // still has --at, formerly --progress.
                    guard let name = option.longNames.first, !left.contains(name), !engines.contains(name) else {
                        continue
                    }
                    if command.commandName == "deck", name == "still-duration" { continue }
                    expected.insert(name)
                    let property = try #require(try properties(tool)[name], "\(command.commandName) \(name)")
                    #expect((property["type"] as? String == "boolean") == (option.kind == "flag"), "\(name)")
                    #expect(property["description"] as? String == option.abstract, "\(name)")
                }
                #expect(try Set(properties(tool).keys) == expected, "\(command.commandName)")
            }
        }

        @Test func rangesAndWordsAreThoseOfTheStyles() throws {
            let join = try properties(tools()["join"])
            for option in LookOption.allCases {
                let property = try #require(join[option.rawValue], "\(option)")
                switch option.kind {
                case .word(let words): #expect(property["enum"] as? [String] == words, "\(option)")
                case .number(let range), .wholeNumber(let range):
                    let ends = [property["minimum"], property["maximum"]].map { ($0 as? NSNumber)?.doubleValue }
                    #expect(ends == [range.lowerBound, range.upperBound], "\(option)")
                case .flag: #expect(property["type"] as? String == "boolean")
                case .point, .color, .easing: #expect(property["type"] as? String == "string")
                }
            }
            #expect(join["creases"]?["type"] as? String == "integer" && join["radius"]?["type"] as? String == "number")
            #expect(join["render"]?["enum"] as? [String] == ["full", "auto", "smart"])
            // These take other values besides the words.
            #expect(
                join["segments"]?["enum"] == nil && join["burn-captions"]?["enum"] == nil
                    && join["style"]?["enum"] == nil)
            for name in ["transition", "metadata", "captions"] {
                #expect(join[name]?["type"] as? String == "array", "\(name)")
            }
            #expect(join["gesture"]?["type"] as? String == "string")
        }
    }
}

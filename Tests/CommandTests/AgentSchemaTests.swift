import FlipDeck
import FlipGeometry
import FlipRender
import TestSupport
import Testing

extension CommandTests {
    /// The tools' schemas have what the parser and the catalogue of styles know.
    @Suite(.serialized) struct AgentSchemaTests {
        private static let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#

        private func tools() throws -> [String: [String: Any]] {
            let heard = try AgentTalk().talk([Self.list])
            let tools = try #require(try heard.result(1)["tools"] as? [[String: Any]])
            return Dictionary(uniqueKeysWithValues: tools.map { ($0["name"] as? String ?? "", $0) })
        }

        private func schema(_ tool: [String: Any]?) throws -> [String: Any] {
            let schema = try #require(tool?["inputSchema"] as? [String: Any])
            #expect(schema["type"] as? String == "object")
            return schema
        }

        /// The properties that `tools/list` has of a tool.
        private func properties(_ tool: [String: Any]?) throws -> [String: [String: Any]] {
            try #require(schema(tool)["properties"] as? [String: [String: Any]])
        }

        /// The options that the tool `options` describes of each of the tools `names`.
        private func options(_ names: [String], about word: String? = nil) throws -> [String: [String: [String: Any]]] {
            let more = word.map { ["about": $0] } ?? [:]
            let heard = try AgentTalk().talk(
                names.enumerated().map { try AgentTalk.call($0, "options", ["tool": $1].merging(more) { $1 }) })
            var result: [String: [String: [String: Any]]] = [:]
            for (index, name) in names.enumerated() {
                let structured = try #require(heard.result(index)["structuredContent"] as? [String: Any])
                #expect(structured["tool"] as? String == name)
                result[name] = try #require(structured["options"] as? [String: [String: Any]])
            }
            return result
        }

        /// Every option is described, but for those that make no sense in a call, and `tools/list` has those that
        /// `--help` shows.
        @Test func everyOptionIsThere() throws {
            let tools = try tools()
            let all = try options(tools.keys.filter { !["styles", "options"].contains($0) })
            let left: Set<String> = [
                "help", "version", "progress", "report", "quiet", "verbose", "messages", "json", "kdenlive", "root",
                "no-overwrite", "output", "password", "cache", "speak", "speech-cache",
            ]
            // Those of clusters.
            let engines: Set<String> = [
                "jobs", "memory", "retries", "job-dir", "engine", "follow", "cancel", "partition", "constraint",
                "account", "time", "slurm-options", "root-map", "inputs-by", "any-processor", "plan-only",
            ]
            #expect(Set(tools.keys) == ["plan", "still", "sheet", "join", "deck", "probe", "styles", "options"])
            for command in try HelpTests.commands() {
                guard let tool = tools[command.commandName] else { continue }
                let help = try CommandTests.succeed([command.commandName, "--help"]).text
                let described = all[command.commandName] ?? [:]
                var expected: Set<String> = []
                var brief: Set<String> = command.commandName == "styles" ? [] : ["inputs"]
                if !["styles", "probe"].contains(command.commandName) { brief.insert("output") }
                if ["still", "sheet"].contains(command.commandName) { brief.insert("image") }
                for option in command.arguments ?? [] where option.kind != "positional" && option.shouldDisplay {
                    guard let name = option.longNames.first, !left.contains(name), !engines.contains(name) else {
                        continue
                    }
                    expected.insert(name)
                    let property = try #require(described[name], "\(command.commandName) \(name)")
                    #expect((property["type"] as? String == "boolean") == (option.kind == "flag"), "\(name)")
                    let text = try #require(property["description"] as? String)
                    // What the schema lists is not said again.
                    let isListed = property["enum"] != nil || property["minimum"] != nil
                    let meaning = try #require(option.abstract?.components(separatedBy: " (").first)
                    #expect(isListed ? text.hasPrefix(meaning) : text == option.abstract, "\(name): \(text)")
                    #expect(!isListed || !text.contains("(values: "), "\(name): \(text)")
                    if help.contains(try Regex("\n  (-. <.*?>, |-., )?--\(name)[ ,\\n]")) {
                        brief.insert(name)
                        #expect(try properties(tool)[name] as NSDictionary? == property as NSDictionary, "\(name)")
                    }
                }
                #expect(Set(described.keys) == expected, "\(command.commandName)")
                #expect(try Set(properties(tool).keys) == brief, "\(command.commandName)")
                let takesMore = try schema(tool)["additionalProperties"]
                #expect((takesMore as? Bool == false) == expected.isSubset(of: brief), "\(command.commandName)")
            }
        }

        /// What a tool promises of its results is what the published schemas promise.
        @Test func resultsAreThoseOfTheSchemas() throws {
            let documents = [
                "plan": "plan", "still": "picture", "sheet": "picture", "join": "report", "deck": "report",
                "options": "options",
            ]
            for (name, tool) in try tools() {
                let schema = try #require(tool["outputSchema"] as? [String: Any], "\(name)")
                #expect(schema["type"] as? String == "object", "\(name)")
                let promised = Set(try #require(schema["required"] as? [String]))
                guard let document = documents[name] else {
                    #expect(promised == [["probe": "files", "styles": "styles"][name]], "\(name)")
                    continue
                }
                let data = try Data(contentsOf: Places.package + "/docs/schemas/\(document).schema.json")
                let published = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
                let always = Set(try #require(published["required"] as? [String]))
                #expect(!promised.isEmpty && promised.isSubset(of: always), "\(name): \(promised)")
            }
        }

        /// Only tools that can't write say that they don't.
        @Test func hintsAreRight() throws {
            let readers: Set<String> = ["probe", "styles", "options"]
            for (name, tool) in try tools() {
                let hints = try #require(tool["annotations"] as? [String: Bool])
                #expect(hints["readOnlyHint"] == readers.contains(name), "\(name)")
                #expect(hints["destructiveHint"] == !readers.contains(name), "\(name)")
                #expect(hints["openWorldHint"] == false, "\(name)")
            }
        }

        /// What every agent has in its context is small.
        @Test func theListIsShort() throws {
            let heard = try AgentTalk().talk([Self.list])
            let bytes = try JSONSerialization.data(withJSONObject: heard.result(1)).count
            #expect(bytes < 20_000, "\(bytes) bytes")
        }

        /// Options can be asked for by a word of their names or descriptions.
        @Test func optionsAreFound() throws {
            let found = try options(["join", "deck"], about: "Loudness")
            for tool in ["join", "deck"] {
                let names = Set(try #require(found[tool]).keys)
                #expect(names.isSuperset(of: ["loudness", "clip-loudness"]) && !names.contains("crf"), "\(names)")
            }
            let wrong: [[String: Any]] = [
                [:], ["tool": "styles"], ["tool": "rm"], ["tool": 5], ["tool": "join", "x": 1],
            ]
            let heard = try AgentTalk().talk(wrong.enumerated().map { try AgentTalk.call($0, "options", $1) })
            for index in wrong.indices { #expect(try heard.failure(index)?.exit == 64, "\(wrong[index])") }
        }

        /// What outputs and decks can be told is told by options of these names.
        @Test func settingsAreOptions() throws {
            let deck = try #require(options(["deck"])["deck"])
            for name in OutputOption.allCases.map(\.rawValue) + DeckOption.allCases.map(\.rawValue) {
                #expect(deck[name] != nil, "\(name)")
            }
        }

        @Test func rangesAndWordsAreThoseOfTheStyles() throws {
            let join = try #require(options(["join"])["join"])
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

import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// The JSON that other programs read, as docs/JSON.md defines it.
    @Suite(.serialized) struct JSONTests {
        let folder = TemporaryFolder.make()

        private typealias Object = [String: Any]

        private func objects(_ data: Data) throws -> [Object] {
            try #require(JSONSerialization.jsonObject(with: data) as? [Object])
        }

        private func object(_ data: Data) throws -> Object {
            try #require(JSONSerialization.jsonObject(with: data) as? Object)
        }

        /// The lines of standard error as JSON objects. Ends the test if a line isn't one.
        private func events(_ run: ToolRun) throws -> [Object] {
            try run.messageLines.map { line in
                try #require((try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? Object, "\(line)")
            }
        }

        private func expectHeader(_ document: Object) {
            #expect(document["schema"] as? Int == 1)
            let program = document["program"] as? Object
            #expect(program?["name"] as? String == "fliptransition")
            #expect(program?["version"] as? String == ProductVersion.text)
        }

        /// A clip, and the same clip with an attachment, which a join leaves out with a warning.
        private func inputs() throws -> (plain: String, attached: String) {
            let plain = try clips().pattern("json", frames: 20)
            return (plain, try Clips.addAttachment(to: plain, in: folder))
        }

        @Test func probeHasAnEntryForEveryFile() throws {
            let good = try clips().pattern("json", frames: 20)
            try "no picture".write(to: folder / "bad.png")
            let files = [good, folder / "bad.png", folder / "none.mp4", good]
            let run = try CommandTests.run(["probe", "--json"] + files)
            let entries = try objects(run.output)
            entries.forEach(expectHeader)
            #expect(entries.map { $0["path"] as? String } == files)
            #expect(entries.map { $0["video"] is Object } == [true, false, false, true])
            let errors = entries.map { $0["error"] as? Object }
            #expect(errors.map { $0?["kind"] as? String } == [nil, "badInput", "missingInput", nil])
            #expect(errors.map { $0?["code"] as? Int } == [nil, 65, 66, nil])
            #expect(run.status == 65, "the code of the first")
            let said = errors.compactMap { $0?["message"] as? String }
            #expect(run.messageLines == said.map { "fliptransition: error: " + $0 })
            // The text output describes the files that can be read, too.
            let text = try CommandTests.run(["probe", folder / "none.mp4", good])
            #expect(
                text.status == 66 && text.text.contains("20 frames") && text.messageLines.count == 1, "\(text.story)")
        }

        @Test func documentsSayWhatTheyAre() throws {
            let good = try clips().pattern("json", frames: 20)
            let join = [good, good, "--duration", "5f", "--preset", "ultrafast"]
            expectHeader(try object(succeed(["plan"] + join + ["--json", folder / "out.mp4"]).output))
            try succeed(join + ["--report", folder / "report.json", folder / "out.mp4"])
            expectHeader(try object(Data(contentsOf: folder / "report.json")))
            try objects(succeed(["styles", "--json"]).output).forEach(expectHeader)
        }

        /// What a form needs to show an option: every value that the JSON allows is one that the option takes.
        @Test func stylesSayWhatAnOptionTakes() throws {
            let styles = try objects(succeed(["styles", "--json"]).output)
            #expect(styles.map { $0["name"] as? String } == Styles.all.map(\.name))
            for (style, row) in zip(Styles.all, styles) {
                let options = try #require(row["options"] as? [Object])
                #expect(options.count == style.options.count)
                for (option, row) in zip(style.options, options) {
                    let type = try #require(row["type"] as? String)
                    let ends = [row["minimum"], row["maximum"]].compactMap { $0 as? Double }
                    var values = [try #require(row["default"] as? String)] + (row["choices"] as? [String] ?? [])
                    switch type {
                    case "word", "easing": #expect(values.count > 2 && ends.isEmpty)
                    case "flag": values += ["true", "false"]
                    case "color": values += ["#123456", "teal"]
                    case "number": values += ends.map { "\($0)" }
                    case "integer": values += ends.map { "\(Int($0))" }
                    case "point": values += ["\(ends[0]),\(ends[1])"]
                    default: Issue.record("unknown type \(type)")
                    }
                    if option == .shadow { #expect(Set(values) == Set(style.shadows.map(\.rawValue))) }
                    let isNumber = ["number", "integer", "point"].contains(type)
                    #expect(ends.count == (isNumber ? 2 : 0), "\(option)")
                    for value in values {
                        #expect(throws: Never.self) { try StyledLook(style: style, options: [(option, value)]) }
                    }
                    // The option takes no value beyond the maximum.
                    if let last = ends.last, type != "point" {
                        let beyond = type == "integer" ? "\(Int(last) + 1)" : "\(last * 1.001)"
                        #expect(throws: OptionError.self) { try StyledLook(style: style, options: [(option, beyond)]) }
                    }
                }
            }
        }

        // MARK: Progress

        @Test func progressIsEventsAlone() throws {
            let (plain, attached) = try inputs()
            let options = ["--duration", "5f", "--preset", "ultrafast", "--progress", "json", "--verbose"]
            let run = try succeed([attached, plain] + options + [folder / "out.mp4"])
            let events = try events(run)
            let kinds = events.compactMap { $0["event"] as? String }
            #expect(kinds.count == events.count && kinds.last == "done" && kinds.filter { $0 == "done" }.count == 1)
            #expect(Set(kinds).isSuperset(of: ["note", "warning", "progress"]))
            let warning = try #require(events.first { $0["event"] as? String == "warning" })
            #expect((warning["message"] as? String)?.contains("attachment") == true)
            #expect(events.last?["frames"] as? Int == 35 && run.output.isEmpty, "\(run.story)")
            #expect(events.filter { $0["event"] as? String == "progress" }.allSatisfy { $0["total"] as? Int == 35 })
        }

        /// Errors are events, whether the command line, a file that it names or the run causes them.
        @Test(
            arguments: [
                (["--progress=json", "--bogus"], 64, "usage"), (["--progress", "json"], 66, "missingInput"),
                (["--progress", "json", "--size", "3x"], 64, "usage"),
            ] as [([String], Int32, String)])
        func errorsAreEvents(options: [String], code: Int32, kind: String) throws {
            let good = try clips().pattern("json", frames: 20)
            let run = try CommandTests.run([good, folder / "none.mp4", folder / "out.mp4"] + options)
            let events = try events(run)
            #expect(events.count == 1 && events[0]["event"] as? String == "error", "\(run.story)")
            #expect(
                run.status == code && events[0]["code"] as? Int == Int(code) && events[0]["kind"] as? String == kind)
            #expect((events[0]["message"] as? String)?.isEmpty == false)
        }

        @Test(arguments: ["deck", "render"]) func decksAndTimelinesTellTheSame(subcommand: String) throws {
            let options = ["--progress", "json", "--preset", "ultrafast", "--size", "160x90"]
            let slide = try clips().make("json-slide.png", "-f lavfi -i testsrc2=s=160x90 -frames:v 1")
            var inputs = [slide, slide, "--hold", "0.4", "--duration", "0.2"]
            if subcommand == "render" {
                let text = "clips: [{file: \(slide), hold: 2}, {file: \(slide), hold: 2}]\n"
                try text.write(to: folder / "p.yaml")
                inputs = [folder / "p.yaml"]
            }
            let good = try events(try succeed([subcommand] + inputs + [folder / "out.mp4"] + options))
            #expect(good.last?["event"] as? String == "done")
            let bad = try CommandTests.run([subcommand, folder / "none.yaml", folder / "bad.mp4"] + options)
            #expect(try events(bad).last?["event"] as? String == "error" && bad.status != 0, "\(bad.story)")
        }

        @Test func aBatchEndsWithItsCounts() throws {
            let (plain, attached) = try inputs()
            try "nothing".write(to: folder / "bad.mkv")
            let jobs = [[attached, plain], [folder / "bad.mkv", plain]].enumerated().map { index, pair in
                "  - {output: \(index).mp4, join: [\(pair[0]), \(pair[1])]}\n"
            }
            let text = "defaults: {duration: 5f, preset: ultrafast, size: 160x90}\njobs:\n" + jobs.joined()
            try text.write(to: folder / "m.yaml")
            let run = try expectExit(
                ["batch", folder / "m.yaml", "--progress", "json", "--report", folder / "report.json"], 65)
            let events = try events(run)
            let last = try #require(events.last)
            #expect(last["event"] as? String == "done" && last["jobs"] as? Int == 2 && last["done"] as? Int == 1)
            #expect(last["failed"] as? Int == 1 && last["exit"] as? Int == 65)
            let warning = try #require(events.first { $0["event"] as? String == "warning" })
            #expect(warning["job"] as? Int == 0 && (warning["message"] as? String)?.contains("attachment") == true)
            let error = try #require(events.first { $0["event"] as? String == "error" })
            #expect(error["job"] as? Int == 1 && error["code"] as? Int == 65 && error["kind"] as? String == "badInput")
            #expect((error["message"] as? String)?.contains("bad.mkv") == true)
            expectHeader(try object(Data(contentsOf: folder / "report.json")))
        }
    }
}

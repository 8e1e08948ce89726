import TestSupport
import Testing

extension CommandTests {
    /// Timelines converted to editors' formats and back by OpenTimelineIO's adapters.
    @Suite(.serialized, .enabled(if: Python.runsAdapters, Comment(rawValue: Python.adaptersAreMissing)))
    struct AdapterTests {
        let folder = TemporaryFolder.make()

        /// The timeline of a join of two clips with audio.
        private func timeline(_ transition: String) throws -> String {
            let inputs = try ["a", "b"].map { try clips().pattern("adapter-\($0)", frames: 40, sound: true) }
            let otio = folder / "out.otio"
            try succeed(["export"] + inputs + ["--transition", transition, "--duration", "7f", otio])
            return otio
        }

        private func looks(_ otio: String, _ folder: TemporaryFolder) throws -> (looks: [String], warnings: [String]) {
            let arguments = [otio, folder / "again.mkv"]
            let run = try succeed(["plan"] + arguments)
            return (try planRows("joins", arguments).compactMap { $0["transition"] as? String }, warnings(run))
        }

        /// Looks survive Final Cut Pro 7 XML: the adapter turns every transition into a dissolve but keeps its name.
        @Test(arguments: ["fold=mode=cubic", "card=direction=backward", "flip", "wipe", "dissolve"])
        func looksComeBackFromFinalCutPro7(spec: String) throws {
            let otio = try timeline(spec)
            try Python.convert(otio, to: folder / "out.xml")
            let xml = try String(contentsOf: folder / "out.xml")
            #expect(xml.contains("<transitionitem>") && xml.contains(spec))
            try Python.convert(folder / "out.xml", to: folder / "back.otio")
            let back = try String(contentsOf: folder / "back.otio")
            #expect(back.contains("SMPTE_Dissolve") && !back.contains("\"fliptransition\""))
            let found = try looks(folder / "back.otio", folder)
            #expect(found.looks == [spec] && found.warnings == [])
        }

        /// A name that an editor uses for a page that peels off becomes a curl, and any other name a dissolve.
        @Test func namesOfEditorsArePageTurns() throws {
            try Python.convert(try timeline("flip"), to: folder / "out.xml")
            let xml = try String(contentsOf: folder / "out.xml")
            for (name, expected) in [
                ("Page Peel", "curl"), ("Cube Spin", "cube"), ("Linear Wipe", "wipe"), ("Cross Dissolve", "dissolve"),
                ("Swirl 7", "dissolve"),
            ] {
                let edited = xml.replacingOccurrences(of: "<name>flip</name>", with: "<name>\(name)</name>")
                #expect(edited != xml)
                try edited.write(to: folder / "edited.xml")
                try Python.convert(folder / "edited.xml", to: folder / "edited.otio")
                #expect(try looks(folder / "edited.otio", folder).looks == [expected], "\(name)")
            }
        }

        /// Timelines can be converted to FCPXML, whose adapter needs the duration of every medium, audio included.
        @Test func timelinesBecomeFinalCutProXMLs() throws {
            let otio = try timeline("fold")
            try Python.convert(otio, to: folder / "out.fcpxml")
            let xml = try String(contentsOf: folder / "out.fcpxml")
            #expect(xml.contains("adapter-a") && xml.contains("adapter-b"))
            let document = try JSONValue(Data(contentsOf: otio))
            let text = try String(contentsOf: otio)
            let references = text.components(separatedBy: "\"ExternalReference.1\"").count - 1
            #expect(references == 4 && document.strings.filter { $0 == "available_range" }.count == references)
        }
    }
}

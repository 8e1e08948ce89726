import FlipAgent
import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import Foundation

/// A call of `still` or `sheet`, which writes a picture, returns it, or both.
struct PictureCall {
    private let command: String
    private let arguments: ToolArguments
    private let process: ToolProcess

    /// The longer sides of a picture that is returned, in pixels, that are tried if no size is asked for.
    private static let longestSides = [1280, 960, 640, 320]
    /// The largest picture that is returned, in bytes: in base 64 it takes 960,000, and many clients refuse results of more
    /// than 1 MB.
    private static let largest = 720_000

    init(_ command: String, _ arguments: ToolArguments, _ process: ToolProcess) {
        (self.command, self.arguments, self.process) = (command, arguments, process)
    }

    func result() throws -> ToolResult {
        var warnings: [String] = []
        if let output = arguments.output {
            let ending = try run(arguments.options, to: [output])
            if ending.status != 0 { return CommandTool.failure(ending) }
            warnings = ending.warnings
        }
        guard arguments.wantsPicture ?? (arguments.output == nil) else { return result(nil, warnings) }
        var ending = try picture(arguments.options)
        if ending.status == 0, let whole = Self.dimensions(ending.output), !hasSize,
            max(whole.width, whole.height) > Self.longestSides[0] || ending.output.count > Self.largest
        {
            for side in Self.longestSides where side < max(whole.width, whole.height) {
                ending = try picture(arguments.options + ["--size=\(size(of: whole, within: side))"])
                if ending.status != 0 || ending.output.count <= Self.largest { break }
            }
        }
        if ending.status != 0 { return CommandTool.failure(ending) }
        guard ending.output.count <= Self.largest else {
            throw MediaError(
                .usage,
                "the picture has \(ending.output.count / 1000) kB, which is too much to return (give a smaller size, or an "
                    + "output and image false)")
        }
        return result(ending.output, warnings.isEmpty ? ending.warnings : warnings)
    }

    private func picture(_ options: [String]) throws(MediaError) -> ToolProcess.Ending {
        try run(options.filter { !Self.areOfFiles($0) } + ["--format=jpg"], to: ["-"])
    }

    /// Whether an option is about the file that is written, and not about the picture in it.
    private static func areOfFiles(_ option: String) -> Bool {
        ["format", "video-codec", "crf", "bitrate", "preset", "pix-fmt", "video-options", "overwrite"].contains {
            option == "--\($0)" || option.hasPrefix("--\($0)=")
        }
    }

    private func run(_ options: [String], to output: [String]) throws(MediaError) -> ToolProcess.Ending {
        try process.run([command, "--messages=json"] + options + ["--"] + arguments.inputs + output)
    }

    /// The width and height that the first frame header of a JPEG states (ITU-T T.81, B.2.2).
    private static func dimensions(_ jpeg: [UInt8]) -> (width: Int, height: Int)? {
        let number = { (place: Int) in Int(jpeg[place]) << 8 | Int(jpeg[place + 1]) }
        var place = 2
        while place + 9 <= jpeg.count, jpeg[place] == 0xFF {
            let isFrame = (0xC0...0xCF).contains(jpeg[place + 1]) && ![0xC4, 0xC8, 0xCC].contains(jpeg[place + 1])
            if isFrame { return (number(place + 7), number(place + 5)) }
            place += 2 + number(place + 2)
        }
        return nil
    }

    private var hasSize: Bool { arguments.options.contains { $0.hasPrefix("--size=") } }

    /// The size to ask for so that a picture of `whole` has sides of at most `side` pixels.
    private func size(of whole: (width: Int, height: Int), within side: Int) -> String {
        let (width, height) = whole
        // The size that is asked for is that of a cell, and cells have gaps around them.
        let (columns, rows) = command == "sheet" ? cells : (1, 1)
        let gap = command == "sheet" ? PictureGrid.gap : 0
        let cell = { (side: Int, count: Int) in Double((side - gap) / count - gap) }
        let scale = min(cell(side, columns) / cell(width, columns), cell(side, rows) / cell(height, rows))
        let length = { (side: Int, count: Int) in max(4, Int(cell(side, count) * scale) / 4 * 4) }
        return "\(length(width, columns))x\(length(height, rows))"
    }

    /// The cells of a sheet.
    private var cells: (columns: Int, rows: Int) {
        let value = { (name: String) in
            arguments.options.last { $0.hasPrefix("--\(name)=") }.map { $0.dropFirst(name.count + 3) }
        }
        let looks = LookOption.allCases.map(\.rawValue) + ["style", "look", "transition", "gesture"]
        let hasOne = arguments.options.contains { option in
            looks.contains { option == "--\($0)" || option.hasPrefix("--\($0)=") }
        }
        return (value("columns").flatMap { Int($0) } ?? SheetCommand.defaultColumns, hasOne ? 1 : Styles.all.count)
    }

    private func result(_ jpeg: [UInt8]?, _ warnings: [String]) -> ToolResult {
        let size = jpeg.flatMap(Self.dimensions)
        let structured = JSON.object(of: [
            ("schema", .whole(DocumentHeader.version)), ("output", arguments.output.map { .text($0) }),
            ("mimeType", jpeg.map { _ in "image/jpeg" }), ("width", size.map { .whole($0.width) }),
            ("height", size.map { .whole($0.height) }), ("bytes", jpeg.map { .whole($0.count) }),
            ("warnings", .list(warnings.map { .text($0) })),
        ])
        let picture = jpeg.map { bytes -> JSON in
            ["type": "image", "data": .text(Data(bytes).base64EncodedString()), "mimeType": "image/jpeg"]
        }
        return ToolResult(structured, pictures: picture.map { [$0] } ?? [])
    }
}

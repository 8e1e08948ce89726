import FlipAgent
import FlipBase
import FlipClip
import FlipFiles
import FlipGeometry
import Foundation

/// A call of `still` or `sheet`, which writes a picture, returns it, or both.
struct PictureCall {
    private let command: String
    private let arguments: ToolArguments
    private let process: ToolProcess

    /// The longer side of a picture that is returned, in pixels, if no size is asked for.
    private static let longestSide = 1920
    /// The largest picture that is returned, in bytes.
    private static let largest = 16 << 20

    init(_ command: String, _ arguments: ToolArguments, _ process: ToolProcess) {
        self.command = command
        self.arguments = arguments
        self.process = process
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
        if ending.status == 0, let size = size(within: ending.output) {
            ending = try picture(arguments.options + ["--size=\(size)"])
        }
        if ending.status != 0 { return CommandTool.failure(ending) }
        guard ending.output.count <= Self.largest else {
            throw MediaError(
                .usage,
                "the picture has \(ending.output.count >> 20) MiB, which is too much to return (give a smaller size, or an "
                    + "output)")
        }
        return result(ending.output, warnings.isEmpty ? ending.warnings : warnings)
    }

    private func picture(_ options: [String]) throws(MediaError) -> ToolProcess.Ending {
        try run(options.filter { !Self.areOfFiles($0) } + ["--format=png"], to: ["-"])
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

    /// The width and height that the header of a PNG states (Portable Network Graphics, 11.2.1).
    private static func dimensions(_ png: [UInt8]) -> (width: Int, height: Int)? {
        guard png.count >= 24 else { return nil }
        let number = { (place: Int) in png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20))
    }

    /// The size to ask for so that the picture is not too large to be returned; nil if it is small enough, or if the call
    /// asks for a size.
    private func size(within png: [UInt8]) -> String? {
        guard !arguments.options.contains(where: { $0.hasPrefix("--size=") }),
            let (width, height) = Self.dimensions(png), max(width, height) > Self.longestSide
        else { return nil }
        // The size that is asked for is that of a cell, and cells have gaps around them.
        let (columns, rows) = command == "sheet" ? cells : (1, 1)
        let gap = command == "sheet" ? PictureGrid.gap : 0
        let cell = { (side: Int, count: Int) in Double((side - gap) / count - gap) }
        let scale = min(
            cell(Self.longestSide, columns) / cell(width, columns), cell(Self.longestSide, rows) / cell(height, rows))
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

    private func result(_ png: [UInt8]?, _ warnings: [String]) -> ToolResult {
        let size = png.flatMap(Self.dimensions)
        let structured = JSON.object(of: [
            ("schema", .whole(DocumentHeader.version)), ("output", arguments.output.map { .text($0) }),
            ("mimeType", png.map { _ in "image/png" }), ("width", size.map { .whole($0.width) }),
            ("height", size.map { .whole($0.height) }), ("bytes", png.map { .whole($0.count) }),
            ("warnings", .list(warnings.map { .text($0) })),
        ])
        let picture = png.map { bytes -> JSON in
            ["type": "image", "data": .text(Data(bytes).base64EncodedString()), "mimeType": "image/png"]
        }
        return ToolResult(structured, pictures: picture.map { [$0] } ?? [])
    }
}

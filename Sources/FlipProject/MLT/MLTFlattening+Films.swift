import FlipBase
import FlipMedia

/// What a producer shows, or what is heard of it.
extension MLTFlattening {
    func producer(_ node: MLTNode, _ frames: Range<Int>) throws(MediaError) -> MLTContent {
        let service = node.service
        if node.flag(aspect == .picture ? "set.test_image" : "set.test_audio") { return .nothing }
        if MLTServices.silentProducers.contains(service), aspect == .sound { return .nothing }
        if service == "color" || service == "colour" {
            let color = node["resource"] ?? ""
            return Self.clears.contains(color)
                ? .clear : Self.blacks.contains(color) ? .black : .other("producer \(service)")
        }
        guard MLTServices.filmProducers.contains(service), let path = node["resource"] else {
            return .other(service.isEmpty ? "a producer of unknown kind" : "producer \(service)")
        }
        let index = node[aspect == .picture ? "video_index" : "audio_index"]
        if index == "-1" { return .nothing }
        let info = try media.info(path)
        let stream = aspect == .picture ? info.video?.streamIndex : info.audio?.streamIndex
        guard let stream else { return .nothing }
        if (try time("in", of: node) ?? 0) > 0 { return .other("\(node.title) begins within its film") }
        if let index, index != "\(stream)" { return .other("another stream of its file") }
        if let name = node.properties.first(where: { !Self.isPlain($0.name, $0.value) })?.name {
            return .other("its property \(name.prefix(60))")
        }
        let refusal =
            aspect == .picture ? media.refusal(of: info, showing: frames) : media.refusal(of: info, hearing: frames)
        return refusal.map { .other($0) } ?? .shot(MLTShot(path: path, start: frames.lowerBound))
    }

    private static let clears: Set<String> = ["0", "#00000000", "0x00000000"]
    private static let blacks: Set<String> = ["black", "#000000", "#ff000000", "0x000000ff"]

    /// Properties of a film that don't change how it is shown or heard.
    private static func isPlain(_ name: String, _ value: String) -> Bool {
        if name.hasPrefix("meta.") || name.hasPrefix("kdenlive:") || name.hasPrefix("shotcut:") || name.hasPrefix("_") {
            return true
        }
        if plainProperties.contains(name) { return true }
        // What is set to what MLT does anyway.
        return ["0", ""].contains(value) && ["video_delay", "av_delay"].contains(name)
            || value == "1" && name == "autorotate"
    }

    private static let plainProperties: Set<String> = [
        "aspect_ratio", "astream", "audio_index", "bypass", "cache", "creation_time", "eof", "format", "global_feed",
        "height",
        "id", "ignore_points", "in", "length", "loop", "mlt_service", "mute_on_pause", "out", "progressive", "resource",
        "seekable", "title", "top_field_first", "ttl", "video_index", "vstream", "width", "xml", "templatetext",
        "file_hash",
        "file_size", "proxy_file", "set.test_audio", "set.test_image", "type", "zone_in", "zone_out", "trackname",
        "warp_speed", "warp_pitch",
    ]
}

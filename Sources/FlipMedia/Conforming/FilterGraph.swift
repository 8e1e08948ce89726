import CLibav
import FlipBase

/// A chain of libavfilter filters with one sink and one source, or several sources that its first filter takes. Owns
/// the AVFilterGraph.
final class FilterGraph: @unchecked Sendable {
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let sources: [UnsafeMutablePointer<AVFilterContext>]
    private let sink: UnsafeMutablePointer<AVFilterContext>

    /// - Parameters:
    ///   - sources: the arguments of each `buffer` source.
    ///   - chain: the filters between sources and sink, in the syntax of the ffmpeg command.
    ///   - threads: the number of slices that are processed at once.
    convenience init(videoSources sources: [String], chain: String, threads: Int) throws(MediaError) {
        try self.init("", sources, chain, threads)
    }

    /// - Parameter sources: the arguments of each `abuffer` source.
    convenience init(audioSources sources: [String], chain: String) throws(MediaError) {
        try self.init("a", sources, chain, 1)
    }

    /// - Parameter kind: what libavfilter puts before the names of filters for audio.
    private convenience init(_ kind: String, _ sources: [String], _ chain: String, _ threads: Int) throws(MediaError) {
        let names = sources.indices.map { "\(kind)buffer@in\($0)" }
        let inputs = zip(names, sources).enumerated().map { "\($1.0)=\($1.1)[in\($0)];" }.joined()
        let labels = sources.indices.map { "[in\($0)]" }.joined()
        try self.init("\(inputs)\(labels)\(chain),\(kind)buffersink@out", (names, "\(kind)buffersink@out"), threads)
    }

    private init(_ text: String, _ ends: (sources: [String], sink: String), _ threads: Int) throws(MediaError) {
        guard let graph = avfilter_graph_alloc() else { throw .outOfMemory }
        var kept: UnsafeMutablePointer<AVFilterGraph>? = graph
        graph.pointee.nb_threads = Int32(clamping: max(1, threads))
        let (code, log) = MediaLog.capturing { () -> Int32 in
            var inputs: UnsafeMutablePointer<AVFilterInOut>?
            var outputs: UnsafeMutablePointer<AVFilterInOut>?
            defer {
                avfilter_inout_free(&inputs)
                avfilter_inout_free(&outputs)
            }
            let parsed = avfilter_graph_parse2(graph, text, &inputs, &outputs)
            return parsed < 0 ? parsed : avfilter_graph_config(graph, nil)
        }
        let sources = code >= 0 ? ends.sources.compactMap { avfilter_graph_get_filter(graph, $0) } : []
        guard code >= 0, sources.count == ends.sources.count,
            let sink = avfilter_graph_get_filter(graph, ends.sink)
        else {
            avfilter_graph_free(&kept)
            throw MediaError(.internalFault, "cannot set up the filters '\(text)'", code: code, log: log)
        }
        (self.graph, self.sources, self.sink) = (graph, sources, sink)
    }

    deinit {
        var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&graph)
    }

    /// Sends a reference to `frame` to source `index`; nil after the last frame.
    func send(_ frame: Frame?, to index: Int = 0) throws(MediaError) {
        let code = av_buffersrc_add_frame_flags(sources[index], frame?.pointer, Int32(AV_BUFFERSRC_FLAG_KEEP_REF))
        if code < 0, code != flip_error_eof { throw MediaError(.internalFault, "cannot convert a frame", code: code) }
    }

    /// The next frame; nil if none is ready yet or there are no more.
    func receive() throws(MediaError) -> Frame? {
        let frame = try Frame()
        let code = av_buffersink_get_frame(sink, frame.pointer)
        if code >= 0 { return frame }
        if code == flip_error_again || code == flip_error_eof { return nil }
        throw MediaError(.internalFault, "cannot convert a frame", code: code)
    }
}

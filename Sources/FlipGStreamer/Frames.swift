import CGStreamer
import FlipFrame

/// The element's frames.
enum Frames {
    /// Draws the frame whose time is in `buffer` from the inputs' frames of that time.
    static let aggregate:
        @convention(c) (UnsafeMutablePointer<GstVideoAggregator>?, UnsafeMutablePointer<GstBuffer>?) -> GstFlowReturn =
            {
                aggregator, buffer in
                // After an error there may be frames until the application has stopped the pipeline.
                guard let aggregator, let buffer, !aggregator.element.hasFailed else { return GST_FLOW_ERROR }
                let time = streamTime(aggregator, buffer)
                if let time { gst_object_sync_values(aggregator.as(GstObject.self), time) }
                do throws(FrameError) {
                    try draw(aggregator, Double(time ?? 0) / 1e9, into: buffer)
                    return GST_FLOW_OK
                } catch {
                    fail(aggregator, error)
                    return GST_FLOW_ERROR
                }
            }

    /// The time of a frame in the stream, in nanoseconds, by which properties are animated; nil if it has none.
    private static func streamTime(
        _ aggregator: UnsafeMutablePointer<GstVideoAggregator>, _ buffer: UnsafeMutablePointer<GstBuffer>
    ) -> GstClockTime? {
        guard flip_gst_has_time(buffer) != 0 else { return nil }
        let time = flip_gst_stream_time(aggregator.as(GstAggregator.self), buffer.pointee.pts)
        return time == .max ? nil : time
    }

    private static func draw(
        _ aggregator: UnsafeMutablePointer<GstVideoAggregator>, _ time: Double,
        into buffer: UnsafeMutablePointer<GstBuffer>
    ) throws(FrameError) {
        var output = GstVideoFrame()
        guard gst_video_frame_map(&output, &aggregator.pointee.info, buffer, GST_MAP_WRITE) != 0 else {
            throw FrameError(.invalidArgument, "the memory of the output's frame can't be written")
        }
        defer { gst_video_frame_unmap(&output) }
        let format = try SampleFormat.frameFormat(aggregator.pointee.info)
        try Pads.withPads(of: aggregator.as(GstElement.self)) { pads throws(FrameError) in
            var pictures: [FramePicture?] = []
            for pad in pads {
                let frame = pad.flatMap { gst_video_aggregator_pad_get_prepared_frame($0) }
                if let frame, try SampleFormat.frameFormat(frame.pointee.info) != format {
                    throw FrameError(.unsupportedFormat, "the format of an input has changed (only one is supported)")
                }
                pictures.append(try frame.map { frame throws(FrameError) in try SampleFormat.picture(frame) })
            }
            let (rate, scale) = (aggregator.pointee.info.fps_n, aggregator.pointee.info.fps_d)
            try aggregator.element.draw(
                time, rate > 0 ? Double(scale) / Double(rate) : nil, pictures[0], pictures[1],
                into: try SampleFormat.picture(&output), format)
        }
    }

    /// Posts an error, which ends the pipeline: the first one until the element is started again.
    static func fail(_ aggregator: UnsafeMutablePointer<GstVideoAggregator>, _ error: FrameError) {
        guard aggregator.element.noteFailure() else { return }
        let isSetting = error.kind == .invalidOption
        gst_element_message_full(
            aggregator.as(GstElement.self), GST_MESSAGE_ERROR,
            isSetting ? gst_library_error_quark() : gst_stream_error_quark(),
            isSetting ? Int32(GST_LIBRARY_ERROR_SETTINGS.rawValue) : Int32(GST_STREAM_ERROR_FORMAT.rawValue),
            g_strdup(error.message), nil, "fliptransition", "aggregate", 0)
    }
}

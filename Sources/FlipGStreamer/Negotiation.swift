import CGStreamer
import FlipFrame

/// How both inputs and the output come to one size. Formats and rates may differ: GstVideoAggregator converts between them.
enum Negotiation {
    private typealias Caps = UnsafeMutablePointer<GstCaps>?

    /// The fields of caps that GstVideoAggregator doesn't make the same.
    private static let sizeFields = ["width", "height", "pixel-aspect-ratio"]

    /// The formats with alpha, and those without. Both are never freed.
    nonisolated(unsafe) private static let (transparent, opaque) = (caps(hasAlpha: true), caps(hasAlpha: false))

    private static func caps(hasAlpha: Bool) -> Caps {
        let names = SampleFormat.accepted.filter { format in
            let flags = gst_video_format_get_info(format).pointee.flags.rawValue
            return (flags & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0) == hasAlpha
        }.compactMap { gst_video_format_to_string($0).map { String(cString: $0) } }
        return flip_gst_kept(
            gst_caps_from_string("video/x-raw, format = (string) { \(names.joined(separator: ", ")) }"))
    }

    // MARK: What inputs accept

    /// Answers what an input accepts: pictures of the size that the output's peer accepts, and of these, where it can be,
    /// what the peer and the other input take without conversion. So a converter before an input learns what to convert to.
    static let query:
        @convention(c) (
            UnsafeMutablePointer<GstAggregator>?, UnsafeMutablePointer<GstAggregatorPad>?,
            UnsafeMutablePointer<GstQuery>?
        ) -> gboolean = { aggregator, pad, query in
            guard let aggregator, let pad, let query else { return 0 }
            guard query.pointee.type == GST_QUERY_CAPS else {
                return ElementType.parent.as(GstAggregatorClass.self).pointee.sink_query(aggregator, pad, query)
            }
            var filter: Caps = nil
            gst_query_parse_caps(query, &filter)
            var caps: Caps = gst_pad_get_pad_template_caps(pad.as(GstPad.self))
            if let filter {
                // In the order that the other side prefers.
                var wanted: Caps = gst_caps_ref(filter)
                swap(&caps, &wanted)
                narrow(&caps, to: wanted)
            }
            let output = gst_pad_peer_query_caps(aggregator.pointee.srcpad, nil)
            narrow(&caps, to: onlySize(gst_caps_ref(output)))
            // Alpha is never dropped silently.
            if gst_caps_can_intersect(output, transparent) == 0 { narrow(&caps, to: gst_caps_ref(opaque)) }
            prefer(&caps, output)
            Pads.withPads(of: aggregator.as(GstElement.self)) { pads in
                for case let other? in pads where other.as(GstAggregatorPad.self) != pad {
                    guard let current = gst_pad_get_current_caps(other.as(GstPad.self)) else { continue }
                    var sized = gst_caps_ref(caps)
                    narrow(&sized, to: onlySize(gst_caps_ref(current)))
                    // Pictures of other sizes are let in where there are no others, so that `updateCaps` says why it fails.
                    if gst_caps_is_empty(sized) == 0 { swap(&caps, &sized) }
                    gst_caps_unref(sized)
                    prefer(&caps, current)
                }
            }
            gst_query_set_caps_result(query, caps)
            gst_caps_unref(caps)
            return 1
        }

    /// Moves to the front of `caps` what agrees with `other`. It consumes a reference to `other`.
    private static func prefer(_ caps: inout Caps, _ other: Caps) {
        var alike = gst_caps_ref(caps)
        narrow(&alike, to: atAnyRate(other))
        caps = gst_caps_merge(alike, caps)
    }

    /// Refuses caps that can't be drawn, before GStreamer's classes look at them.
    static let event:
        @convention(c) (
            UnsafeMutablePointer<GstAggregator>?, UnsafeMutablePointer<GstAggregatorPad>?,
            UnsafeMutablePointer<GstEvent>?
        ) -> gboolean = { aggregator, pad, event in
            guard let aggregator, let event else { return 0 }
            if event.pointee.type == GST_EVENT_CAPS {
                var caps: Caps = nil
                gst_event_parse_caps(event, &caps)
                var info = GstVideoInfo()
                do throws(FrameError) {
                    guard gst_video_info_from_caps(&info, caps) != 0 else {
                        throw FrameError(
                            .unsupportedFormat, "the caps of an input don't describe pictures of one size and format")
                    }
                    try SampleFormat.check(info)
                } catch {
                    Frames.fail(aggregator.as(GstVideoAggregator.self), error)
                    gst_event_unref(event)
                    return 0
                }
            }
            return ElementType.parent.as(GstAggregatorClass.self).pointee.sink_event(aggregator, pad, event)
        }

    /// Refuses what has no times, in the thread that sends it: GStreamer's classes rely on them from there on.
    static let earlyEvent:
        @convention(c) (
            UnsafeMutablePointer<GstAggregator>?, UnsafeMutablePointer<GstAggregatorPad>?,
            UnsafeMutablePointer<GstEvent>?
        ) -> GstFlowReturn = { aggregator, pad, event in
            guard let aggregator, let event else { return GST_FLOW_ERROR }
            if event.pointee.type == GST_EVENT_SEGMENT {
                var segment: UnsafePointer<GstSegment>?
                gst_event_parse_segment(event, &segment)
                if segment?.pointee.format != GST_FORMAT_TIME {
                    Frames.fail(
                        aggregator.as(GstVideoAggregator.self),
                        FrameError(
                            .unsupportedFormat, "an input's pictures have no times (set appsrc's format to time)"))
                    gst_event_unref(event)
                    return GST_FLOW_ERROR
                }
            }
            return ElementType.parent.as(GstAggregatorClass.self).pointee.sink_event_pre_queue(aggregator, pad, event)
        }

    // MARK: What the output is

    /// What the output can be: of what `caps` allow, the format that keeps most of the inputs' pictures, in their size.
    static let updateCaps:
        @convention(c) (UnsafeMutablePointer<GstVideoAggregator>?, UnsafeMutablePointer<GstCaps>?)
            -> UnsafeMutablePointer<GstCaps>? = { aggregator, caps in
                guard let aggregator, let caps else { return nil }
                let inputs = Pads.withPads(of: aggregator.as(GstElement.self)) { pads in
                    pads.compactMap { $0.map { flip_gst_pad_info($0) } }.filter { info in
                        withUnsafePointer(to: info) { flip_gst_format($0) } != GST_VIDEO_FORMAT_UNKNOWN
                    }
                }
                guard let format = OutputFormat(inputs, allowedBy: caps) else {
                    return ElementType.parent.pointee.update_caps(aggregator, caps)
                }
                do throws(FrameError) {
                    var result = gst_caps_ref(caps) as Caps
                    let size = try commonSize(inputs)
                    let words = text(size)
                    narrow(&result, to: size)
                    if gst_caps_is_empty(result) != 0 {
                        gst_caps_unref(result)
                        throw FrameError(
                            .unsupportedFormat,
                            "the inputs have \(words), which what follows the element doesn't take (put videoscale before "
                                + "the inputs; the size can't change while frames are made)")
                    }
                    var info = format.info
                    Pads.withPads(of: aggregator.as(GstElement.self)) { pads in
                        for case let pad? in pads {
                            var input = flip_gst_pad_info(pad)
                            guard flip_gst_format(&input) != GST_VIDEO_FORMAT_UNKNOWN else { continue }
                            let keepsDepth = input.finfo.pointee.depth.0 <= info.finfo.pointee.depth.0
                            Pads.convert(pad, keepsDepth: keepsDepth)
                        }
                    }
                    narrow(&result, to: only(["format"], of: gst_video_info_to_caps(&info)))
                    prefer(&result, only(["colorimetry", "chroma-site"], of: gst_video_info_to_caps(&info)))
                    return result
                } catch {
                    Frames.fail(aggregator, error)
                    return nil
                }
            }

    /// The size of the inputs' pictures as caps. Throws if they differ.
    private static func commonSize(_ inputs: [GstVideoInfo]) throws(FrameError) -> Caps {
        let sizes = inputs.map { info in
            var info = info
            return onlySize(gst_video_info_to_caps(&info))
        }
        defer { for size in sizes { gst_caps_unref(size) } }
        if let last = sizes.last, gst_caps_is_equal(sizes[0], last) == 0 {
            throw FrameError(
                .unsupportedFormat,
                "\(Pads.names[0]) gets \(text(sizes[0])), and \(Pads.names[1]) \(text(last)) (bring both to one size, for "
                    + "example by videoscale before each and a capsfilter after the element)")
        }
        return gst_caps_ref(sizes[0])
    }

    /// The fields of `caps`, as `width 320, height 240`.
    private static func text(_ caps: Caps) -> String {
        let structure = gst_caps_get_structure(caps, 0)
        return sizeFields.compactMap { name in
            guard let text = gst_structure_get_value(structure, name).flatMap({ gst_value_serialize($0) }) else {
                return nil
            }
            defer { g_free(text) }
            return "\(name) \(String(cString: text))"
        }.joined(separator: ", ")
    }

    // MARK: Caps

    /// Only the size of pictures in `caps`. It consumes a reference.
    private static func onlySize(_ caps: Caps) -> Caps { only(sizeFields, of: caps) }

    /// Only some fields of `caps`. It consumes a reference.
    private static func only(_ fields: [String], of caps: Caps) -> Caps {
        let result = flip_gst_make_writable(caps)
        for index in 0..<gst_caps_get_size(result) {
            let structure = gst_caps_get_structure(result, index)
            for field in (0..<gst_structure_n_fields(structure)).reversed() {
                guard let name = gst_structure_nth_field_name(structure, guint(field)) else { continue }
                if !fields.contains(String(cString: name)) { gst_structure_remove_field(structure, name) }
            }
        }
        return result
    }

    /// `caps` without the rate, which need not be the same everywhere. It consumes a reference.
    private static func atAnyRate(_ caps: Caps) -> Caps {
        let result = flip_gst_make_writable(caps)
        for index in 0..<gst_caps_get_size(result) {
            gst_structure_remove_field(gst_caps_get_structure(result, index), "framerate")
        }
        return result
    }

    /// Keeps of `caps` only what `other` has as well, in the order of `caps`. It consumes a reference to both.
    private static func narrow(_ caps: inout Caps, to other: Caps) {
        let result = gst_caps_intersect_full(caps, other, GST_CAPS_INTERSECT_FIRST)
        gst_caps_unref(caps)
        gst_caps_unref(other)
        caps = result
    }
}

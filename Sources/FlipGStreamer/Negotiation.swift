import CGStreamer
import FlipFrame

/// How both inputs and the output come to one size. Formats and rates may differ: GstVideoAggregator converts between them.
enum Negotiation {
    private typealias Caps = UnsafeMutablePointer<GstCaps>?

    /// The fields of caps that GstVideoAggregator doesn't make the same.
    private static let sizeFields = ["width", "height", "pixel-aspect-ratio"]

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
            if let filter { narrow(&caps, to: gst_caps_ref(filter)) }
            let output = gst_pad_peer_query_caps(aggregator.pointee.srcpad, nil)
            narrow(&caps, to: onlySize(gst_caps_ref(output)))
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
                    if gst_video_info_from_caps(&info, caps) != 0 { _ = try SampleFormat.frameFormat(info) }
                } catch {
                    Frames.fail(aggregator.as(GstVideoAggregator.self), error)
                    gst_event_unref(event)
                    return 0
                }
            }
            return ElementType.parent.as(GstAggregatorClass.self).pointee.sink_event(aggregator, pad, event)
        }

    // MARK: What the output is

    /// What the output can be: what GStreamer's class chooses, in the inputs' size.
    static let updateCaps:
        @convention(c) (UnsafeMutablePointer<GstVideoAggregator>?, UnsafeMutablePointer<GstCaps>?)
            -> UnsafeMutablePointer<GstCaps>? = { aggregator, caps in
                guard let aggregator, let caps else { return nil }
                do throws(FrameError) {
                    let size = try commonSize(aggregator)
                    var result: Caps = ElementType.parent.pointee.update_caps(aggregator, caps)
                    if result != nil, size != nil {
                        narrow(&result, to: size)
                    } else if let size {
                        gst_caps_unref(size)
                    }
                    return result
                } catch {
                    Frames.fail(aggregator, error)
                    return nil
                }
            }

    /// Chooses the format to which inputs are converted: GStreamer's choice, unless another input has more bits and the
    /// output's peer takes them.
    static let findBestFormat:
        @convention(c) (
            UnsafeMutablePointer<GstVideoAggregator>?, UnsafeMutablePointer<GstCaps>?,
            UnsafeMutablePointer<GstVideoInfo>?, UnsafeMutablePointer<gboolean>?
        ) -> Void = { aggregator, caps, best, hasAlpha in
            ElementType.parent.pointee.find_best_format(aggregator, caps, best, hasAlpha)
            guard let aggregator, let best else { return }
            Pads.withPads(of: aggregator.as(GstElement.self)) { pads in
                for case let pad? in pads where flip_gst_depth(&pad.pointee.info) > flip_gst_depth(best) {
                    let own = onlyFormat(gst_video_info_to_caps(&pad.pointee.info))
                    if gst_caps_can_intersect(own, caps) != 0 { best.pointee = pad.pointee.info }
                    gst_caps_unref(own)
                }
            }
        }

    /// The size of the inputs' pictures as caps; nil if no input has any yet. Throws if they differ.
    private static func commonSize(_ aggregator: UnsafeMutablePointer<GstVideoAggregator>) throws(FrameError) -> Caps {
        let sizes = Pads.withPads(of: aggregator.as(GstElement.self)) { pads in
            pads.compactMap { pad in
                pad.flatMap { gst_pad_get_current_caps($0.as(GstPad.self)) }.map { caps in
                    var info = GstVideoInfo()
                    gst_video_info_from_caps(&info, caps)
                    gst_caps_unref(caps)
                    // As GStreamer completes them: square pixels may go without saying.
                    return onlySize(gst_video_info_to_caps(&info))
                }
            }
        }
        defer { for size in sizes { gst_caps_unref(size) } }
        guard let first = sizes.first, let last = sizes.last else { return nil }
        guard gst_caps_is_equal(first, last) != 0 else {
            throw FrameError(
                .unsupportedFormat,
                "\(Pads.names[0]) gets \(text(first)), and \(Pads.names[1]) \(text(last)) (bring both to one size, for "
                    + "example by videoscale before each and a capsfilter after the element)")
        }
        return gst_caps_ref(first)
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

    /// Only the format of pictures in `caps`. It consumes a reference.
    private static func onlyFormat(_ caps: Caps) -> Caps { only(["format"], of: caps) }

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

import CGStreamer

/// The element's two inputs: `sink_0` gives the first picture, `sink_1` the second.
enum Pads {
    static let names = ["sink_0", "sink_1"]

    /// Makes the input that is asked for by name, or else the first that there isn't yet. There are no others.
    static let request:
        @convention(c) (
            UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstPadTemplate>?, UnsafePointer<CChar>?,
            UnsafePointer<GstCaps>?
        ) -> UnsafeMutablePointer<GstPad>? = { element, template, name, caps in
            guard let element else { return nil }
            let free = names.filter { !has($0, element) }
            var wanted = free.first
            if let name = name.map({ String(cString: $0) }), name != "sink_%u" { wanted = name }
            guard let wanted, free.contains(wanted) else { return nil }
            let parent = ElementType.parent.as(GstElementClass.self).pointee
            guard let pad = parent.request_new_pad(element, template, wanted, caps) else { return nil }
            // GStreamer's class does this only when it is reset, and compares formats before there are caps.
            gst_video_info_init(&pad.as(GstVideoAggregatorPad.self).pointee.info)
            gst_child_proxy_child_added(OpaquePointer(element), pad.as(GObject.self), wanted)
            return pad
        }

    static let release: @convention(c) (UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstPad>?) -> Void = {
        element, pad in
        guard let element, let pad else { return }
        gst_child_proxy_child_removed(OpaquePointer(element), pad.as(GObject.self), pad.pointee.object.name)
        ElementType.parent.as(GstElementClass.self).pointee.release_pad(element, pad)
    }

    private static func has(_ name: String, _ element: UnsafeMutablePointer<GstElement>) -> Bool {
        guard let pad = gst_element_get_static_pad(element, name) else { return false }
        gst_object_unref(pad)
        return true
    }

    /// Has an input's pictures converted without dither, which would change samples that can be kept, or as GStreamer's converter
    /// does by default, where bits are dropped. What the application has set as the input's `converter-config` stays.
    static func convert(_ pad: UnsafeMutablePointer<GstVideoAggregatorPad>, keepsDepth: Bool) {
        var value = GValue()
        g_value_init(&value, gst_structure_get_type())
        defer { g_value_unset(&value) }
        g_object_get_property(pad.as(GObject.self), "converter-config", &value)
        let given = g_value_get_boxed(&value)?.assumingMemoryBound(to: GstStructure.self)
        if let given, gst_structure_is_equal(given, exact) == 0 { return }
        g_value_set_boxed(&value, keepsDepth ? UnsafeRawPointer(exact) : nil)
        g_object_set_property(pad.as(GObject.self), "converter-config", &value)
    }

    /// The converter's options for keeping samples exactly. They are never freed.
    nonisolated(unsafe) private static let exact = {
        var method = GValue()
        g_value_init(&method, gst_video_dither_method_get_type())
        defer { g_value_unset(&method) }
        g_value_set_enum(&method, gint(GST_VIDEO_DITHER_NONE.rawValue))
        let options = gst_structure_new_empty("GstVideoConverter")
        gst_structure_set_value(options, GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, &method)
        return options
    }()

    /// Calls `body` with the first and the second input, nil for one that there isn't.
    static func withPads<Result, Failure: Error>(
        of element: UnsafeMutablePointer<GstElement>,
        _ body: ([UnsafeMutablePointer<GstVideoAggregatorPad>?]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let pads = names.map { gst_element_get_static_pad(element, $0) }
        defer { for case let pad? in pads { gst_object_unref(pad) } }
        return try body(pads.map { $0?.as(GstVideoAggregatorPad.self) })
    }
}

/// The inputs as the element's children, whose properties applications set by names such as `sink_1::offset`.
enum Children {
    static func initialize(_ interface: gpointer) {
        let children = interface.assumingMemoryBound(to: GstChildProxyInterface.self)
        children.pointee.get_children_count = { element in
            guard let element = element.map({ UnsafeMutablePointer<GstElement>($0) }) else { return 0 }
            return Pads.withPads(of: element) { pads in guint(pads.count { $0 != nil }) }
        }
        children.pointee.get_child_by_index = { element, index in
            guard let element = element.map({ UnsafeMutablePointer<GstElement>($0) }) else { return nil }
            return Pads.withPads(of: element) { pads in
                let pads = pads.compactMap(\.self)
                guard index < pads.count else { return nil }
                return gst_object_ref(pads[Int(index)]).assumingMemoryBound(to: GObject.self)
            }
        }
    }
}

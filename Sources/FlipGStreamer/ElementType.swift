import CGStreamer
import FlipBase
import FlipGeometry

/// The element's type: a subclass of GstVideoAggregator, which brings its inputs to one rate and asks for a frame of each
/// moment.
enum ElementType {
    /// The type of GLib, registered once in a process.
    static let number: GType = {
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GstVideoAggregatorClass>.size)
        info.instance_size = guint16(MemoryLayout<flip_gst_element>.size)
        info.class_init = { type, _ in type.map(initializeClass) }
        info.instance_init = { instance, _ in
            instance?.as(flip_gst_element.self).pointee.object = Unmanaged.passRetained(Element()).toOpaque()
        }
        let number = g_type_register_static(gst_video_aggregator_get_type(), "FlipTransition", &info, GTypeFlags(0))
        var children = GInterfaceInfo()
        children.interface_init = { interface, _ in interface.map(Children.initialize) }
        g_type_add_interface_static(number, flip_gst_type_child_proxy(), &children)
        return number
    }()

    /// The functions of the class that this one extends.
    nonisolated(unsafe) fileprivate(set) static var parent: UnsafeMutablePointer<GstVideoAggregatorClass>!
    /// The number of the property that follows those of the transition.
    fileprivate static let threadsProperty = guint(ElementProperty.all.count + 1)

    private static func initializeClass(_ type: gpointer) {
        parent = g_type_class_peek_parent(type).assumingMemoryBound(to: GstVideoAggregatorClass.self)
        describe(type)
        let object = type.assumingMemoryBound(to: GObjectClass.self)
        object.pointee.set_property = setProperty
        object.pointee.get_property = getProperty
        object.pointee.finalize = finalize
        for (index, property) in ElementProperty.all.enumerated() {
            g_object_class_install_property(object, guint(index + 1), property.specification())
        }
        g_object_class_install_property(
            object, threadsProperty,
            g_param_spec_uint(
                "n-threads", "Threads", "Threads that draw a frame; 0 chooses by the number of processors", 0,
                guint(Limits.threads.upperBound), 0, flip_gst_property_flags(0)))
        let element = type.assumingMemoryBound(to: GstElementClass.self)
        element.pointee.request_new_pad = Pads.request
        element.pointee.release_pad = Pads.release
        let inputs = type.assumingMemoryBound(to: GstAggregatorClass.self)
        inputs.pointee.sink_query = Negotiation.query
        inputs.pointee.sink_event = Negotiation.event
        inputs.pointee.sink_event_pre_queue = Negotiation.earlyEvent
        inputs.pointee.start = start
        inputs.pointee.stop = stop
        let aggregator = type.assumingMemoryBound(to: GstVideoAggregatorClass.self)
        aggregator.pointee.update_caps = Negotiation.updateCaps
        aggregator.pointee.aggregate_frames = Frames.aggregate
    }

    /// Says what the element is, and adds the templates of its pads.
    private static func describe(_ type: gpointer) {
        let element = type.assumingMemoryBound(to: GstElementClass.self)
        gst_element_class_set_metadata(
            element, "Page flips, folds and card flips", "Filter/Editor/Video/Compositor",
            "Turns one picture into another as pages, folded paper and cards in space do", "The fliptransition authors")
        let input = gst_caps_from_string(SampleFormat.caps(SampleFormat.accepted, rate: "[ 0/1, \(Int32.max)/1 ]"))
        defer { gst_caps_unref(input) }
        gst_element_class_add_pad_template(
            element,
            gst_pad_template_new_with_gtype(
                "sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, input, gst_video_aggregator_convert_pad_get_type()))
        // Frames are made for times, so the output can't have a rate of 0, which stands for a variable one.
        let output = gst_caps_from_string(
            SampleFormat.caps(SampleFormat.all, rate: "[ 1/\(Int32.max), \(Int32.max)/1 ]"))
        defer { gst_caps_unref(output) }
        gst_element_class_add_pad_template(
            element,
            gst_pad_template_new_with_gtype("src", GST_PAD_SRC, GST_PAD_ALWAYS, output, gst_aggregator_pad_get_type()))
    }
}

extension UnsafeMutablePointer {
    /// The object that belongs to an instance of the element, which any of GStreamer's types for it points to.
    var element: Element {
        Unmanaged<Element>.fromOpaque(self.as(flip_gst_element.self).pointee.object).takeUnretainedValue()
    }

    /// The same instance as one of the types that it extends.
    func `as`<Type>(_ type: Type.Type) -> UnsafeMutablePointer<Type> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}

// MARK: - What GLib calls

private let setProperty:
    @convention(c) (
        UnsafeMutablePointer<GObject>?, guint, UnsafePointer<GValue>?, UnsafeMutablePointer<GParamSpec>?
    ) -> Void = { object, number, value, _ in
        guard let object, let value else { return }
        if number == ElementType.threadsProperty {
            object.element.threads = Int(g_value_get_uint(value))
        } else if (1...ElementProperty.all.count).contains(Int(number)) {
            if let mistake = object.element.set(ElementProperty.all[Int(number) - 1], to: value) {
                warn(object.as(GstElement.self), mistake)
            }
        }
    }

private let getProperty:
    @convention(c) (
        UnsafeMutablePointer<GObject>?, guint, UnsafeMutablePointer<GValue>?, UnsafeMutablePointer<GParamSpec>?
    ) -> Void = { object, number, value, _ in
        guard let object, let value else { return }
        if number == ElementType.threadsProperty {
            g_value_set_uint(value, guint(object.element.threads))
        } else if (1...ElementProperty.all.count).contains(Int(number)) {
            object.element.get(ElementProperty.all[Int(number) - 1], into: value)
        }
    }

/// Posts a warning: an application has set a property of a running element to what can't be read.
private func warn(_ element: UnsafeMutablePointer<GstElement>, _ mistake: String) {
    gst_element_message_full(
        element, GST_MESSAGE_WARNING, gst_library_error_quark(), Int32(GST_LIBRARY_ERROR_SETTINGS.rawValue),
        g_strdup(mistake + "; the value before is kept"), nil, "fliptransition", "set_property", 0)
}

private let start: @convention(c) (UnsafeMutablePointer<GstAggregator>?) -> gboolean = { aggregator in
    guard let aggregator else { return 0 }
    aggregator.element.reset(isRunning: true)
    return ElementType.parent.as(GstAggregatorClass.self).pointee.start(aggregator)
}

private let stop: @convention(c) (UnsafeMutablePointer<GstAggregator>?) -> gboolean = { aggregator in
    guard let aggregator else { return 0 }
    defer { aggregator.element.reset(isRunning: false) }
    return ElementType.parent.as(GstAggregatorClass.self).pointee.stop(aggregator)
}

private let finalize: @convention(c) (UnsafeMutablePointer<GObject>?) -> Void = { object in
    guard let object else { return }
    Unmanaged<Element>.fromOpaque(object.as(flip_gst_element.self).pointee.object).release()
    ElementType.parent.as(GObjectClass.self).pointee.finalize(object)
}

import COpenFX
import FlipGeometry
import FlipHost
import FlipOpenFX
import OpenFXHost
import Testing

/// What hosts are told of the plugin.
@Suite struct OpenFXDescriptionTests {
    @Test func thePluginIsAnImageEffect() throws {
        let plugin = OpenFXPlugin.pointer.pointee
        #expect(String(cString: plugin.api) == "OfxImageEffectPluginAPI" && plugin.api_version == 1)
        #expect(ProductVersion.text.hasPrefix("\(plugin.major_version).\(plugin.minor_version)."))
        let description = try OpenFXHost(OpenFXPlugin.pointer).describe().properties
        #expect(
            description.strings("OfxImageEffectPropSupportedContexts") == [
                "OfxImageEffectContextTransition", "OfxImageEffectContextGeneral",
            ])
        #expect(
            description.strings("OfxImageEffectPropSupportedPixelDepths") == [
                "OfxBitDepthByte", "OfxBitDepthShort", "OfxBitDepthFloat",
            ])
        #expect(description.strings("OfxImageEffectPluginRenderThreadSafety") == ["OfxImageEffectRenderFullySafe"])
        #expect(description.numbers("OfxImageEffectPropSupportsTiles") == [0])
    }

    @Test(arguments: [Joined.transition, Joined.general]) func theCatalogueIsTheParameters(context: String) throws {
        let effect = try OpenFXHost(OpenFXPlugin.pointer).describe(in: context)
        #expect(Set(effect.clips.keys) == ["SourceFrom", "SourceTo", "Output"])
        let isOptional = effect.clips["SourceFrom"]!.properties.numbers("OfxImageClipPropOptional")
        #expect(isOptional == [context == Joined.general ? 1 : 0])
        let parameters = effect.parameters.all.filter { $0.value.type != "OfxParamTypeGroup" }
        let hidden = ["offset", "duration", "width", "rate", "in", "out"]
        var names = HostParameter.all.map(\.name).filter { !hidden.contains($0) }
        if context == Joined.transition { names[names.firstIndex(of: "progress")!] = "Transition" }
        #expect(Set(parameters.keys) == Set(names.map { $0.replacing("-", with: "_") }))
        for (name, parameter) in parameters {
            let properties = parameter.properties
            #expect(!properties.strings("OfxPropLabel").isEmpty && !properties.strings("OfxParamPropHint").isEmpty)
            let groups = properties.strings("OfxParamPropParent")
            #expect(groups.allSatisfy { effect.parameters.all[$0]?.type == "OfxParamTypeGroup" })
            switch parameter.type {
            case "OfxParamTypeDouble", "OfxParamTypeInteger":
                // Resolve wants a range that can be shown of every number.
                let limits = ["DisplayMin", "Default", "DisplayMax"].map {
                    properties.numbers("OfxParamProp\($0)").first ?? .nan
                }
                #expect(limits[0] < limits[2] && (limits[0]...limits[2]).contains(limits[1]), "\(name)")
            case "OfxParamTypeChoice":
                let entries = properties.strings("OfxParamPropChoiceOption")
                let initial = Int(properties.numbers("OfxParamPropDefault")[0])
                #expect(entries.count > 1 && entries.indices.contains(initial), "\(name)")
            case "OfxParamTypeBoolean": #expect(properties.numbers("OfxParamPropDefault") == [0])
            case "OfxParamTypeRGB": #expect(properties.numbers("OfxParamPropDefault").count == 3)
            default: Issue.record("\(name) is of type \(parameter.type)")
            }
        }
        let styles = parameters["style"]!.properties.strings("OfxParamPropChoiceOption")
        #expect(styles == Styles.all.map(\.name))
    }

    /// Numbers are shown in the options' own units.
    @Test func numbersHaveUnits() throws {
        let parameters = try OpenFXHost(OpenFXPlugin.pointer).describe(in: Joined.general).parameters.all
        let range = { (name: String) in
            ["Min", "Default", "Max"].flatMap { parameters[name]!.properties.numbers("OfxParamProp\($0)") }
        }
        #expect(range("angle") == [-60, 20, 60])
        #expect(range("creases") == [1, 1, 16] && parameters["creases"]!.type == "OfxParamTypeInteger")
        #expect(range("strips") == [2, 8, 64])
        #expect(range("radius") == [0.01, 0.12, 0.5])
        #expect(range("shadow_strength") == [0, 1, 3])
        #expect(range("viewpoint_x") == [-4, 0.5, 5])
        // These are relative to the style, or to the frame.
        #expect(range("perspective") == [0, 0.5, 1])
        #expect(range("corner_radius") == [0, 0, 1])
    }

    /// Every option changes what is drawn as the program's option does.
    @Test func optionsAreThePrograms() throws {
        let images = [1, 2].map { seed in
            let image = HostImage(.byte, width: 64, height: 48)
            image.fill(seed: UInt64(seed))
            return image
        }
        let target = HostImage(.byte, width: 64, height: 48)
        let joined = try Joined(style: "blinds", progress: 0.4)
        joined.effect.parameters.set("strips", to: 5)
        joined.effect.parameters.set("stagger", to: 2.5)
        joined.effect.parameters.choose("direction", "backward")
        joined.effect.parameters.choose("easing", "ease-in")
        joined.effect.parameters.set("viewpoint_x", to: 0.25)
        #expect(joined.draw(images[0], images[1], into: target) == 0)
        let settings: [LookSetting] = [
            .strips(5), .stagger(2.5), .direction(.backward), .easing("ease-in"), .viewpoint(x: 0.25, y: 0.5),
        ]
        let look = try StyledLook(style: Styles.blinds, options: settings.map { ($0.option, $0.value) })
        let expected = try drawnByLibrary(
            Styles.blinds, settings, progress: look.look.easing(0.4), images[0], images[1])
        #expect(worst(target.samples, expected) <= 1)
    }

    @Test func actionsWithoutHandlesFail() throws {
        let plugin = try OpenFXHost(OpenFXPlugin.pointer).plugin
        for action in ["OfxActionDescribe", "OfxImageEffectActionRender", "OfxActionCreateInstance", "OfxNoSuchAction"]
        {
            // 1 is the interface's number for failures.
            #expect(plugin.main_entry(action, nil, nil, nil) == 1)
        }
        #expect(plugin.main_entry(nil, nil, nil, nil) == 1)
        let context = PropertyBag(["OfxImageEffectPropContext": [.string("OfxImageEffectContextPaint")]])
        #expect(
            try OpenFXHost(OpenFXPlugin.pointer).perform("OfxImageEffectActionDescribeInContext", HostEffect(), context)
                == 5)
    }
}

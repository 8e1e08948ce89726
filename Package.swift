// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled in Swift 6 mode with warnings as errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// Whether this package is built as a dependency of another one, for which unsafe flags are refused.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// For targets that decide what is done, but do nothing for each sample, pixel or packet: optimizing them takes longer than it
/// saves. A first build waits for them, since each of them needs the one before.
let unoptimized = strict + (isDependency ? [] : [.unsafeFlags(["-Onone"])])

/// How a library is linked for programs that know nothing of Swift: with its runtime, showing what the file `exports` lists, and
/// to stay once it is loaded, since threads of it do.
func selfContained(exports: String) -> [String] {
    [
        "-static-stdlib", "-Xlinker", "-z", "-Xlinker", "nodelete", "-Xlinker",
        "--version-script=\(Context.packageDirectory)/Sources/\(exports)",
    ]
}

/// Plugins are libraries only where they are asked for. Hosts load and unload them, which the runtime doesn't survive, so they stay.
let linksPlugins = Context.environment["FLIPTRANSITION_PLUGINS"] != nil

func pluginLinking(exports: String) -> [LinkerSetting] {
    linksPlugins ? [.unsafeFlags(selfContained(exports: exports) + ["-Xlinker", "-s"])] : []
}

/// The C library has the name under which it is installed.
let libraryLinking: [LinkerSetting] = [
    .unsafeFlags(
        selfContained(exports: "FlipTransitionC/exports.map") + ["-Xlinker", "-soname=libfliptransition.so.0"],
        .when(platforms: [.linux]))
]

/// Parses the arguments of programs.
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "fliptransition",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "fliptransition", targets: ["FlipCommand"]),
        .library(name: "FlipTransition", targets: ["FlipTransition"]),
        .library(name: "FlipFrame", targets: ["FlipFrame"]),
        // Not called as what is installed, libfliptransition, because the program has that name.
        .library(name: "fliptransition-c", type: .dynamic, targets: ["FlipTransitionC"]),
        // The C library and VapourSynth's plugin in one file, for the Python package. See scripts/wheel.
        .library(name: "fliptransition-python", type: .dynamic, targets: ["FlipTransitionC", "FlipVapourSynth"]),
    ],
    dependencies: [
        // Tools and documents are made from the parser's _dumpHelp, which a minor version may change.
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // The functions of libm under one name on all systems.
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    ],
    targets: [
        // FFmpeg's libraries, and the one header that hides the differences between their versions.
        .systemLibrary(
            name: "CLibav",
            pkgConfig: "libavformat libavcodec libavfilter libswscale libswresample libavutil",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev", "libswresample-dev"]),
                .brew(["ffmpeg"]),
            ]),
        // Little CMS, for pictures with color profiles.
        .systemLibrary(
            name: "CLcms", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        // GNU libmicrohttpd, for the preview.
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

        // What a program that is linked statically has to do differently, as functions of a header.
        .systemLibrary(name: "CSystem"),

        // Errors, exact time, and what else every module may use.
        .target(name: "FlipBase", swiftSettings: strict),
        // Styles, easing and the camera as pure geometry: no pictures, no libav.
        .target(
            name: "FlipGeometry", dependencies: ["FlipBase", .product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: strict),
        // What pointers do, as the progress of a transition: no clock, no files.
        .target(
            name: "FlipGesture",
            dependencies: ["FlipBase", "FlipGeometry", .product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: strict),
        // The rasterizer's innermost loops for AVX2 and NEON, as functions of headers.
        .systemLibrary(name: "CKernels"),
        // Scenes drawn into planes of samples, in the picture's own format.
        .target(
            name: "FlipRaster",
            dependencies: [
                "CKernels", "FlipBase", "FlipGeometry", .product(name: "RealModule", package: "swift-numerics"),
            ],
            swiftSettings: strict),
        // The library for Swift that draws from memory to memory, without files, libav and Foundation.
        .target(name: "FlipFrame", dependencies: ["FlipBase", "FlipGeometry", "FlipRaster"], swiftSettings: strict),
        // What the operating system offers: outputs that appear whole, pipes, other programs.
        .target(name: "FlipFiles", dependencies: ["FlipBase"], swiftSettings: strict),
        // The headers and packets of H.264, HEVC, AV1, VP9 and others, as bytes: no libav.
        .target(name: "FlipBitstream", swiftSettings: strict),
        // Clips, pictures and encodings, and media in and out: the only importer of libav.
        .target(
            name: "FlipMedia",
            dependencies: [
                "CLcms", "CLibav", "CSystem", "FlipBase", "FlipBitstream", "FlipFiles",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        // Coded packets: copied, rewritten, put together with encoded ones, and checked.
        .target(
            name: "FlipSplice", dependencies: ["FlipBase", "FlipBitstream", "FlipFiles", "FlipMedia"],
            swiftSettings: strict),
        // Loops over the samples of frames and sounds: overlays drawn, sounds mixed, frames compared.
        .target(
            name: "FlipSamples", dependencies: ["FlipBase", "FlipFiles", "FlipGeometry", "FlipMedia", "FlipRaster"],
            swiftSettings: strict),
        // What was asked (composition), what will be done (plan), and the doing (pipeline).
        .target(
            name: "FlipRender",
            dependencies: [
                "FlipBase", "FlipBitstream", "FlipFiles", "FlipGeometry", "FlipGesture", "FlipHost",
                "FlipMedia", "FlipRaster", "FlipSamples", "FlipSplice",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: unoptimized),
        // Slide documents, pictures and narration into a composition.
        .target(
            name: "FlipDeck",
            dependencies: ["FlipBase", "FlipFiles", "FlipGeometry", "FlipMedia", "FlipRender"],
            swiftSettings: unoptimized),
        // Files that describe what to render: projects and OpenTimelineIO, into compositions and back.
        .target(
            name: "FlipProject",
            dependencies: [
                "FlipBase", "FlipDeck", "FlipFiles", "FlipGeometry", "FlipHost", "FlipMedia", "FlipRender",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: unoptimized),
        // The preview: a server for the page in which transitions are tried, and the page itself.
        .target(
            name: "FlipPreview",
            dependencies: [
                "CMicroHTTPD", "FlipBase", "FlipFiles", "FlipGeometry", "FlipGesture", "FlipMedia", "FlipRender",
            ],
            resources: [.embedInCode("Page")], swiftSettings: unoptimized),
        // Many outputs, each a job that may run anywhere, any number of times.
        .target(
            name: "FlipBatch",
            dependencies: ["FlipBase", "FlipFiles", "FlipMedia", "FlipProject", "FlipRender"],
            swiftSettings: unoptimized),
        // The server for agents: messages, calls and their queue; no tools of its own.
        .target(name: "FlipAgent", dependencies: ["FlipBase", "FlipFiles"], swiftSettings: unoptimized),
        // The catalogue of looks as parameters that hosts of plugins show and animate.
        .target(name: "FlipHost", dependencies: ["FlipBase", "FlipGeometry"], swiftSettings: strict),
        // frei0r's interface, as our own declarations.
        .systemLibrary(name: "CFrei0r"),
        // What the plugins have in common.
        .target(
            name: "FlipFrei0r", dependencies: ["CFrei0r", "FlipGeometry", "FlipHost", "FlipRaster"],
            swiftSettings: strict),
        // The plugins: of two pictures, and of two in one. See scripts/install-plugins.
        .target(
            name: "Frei0rMixer", dependencies: ["CFrei0r", "FlipFrei0r"], swiftSettings: strict,
            linkerSettings: pluginLinking(exports: "CFrei0r/exports.txt")),
        .target(
            name: "Frei0rStack", dependencies: ["CFrei0r", "FlipFrei0r"], swiftSettings: strict,
            linkerSettings: pluginLinking(exports: "CFrei0r/exports.txt")),
        .executableTarget(
            name: "FlipCommand",
            dependencies: [
                "CSystem", "FlipAgent", "FlipBase", "FlipBatch", "FlipDeck", "FlipFiles", "FlipGeometry", "FlipHost",
                "FlipMedia", "FlipPreview", "FlipProject", "FlipRender", "FlipSplice", arguments,
            ],
            swiftSettings: unoptimized),

        // The library for Swift: what everything below says in types of its own, with geometry's for styles.
        .target(
            name: "FlipTransition",
            dependencies: [
                "FlipBase", "FlipFiles", "FlipGeometry", "FlipMedia", "FlipRender", "FlipSamples", "FlipSplice",
            ],
            swiftSettings: strict),
        // The library for C and whatever calls C. Its header is written by hand, and Swift's functions implement it.
        .systemLibrary(name: "CFlipTransition"),
        .target(
            name: "FlipTransitionC", dependencies: ["CFlipTransition", "FlipFrame", "FlipGeometry", "FlipHost"],
            exclude: ["exports.map"], swiftSettings: strict,
            linkerSettings: libraryLinking),
        // VapourSynth's interface, as our own declarations.
        .systemLibrary(name: "CVapourSynth"),
        // The plugin for VapourSynth, which draws with what is behind the C library's handles.
        .target(
            name: "FlipVapourSynth", dependencies: ["CVapourSynth", "FlipFrame", "FlipGeometry", "FlipTransitionC"],
            swiftSettings: strict),

        .executableTarget(
            name: "raster-bench", dependencies: ["BenchSupport", "FlipGeometry", "FlipRaster", arguments],
            path: "Benchmarks/RasterBench", swiftSettings: strict),
        .executableTarget(
            name: "join-bench", dependencies: ["BenchSupport", arguments], path: "Benchmarks/JoinBench",
            swiftSettings: strict),
        .executableTarget(
            name: "deck-bench", dependencies: ["BenchSupport", arguments], path: "Benchmarks/DeckBench",
            swiftSettings: strict),
        .executableTarget(
            name: "plugin-bench",
            dependencies: ["BenchSupport", "CFrei0r", "FlipGeometry", "FlipHost", "FlipRaster", arguments],
            path: "Benchmarks/PluginBench", swiftSettings: strict),
        // Running other programs, clocks, tables.
        .target(name: "BenchSupport", path: "Benchmarks/Support", swiftSettings: strict),

        // The reference renderer, pictures to draw with, and ffmpeg as a judge.
        .target(
            name: "TestSupport", dependencies: ["FlipGeometry", "FlipRaster"], path: "Tests/TestSupport",
            exclude: ["Judge/player.html"], swiftSettings: strict),
        .testTarget(name: "FlipBaseTests", dependencies: ["FlipBase"], swiftSettings: strict),
        .testTarget(name: "FlipGeometryTests", dependencies: ["FlipGeometry", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FlipGestureTests", dependencies: ["FlipGeometry", "FlipGesture", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(name: "FlipPreviewTests", dependencies: ["FlipPreview"], swiftSettings: unoptimized),
        .testTarget(
            name: "FlipHostTests", dependencies: ["CFrei0r", "FlipFrei0r", "FlipGeometry", "FlipHost", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "FlipRasterTests", dependencies: ["FlipRaster", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "FlipFrameTests", dependencies: ["FlipFrame", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FlipSpliceTests", dependencies: ["FlipBase", "FlipMedia", "FlipSplice", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "FlipFilesTests", dependencies: ["FlipBase", "FlipFiles", "TestSupport"], swiftSettings: unoptimized),
        .testTarget(
            name: "FlipBitstreamTests", dependencies: ["FlipBitstream", "TestSupport"], swiftSettings: unoptimized),
        .testTarget(
            name: "FlipMediaTests", dependencies: ["FlipBase", "FlipMedia", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "FlipRenderTests",
            dependencies: [
                "FlipBase", "FlipFiles", "FlipGeometry", "FlipMedia", "FlipRender", "FlipSamples", "FlipSplice",
                "TestSupport",
            ],
            swiftSettings: unoptimized),
        .testTarget(
            name: "FlipProjectTests",
            dependencies: ["FlipBase", "FlipFiles", "FlipMedia", "FlipProject", "FlipRender", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "FlipBatchTests", dependencies: ["FlipBase", "FlipBatch", "FlipFiles", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "FlipDeckTests",
            dependencies: ["FlipBase", "FlipDeck", "FlipGeometry", "FlipRender", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "FlipTransitionTests", dependencies: ["FlipTransition", "TestSupport"], swiftSettings: unoptimized),
        // The library is loaded by other programs, so nothing of it is linked.
        .testTarget(
            name: "FlipTransitionCTests", dependencies: ["FlipRaster", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "FlipDeck", "FlipGeometry", "FlipHost", "FlipProject", "FlipRaster", "FlipRender", "TestSupport",
            ],
            swiftSettings: unoptimized),
    ],
    swiftLanguageModes: [.v6]
)

// GStreamer's plugin, only where it is asked for, so that its headers aren't forced on those who build. See scripts/install-plugins.
if Context.environment["FLIPTRANSITION_GSTREAMER"] != nil {
    package.targets += [
        .systemLibrary(
            name: "CGStreamer", pkgConfig: "gstreamer-video-1.0",
            providers: [.apt(["libgstreamer-plugins-base1.0-dev"])]),
        .target(
            name: "FlipGStreamer",
            dependencies: ["CGStreamer", "FlipBase", "FlipFrame", "FlipGeometry", "FlipHost"], swiftSettings: strict,
            linkerSettings: [
                .unsafeFlags(selfContained(exports: "CGStreamer/exports.txt") + ["-Xlinker", "-s"])
            ]),
    ]
    package.products.append(.library(name: "FlipGStreamer", type: .dynamic, targets: ["FlipGStreamer"]))
}

if linksPlugins {
    for name in ["Frei0rMixer", "Frei0rStack"] {
        package.products.append(.library(name: name, type: .dynamic, targets: [name]))
    }
}

// Only where they are asked for: they have to be built with --sanitize fuzzer. See scripts/fuzz.
if Context.environment["FLIPTRANSITION_FUZZ"] != nil {
    let tested: [Target.Dependency] = [
        "FlipBase", "FlipBitstream", "FlipDeck", "FlipFiles", "FlipMedia", "FlipProject", "FlipRender",
    ]
    package.targets.append(
        .target(name: "FuzzSupport", dependencies: tested, path: "Tests/Fuzz/Support", swiftSettings: strict))
    let targets = [
        ("Parsers", ["texts.txt"]), ("Documents", ["seeds"]), ("Media", []), ("Packets", []), ("Times", []),
    ]
    for (name, exclude) in targets {
        package.targets.append(
            .executableTarget(
                name: "Fuzz\(name)", dependencies: tested + ["FuzzSupport", "TestSupport"],
                path: "Tests/Fuzz/\(name)", exclude: exclude, swiftSettings: strict))
    }
}

// Only the rasterizer, what hosts plugins, and their tests, which is all that is built with sanitizers. See scripts/sanitize.
if Context.environment["FLIPTRANSITION_RASTER"] != nil {
    let names = [
        "FlipBase", "FlipGeometry", "CKernels", "FlipRaster", "CFrei0r", "FlipHost", "FlipFrei0r", "TestSupport",
        "FlipFrame", "FlipFrameTests", "FlipGeometryTests", "FlipGesture", "FlipGestureTests", "FlipHostTests",
        "FlipRasterTests",
    ]
    package.products = []
    package.targets.removeAll { !names.contains($0.name) }
}

// Only where it is asked for, so that it isn't forced on those who build. See scripts/docs.
if Context.environment["FLIPTRANSITION_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

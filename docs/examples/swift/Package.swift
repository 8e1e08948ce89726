// swift-tools-version: 6.2
import PackageDescription

// In a package of your own: .package(url: "https://...", from: "0.1.0").
let package = Package(
    name: "example",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "fliptransition", path: "../../..")],
    targets: [
        .executableTarget(
            name: "join", dependencies: [.product(name: "FlipTransition", package: "fliptransition")]),
        .executableTarget(name: "frame", dependencies: [.product(name: "FlipFrame", package: "fliptransition")]),
    ]
)

// Re-exports the types that styles are written with: `TransitionStyle`, `Sheet`, `Look`, `Easing`, `Color` and others.
@_exported public import FlipGeometry

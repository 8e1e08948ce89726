// The vocabulary of styles: `TransitionStyle`, `Panel`, `Look`, `Easing`, `Color` and what they are made of.
@_exported public import FlipGeometry

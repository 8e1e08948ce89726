/// The version of the program, the libraries and the plugins.
public enum ProductVersion {
    /// A semantic version (https://semver.org), such as `0.1.0`.
    public static let text = "0.1.0"
}

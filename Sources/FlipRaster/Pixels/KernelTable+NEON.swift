#if arch(arm64)
    extension KernelTable {
        /// `CKernels`, for 64-bit ARM, and the definitions of all loops that it lacks.
        static let neon = KernelTable(
            average: average, sum: sum, means: means, windows: windows, places: scalar.places, locate: scalar.locate,
            shade: scalar.shade, store: scalar.store, exactMeans: scalar.exactMeans, rebase: scalar.rebase,
            addPairs: scalar.addPairs, accumulate: scalar.accumulate)
    }
#endif

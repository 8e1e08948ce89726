import FlipGeometry

/// Draws rows of frames with a bent sheet into planes, with the buffers of one thread.
final class BentComposer {
    private let buffers = BentRowBuffers()
    private let kernels: KernelTable
    private var canvas: BentCanvas?
    private var row: BentRow?

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Draws the rows of a job.
    func draw(_ rows: Range<Int>, layout index: Int, _ plan: BentPlan, _ context: FrameContext) {
        let layout = plan.layouts[index]
        let canvas = self.canvas ?? BentCanvas(kernels, buffers, layout, context)
        self.canvas = canvas
        canvas.prepare(layout, context)
        let row = self.row ?? BentRow(plan, layout, canvas, buffers)
        self.row = row
        row.prepare(plan, layout)
        for number in rows { row.draw(number) }
    }
}

import { Effect, Layer } from "effect"
import { Memory } from "../../services/Memory.ts"

/**
 * V8 provides this function by Node's flag for hosts (`hostProcess`); without it V8 collects by its own schedule.
 */
const collect = (): void => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })

export const layer: Layer.Layer<Memory> = Layer.succeed(Memory, { release: Effect.sync(collect) })

/** For a process of another program, which manages its own memory. */
export const layerUntouched: Layer.Layer<Memory> = Layer.succeed(Memory, { release: Effect.void })

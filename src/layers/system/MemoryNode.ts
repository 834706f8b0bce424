import { Effect, Layer } from "effect"
import { Memory } from "../../services/Memory.ts"

/** Node's flag for hosts (`HostLauncherNode`) has V8 give this function; without it V8 collects when it wants to. */
const collect = (): void => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })

export const layer: Layer.Layer<Memory> = Layer.succeed(Memory, { release: Effect.sync(collect) })

/** For a process that is another program's, which sees to its memory itself. */
export const layerUntouched: Layer.Layer<Memory> = Layer.succeed(Memory, { release: Effect.void })

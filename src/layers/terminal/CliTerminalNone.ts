import { Layer, Terminal } from "effect"

/** The terminal that the command line's library needs for its own prompts, which leap does not use. */
export const layer: Layer.Layer<Terminal.Terminal> = Layer.mock(Terminal.Terminal, {
  "~effect/Terminal": "~effect/Terminal"
})

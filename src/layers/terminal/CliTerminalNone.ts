import { Layer, Terminal } from "effect"

/** The terminal that the command line's library wants for its own prompts, which nothing uses: leap asks by itself. */
export const layer: Layer.Layer<Terminal.Terminal> = Layer.mock(Terminal.Terminal, {
  "~effect/Terminal": "~effect/Terminal"
})

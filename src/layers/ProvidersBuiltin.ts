import { Effect, Layer } from "effect"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { Providers, UnknownProviderError } from "../services/Providers.ts"
import * as Claude from "./providers/Claude.ts"
import * as Codex from "./providers/Codex.ts"
import * as Copilot from "./providers/Copilot.ts"
import * as CursorAgent from "./providers/CursorAgent.ts"
import * as Demo from "./providers/Demo.ts"
import * as Gemini from "./providers/Gemini.ts"
import * as OpenCode from "./providers/OpenCode.ts"

/** A registry of these records, in this order. */
export const layerOf = (all: ReadonlyArray<ProviderRecord>): Layer.Layer<Providers> =>
  Layer.succeed(Providers, {
    all,
    get: (id) => {
      const found = all.find((provider) => provider.id === id)
      return found === undefined
        ? Effect.fail(new UnknownProviderError({ name: id, known: all.map((provider) => provider.id) }))
        : Effect.succeed(found)
    }
  })

/** The CLIs that leap knows. A new one is a file under `providers` and a line here. */
export const layer: Layer.Layer<Providers> = layerOf([Claude.record, Codex.record, Gemini.record, Copilot.record, CursorAgent.record, OpenCode.record, Demo.record])

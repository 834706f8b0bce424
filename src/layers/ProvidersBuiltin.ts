import { Layer } from "effect"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { Providers, registryOf } from "../services/Providers.ts"
import * as Claude from "./providers/Claude.ts"
import * as Codex from "./providers/Codex.ts"
import * as Copilot from "./providers/Copilot.ts"
import * as CursorAgent from "./providers/CursorAgent.ts"
import * as Demo from "./providers/Demo.ts"
import * as Gemini from "./providers/Gemini.ts"
import * as OpenCode from "./providers/OpenCode.ts"

/** A registry of these records, in this order. */
export const layerOf = (all: ReadonlyArray<ProviderRecord>): Layer.Layer<Providers> => Layer.succeed(Providers, registryOf(all))

/** The CLIs that leap knows. A new one is a file under `providers` and a line here. */
export const records: ReadonlyArray<ProviderRecord> = [
  Claude.record, Codex.record, Gemini.record, Copilot.record, CursorAgent.record, OpenCode.record, Demo.record
]

/** The CLIs that leap knows, without the user's settings. */
export const layer: Layer.Layer<Providers> = layerOf(records)

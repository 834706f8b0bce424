import { layer } from "@effect/vitest"
import { Layer } from "effect"
import type { Registration } from "../../src/layers/providers/registry.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import type { Texts } from "../support/wiring/wiring.ts"
import { identity } from "./provider/identity.ts"
import { input } from "./provider/input.ts"
import { permissions } from "./provider/permissions.ts"
import { screens, signals } from "./provider/readers.ts"
import { accounts, resuming } from "./provider/sessions.ts"
import { wiring } from "./provider/wiring.ts"

export interface SuiteOptions {
  /** The CLI's settings as real users have them, by their paths for a user whose home is `/home/me`. */
  readonly settings?: ReadonlyArray<Texts>
  /** Rows of screens that the CLI itself drew. */
  readonly screens?: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * What every provider promises to the rest of leap, whichever CLI it is for. Moves of sessions are in
 * `RelocationSuite`, which needs a disk.
 */
export const suite = (
  { identity: known, layer: provider }: Registration,
  { screens: drawn = [], settings = [] }: SuiteOptions = {}
) =>
  layer(Layer.merge(provider, ScreenXterm.layer))(`the provider ${known.id}`, (it) => {
    identity(it, known)
    screens(it, drawn)
    signals(it)
    wiring(it, settings)
    input(it)
    permissions(it)
    resuming(it)
    accounts(it)
  })

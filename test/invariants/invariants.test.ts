import { assert, describe, it, layer } from "@effect/vitest"
import { Layer } from "effect"
import * as ProvidersBuiltin from "../../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { arrows } from "./arrows.ts"
import { bounds } from "./bounds.ts"
import { cuts } from "./cuts.ts"
import { determinism } from "./determinism.ts"
import { byFacts, clisOnScreen, onScreen } from "./dialogsOnScreen.ts"
import { interrupts } from "./interrupts.ts"
import { readers } from "./readers.ts"
import type { Law } from "./registry.ts"
import { sending } from "./sending.ts"
import { signals } from "./signals.ts"
import { type Invariant, statements } from "./statements.ts"
import { turns } from "./turns.ts"

/** All laws there are. The tests are made from this table, so that what is in it runs, and what is not shows nothing. */
const subjects: Readonly<Record<string, ReadonlyArray<Law>>> = {
  "determinism and totality": determinism,
  "readers over anything": readers,
  "output and keys, however they are cut": cuts,
  turns,
  "dialogs and interrupts": interrupts,
  bounds,
  readiness: byFacts,
  sending,
  arrows,
  signals,
  ...Object.fromEntries(clisOnScreen.map((cli) => [`on the screen of ${cli}`, onScreen(cli)]))
}

const held = new Set<Invariant>()

layer(Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer))("the invariants of the state machine", (it) => {
  describe.each(Object.entries(subjects))("%s", (_, laws) => {
    for (const law of laws) {
      law.define(it, () => {
        for (const invariant of law.of) held.add(invariant)
      })
    }
  })
})

describe("each invariant", () => {
  it.each(Object.entries(statements))("%s was held by a test: %s", (invariant) => {
    assert.isTrue(held.has(invariant as Invariant), `${invariant}: no law that names it ran to its end`)
  })
})

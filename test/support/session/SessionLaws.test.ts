import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { provider as parrot } from "../../../examples/custom-provider.ts"
import type { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { runsOf } from "../recordings/scenes.ts"
import { rowsOf } from "./PaintedCli.ts"
import { everything, nothing } from "./trace.ts"
import * as SessionLaws from "./SessionLaws.ts"

const claude = await Effect.runPromise(
  Effect.flatMap(Providers, (providers) => providers.get("claude")).pipe(Effect.provide(ProvidersBuiltin.layer))
)
const drawn = (provider: Provider) =>
  SessionLaws.subjectOf(provider, ({ draft, ...shown }) => rowsOf({ ...shown, box: draft === null ? null : { draft } }))

const subjects: Readonly<Record<string, SessionLaws.Subject>> = {
  "the machine, of a CLI that tells all": SessionLaws.machineAlone(everything),
  "the machine, of a CLI that tells nothing": SessionLaws.machineAlone(nothing),
  "Claude Code's provider": drawn(claude),
  "the example's provider": SessionLaws.subjectOf(parrot, ({ dialog, draft, picker, working }) =>
    dialog !== null || picker || (draft === null && !working)
      ? null
      : ["  this is parrot", working ? "parrot: thinking" : `parrot> ${draft}`]
  )
}

const { runs } = runsOf(400).arbitrary
describe.each(Object.entries(subjects))("%s keeps the laws of a session", (_, subject) => {
  it.effect.each(SessionLaws.laws.map((law) => [law.says, law] as const))("%s", ([, law]) =>
    Effect.gen(function* () {
      const isHosted = law === SessionLaws.allGoOut || law === SessionLaws.nothingIntoDialogs
      assert.isUndefined(yield* law.holds(subject, { runs: isHosted ? 20 : runs }))
    })
  )
})

/** A provider whose reader gets something wrong. */
const misread = (wrong: (facts: ScreenFacts) => ScreenFacts): Provider => ({
  ...claude,
  detection: { ...claude.detection, readScreen: (view) => wrong(claude.detection.readScreen(view)) }
})
let screens = 0
const asBox = (facts: ScreenFacts): ScreenFacts =>
  facts.dialog === null ? facts : { ...facts, dialog: null, box: { draft: "" } }

describe("a law", () => {
  it.effect.each([
    ["remembers", SessionLaws.sameAgain, misread((facts) => (screens++ % 7 === 6 ? { ...facts, box: null } : facts))],
    ["takes a dialog for an empty box", SessionLaws.notReadyOver, misread(asBox)],
    [
      "takes a dialog for a menu",
      SessionLaws.dialogAsks,
      misread((facts) => (facts.dialog === null ? facts : { ...facts, dialog: null, picker: true }))
    ],
    ["sees work in every screen", SessionLaws.runsOnSignOnly, misread((facts) => ({ ...facts, working: true }))],
    ["sees no work", SessionLaws.workIsSeen, misread((facts) => ({ ...facts, working: false }))],
    ["sees work in a screen at rest", SessionLaws.restEndsTurn, misread((facts) => ({ ...facts, working: true }))],
    [
      "never finds in its box what was typed",
      SessionLaws.allGoOut,
      { ...claude, input: { ...claude.input, showsPasted: () => false } }
    ],
    ["types where it takes a dialog for an empty box", SessionLaws.nothingIntoDialogs, misread(asBox)]
  ] as const)("finds the provider that %s", ([, law, provider]) =>
    Effect.gen(function* () {
      const { message, says } = yield* Effect.flip(law.holds(drawn(provider), { runs: 400 }))
      assert.include(message, says)
    })
  )
  it("is shown to fail, each", () => assert.lengthOf(SessionLaws.laws, 8))
})

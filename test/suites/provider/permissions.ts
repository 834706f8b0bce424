import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Verdict } from "../../../src/domain/policy/Decision.ts"
import { personal, ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import { DialogKind } from "../../../src/domain/words/session/Screen.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { examined, type It } from "./examined.ts"
import { Json } from "./values.ts"

const isRequest = Schema.is(ToolRequest)

/** Options that say no more than yes, in the words of one CLI or another. */
const plain = ["Yes", "Allow once", "Yes, proceed (y)", "Yes, just this once (y)", "Run (once) (y)"] as const
/** Those that say more, or less. */
const wide = [
  "Yes, and don't ask again for `ls` in this repo (~/project)",
  "Yes, and don't ask again for commands that start with `ls` (p)",
  "Allow always",
  "Allow for this session",
  "Yes, allow all edits during this session (shift+tab)",
  "Run Everything (shift+tab)",
  "Trust folder",
  "Confirm",
  "No"
] as const
const Shown = Schema.Struct({
  kind: DialogKind,
  title: Schema.Literals(["Do you want to run this command?", "Shell command: ls", "Do you want to proceed?"]),
  labels: Schema.Array(Schema.Literals([...plain, ...wide]))
})

/** How it asks for leave, and how it is answered: never more than was decided, never where it does not wait. */
export const permissions = (it: It) => {
  it.effect("wait at the hooks that are wired for a decision, and at no others", () =>
    examined(({ hooks, permissions }) => {
      const wired = hooks?.events.filter(({ canAnswer }) => canAnswer).map(({ event }) => event) ?? []
      // what is only heard of (an elicitation) takes no answer
      assert.sameMembers(
        permissions.decisions.flatMap(({ event, verdicts }) => (verdicts.length === 0 ? [] : [event])),
        wired
      )
    })
  )

  it.effect("are told in one line of JSON, for what the hook heeds and for nothing else", () =>
    examined(({ permissions }) => {
      const events = permissions.decisions.map(({ event }) => event)
      assert.strictEqual(new Set(events).size, events.length)
      for (const event of ["Stop", "constructor", "", ...events]) {
        const heeded = permissions.decisions.find((decision) => decision.event === event)?.verdicts ?? []
        for (const verdict of Verdict.literals) {
          const line = permissions.reply(event, verdict, 'two\nlines "and" quotes')
          assert.strictEqual(line !== null, heeded.includes(verdict), `${event} ${verdict}`)
          if (line === null) continue
          assert.notInclude(line, "\n")
          assert.isObject(JSON.parse(line))
          if (verdict === "deny") assert.include(line, JSON.stringify('two\nlines "and" quotes'))
        }
      }
    })
  )

  it.effect.prop("are read from any payload, or not", { n: Schema.Int, payload: Json }, ({ n, payload }) =>
    Effect.gen(function* () {
      const { permissions } = yield* CLIProvider
      const events = ["Stop", "constructor", ...permissions.decisions.map(({ event }) => event)]
      const event = events[Math.abs(n) % events.length] ?? ""
      const found = permissions.request(event, payload)
      assert.isTrue(found === null || isRequest(found.request), JSON.stringify(found))
      if (found === null) return
      const heeded = permissions.decisions.find((decision) => decision.event === event)?.verdicts
      assert.isDefined(heeded, `${event} asks for nothing`)
      assert.includeMembers([...(heeded ?? [])], [...found.heeds])
      if (personal.has(found.request.kind)) assert.isEmpty(found.heeds)
      if (found.request.kind === "command" && found.request.command === null) assert.notInclude(found.heeds, "allow")
    })
  )

  it.effect.prop(
    "are granted by keys only where one option of a permission says no more than yes",
    { shown: Shown },
    ({ shown: { kind, labels, title } }) =>
      Effect.gen(function* () {
        const { input, permissions } = yield* CLIProvider
        const options = labels.map((label, at) => ({ number: at + 1, label, selected: at === 0 }))
        const yes = permissions.plainYes({ kind, title, options })
        assert.isTrue(yes === null || kind === "permission", kind)
        if (yes === null) return
        const chosen = labels[Number(yes) - 1]
        assert.include([...plain], chosen)
        assert.strictEqual(labels.filter((label) => label === chosen).length, 1)
        assert.strictEqual(input.answer({ kind, title, options }, yes)._tag, "Keys")
      })
  )
}

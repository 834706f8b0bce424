import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readHook as claude } from "../../src/domain/providers/claude/Hooks.ts"
import { readTranscript as codex } from "../../src/domain/providers/codex/Transcript.ts"
import { readHook as copilotHook } from "../../src/domain/providers/copilot/Hooks.ts"
import { readTranscript as copilot } from "../../src/domain/providers/copilot/Transcript.ts"
import { readTranscript as gemini } from "../../src/domain/providers/gemini/Transcript.ts"
import { readHook as opencode } from "../../src/domain/providers/opencode/Hooks.ts"
import type { Signal } from "../../src/domain/words/session/Signal.ts"
import { kindsOf } from "./kinds/kinds.ts"

/** The event or record with which the real CLI told of a failure. */
interface Told {
  readonly hook?: string
  readonly payload?: unknown
  readonly record?: unknown
}

type Reader = (told: Told) => ReadonlyArray<Signal>

const readers: Readonly<Record<string, Reader>> = {
  claude: ({ hook, payload }) => claude(hook ?? "", payload),
  codex: ({ record }) => codex(record),
  gemini: ({ record }) => gemini(record),
  copilot: ({ hook, payload, record }) => (hook === undefined ? copilot(record) : copilotHook(hook, payload)),
  opencode: ({ hook, payload }) => opencode(hook ?? "", payload)
}

const toldBy = (cli: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "told", `${cli}.json`), "utf8")) as Readonly<Record<string, Told>>

for (const [cli, read] of Object.entries(readers)) {
  describe(`what ${cli} tells of its failed turns is read`, () => {
    const told = toldBy(cli)
    const kinds = kindsOf(cli).flatMap(({ name, right }) => {
      const one = told[name]
      return one === undefined || right === null ? [] : [[name, right, one] as const]
    })

    it("for many kinds", () => assert.isAtLeast(kinds.length, 25))

    it.each(kinds)("%s: %s", (_, right, one) => {
      const failures = read(one).flatMap((signal) =>
        signal._tag === "TurnFailed" || signal._tag === "RequestFailed" ? [signal.problem?.kind ?? null] : []
      )
      assert.deepStrictEqual<ReadonlyArray<string | null>>(failures, [right])
    })
  })
}

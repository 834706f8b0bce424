import { assert, describe, it } from "@effect/vitest"
import { hosted, sleep, type Session } from "../real/hosted.ts"
import { say } from "../real/model/FakeModel.ts"
import { replyOf } from "./Fault.ts"
import { Front } from "./Front.ts"
import { clis, impatient } from "./impatient.ts"
import type { Kind } from "./kinds/Kind.ts"
import { kindsOf } from "./kinds/kinds.ts"

/**
 * A few of the kinds, one of each fault. `told.test.ts` holds what the programs told of all; this sees that they still
 * do. Copilot and OpenCode try again by themselves where the world is at fault, for longer than a test should last.
 */
const shown: Readonly<Record<string, ReadonlyArray<string>>> = {
  claude: ["refused", "prompt-too-long", "content-policy", "credit", "model-not-found", "rate-limit", "overloaded"],
  codex: ["reset-in-body", "context-length", "invalid-prompt", "invalid-key", "model-not-found", "quota", "overloaded"],
  gemini: ["refused", "cut-clean", "token-count", "invalid-key", "bad-request"],
  copilot: ["context-length", "invalid-prompt", "payment", "model-not-found", "bad-request"],
  opencode: ["no-http", "invalid-prompt", "invalid-key", "model-not-found", "bad-request"]
}

/** Types into the CLI beside leap's queue, which may wait. */
const type = async ({ leap, tag }: Session, text: string) => {
  await leap(["keys", tag, ...text])
  await sleep(500)
  await leap(["keys", tag, "Enter"])
}

const meet = async (session: Session, front: Front, kind: Kind) => {
  const { api, until } = session
  const seen = () => api.exchanges.length + front.connections
  const since = seen()
  if ("way" in kind.injected) await front.become(kind.injected.way)
  else api.otherwise = replyOf(kind.injected.fault)
  await type(session, "go")
  const { problem } = await until(
    `${kind.name} is told`,
    ({ problem, state }) => state === "idle" && problem !== null && ("way" in kind.injected || seen() > since)
  )
  await front.become("open")
  api.otherwise = say("fine")
  const answered = api.main.length
  await type(session, "on")
  await until(
    "it works again",
    ({ problem, state }) => state === "idle" && problem === null && api.main.length > answered
  )
  return problem?.kind ?? null
}

describe.each(clis)("$id", (cli) => {
  it("tells why its turns failed", async () => {
    const front = new Front()
    await front.listen()
    const kinds = kindsOf(cli.id).filter(({ name }) => shown[cli.id]?.includes(name))
    await hosted(impatient(cli, front), `told-${cli.id}`, async (session) => {
      const told: Array<readonly [string, string | null]> = []
      for (const kind of kinds) told.push([kind.name, await meet(session, front, kind)])
      assert.deepStrictEqual<unknown>(
        told,
        kinds.map(({ name, right }) => [name, right])
      )
    })
    await front.close()
  })
})

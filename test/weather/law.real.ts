import { assert, describe, it } from "@effect/vitest"
import { hosted, type RealCli } from "../real/hosted.ts"
import { say } from "../real/model/FakeModel.ts"
import { replyOf } from "./Fault.ts"
import { Front } from "./Front.ts"
import { clis, impatient } from "./impatient.ts"
import { type Kind } from "./kinds/Kind.ts"
import { kindsOf } from "./kinds/kinds.ts"
import { isThorough } from "../support/run/thorough.ts"

const many = 4

interface Message {
  readonly text: string
  readonly status: string
  readonly outcome?: string
  readonly why: string | null
}

interface Queue {
  readonly queue: ReadonlyArray<Message>
  readonly recent: ReadonlyArray<Message>
}

/**
 * What each CLI is tried with: a kind that the world is to blame for, some that are the account's, the session's or
 * unknown (they wait for the human), and one that is the message's own. OpenCode tries again by itself as long as the
 * world is at fault.
 */
const tried: Readonly<Record<string, ReadonlyArray<string>>> = {
  claude: ["hang-up", "gateway-401", "bad-request", "content-policy"],
  codex: ["hang-up", "bad-request", "invalid-prompt"],
  gemini: ["hang-up", "bad-request", "token-count"],
  copilot: ["bad-request", "invalid-prompt"],
  opencode: ["bad-request", "invalid-prompt"]
}

const named = (cli: RealCli, name: string): Kind => {
  const kind = kindsOf(cli.id).find((one) => one.name === name)
  if (kind === undefined) throw new Error(`${cli.id} is not tried with ${name}`)
  return kind
}

const texts = Array.from({ length: many }, (_, index) => `message ${index + 1} of ${many}`)

describe.each(clis)("no failure uses up more than one message of $id", (cli) => {
  // two a CLI in CI, all with LEAP_THOROUGH=1
  it.each((tried[cli.id] ?? []).slice(0, isThorough ? undefined : 2).map((name) => [name, named(cli, name)] as const))(
    "%s",
    async (name, kind) => {
      const front = new Front()
      await front.listen()
      await hosted(impatient(cli, front), `law-${cli.id}-${name}`, async ({ api, leap, tag, until }) => {
        const messages = async () => {
          const { queue, recent } = JSON.parse(await leap(["queue", "show", tag, "--json"])) as Queue
          return [...queue, ...recent].filter(({ text }) => texts.includes(text))
        }
        const answered = () =>
          api.main.filter(({ failed }) => failed !== true).map(({ conversation }) => conversation.at(-1) ?? "")
        api.otherwise = say("fine")
        // the conversation is not empty
        await leap(["send", tag, "hello"])
        await api.until("it answers", (main) => main.length > 0 && main.every(({ endedAt }) => endedAt !== null))
        await until("it rests", ({ state, ready }) => state === "idle" && ready)
        if ("way" in kind.injected) await front.become(kind.injected.way)
        else api.otherwise = replyOf(kind.injected.fault)
        for (const text of texts) await leap(["send", tag, text])
        const isOwn = kind.right === "refused"
        // Two that are refused in a row are no longer taken for their own fault.
        const waiting = await until("its queue waits, and says why", ({ pause }) => pause != null)
        assert.strictEqual(waiting.pause?.kind, kind.right)
        const before = await messages()
        const told = JSON.stringify(before, null, 1)
        assert.sameMembers([...new Set(before.map(({ text }) => text))], texts, told)
        assert.isAtMost(before.filter(({ status }) => status === "done").length, isOwn ? 1 : 0, told)
        await front.become("open")
        api.otherwise = say("fine")
        await leap(["queue", "retry", tag, "all"])
        await until("all are delivered", ({ queue: left, state }) => left.length === 0 && state === "idle")
        // each once, in order; one that was its own fault is told as failed
        const mine = answered().filter((text) => texts.includes(text))
        const expected = isOwn ? texts.filter((text) => mine.includes(text)) : texts
        assert.deepStrictEqual(mine, expected)
        assert.isAtLeast(mine.length, isOwn ? many - 1 : many)
      })
      await front.close()
    }
  )
})

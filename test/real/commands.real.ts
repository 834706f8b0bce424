// A command of the CLI's own that leap sends is run by the CLI: a pasted one may go to the model instead.
import { assert, it } from "@effect/vitest"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type RealCli } from "./hosted.ts"
import type { Status } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

/** The command that begins a new conversation. */
const begins: ReadonlyArray<readonly [RealCli, string]> = [
  [claude, "/clear"],
  [codex, "/new"],
  [gemini, "/clear"],
  [copilot, "/clear"],
  [opencode, "/new"]
]

it.each(begins.map(([cli, command]) => [cli.id, command, cli] as const))("%s runs %s", (_, command, cli) =>
  hosted(cli, `${cli.id}-commands`, async ({ api, leap, tag, until }) => {
    api.otherwise = say("fine")
    await leap(["send", tag, "hello", "--wait", "--timeout", "120"])
    const before = api.main.length
    await leap(["send", tag, command])
    const isDone = ({ queue, ready, state }: Status) => state === "idle" && ready && queue.length === 0
    // Codex asks in which work tree the conversation goes on
    const { state } = await until("it rests or asks", (now) => isDone(now) || now.state === "needs_input")
    if (state === "needs_input") await leap(["answer", tag, "1"])
    await until("it rests", isDone)
    assert.strictEqual(api.main.length, before, "the model was asked")
    await leap(["send", tag, "hello again", "--wait", "--timeout", "120"])
    assert.deepStrictEqual(api.main.at(-1)?.conversation, ["hello again"])
  })
)

// An editor before `leap acp`: the protocol's own client on the pipes of a process of its own, real sessions.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { openEditor } from "../support/processes/Editor.ts"
import { makeRoom } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

describe("leap acp", () => {
  live("refuses a line that is no text, under its own id, and reads on", function* () {
    const room = yield* makeRoom("0.1")
    const line = (id: number, text: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"${text}"}]}}\n`
    const { stdout } = yield* room.program(
      ["acp", "--cli", "demo"],
      Buffer.from(line(7, "caf\xe9") + line(8, "caf\xc3\xa9"), "latin1")
    )
    const said = stdout
      .trim()
      .split("\n")
      .map((answer) => JSON.parse(answer) as { id: number; error: { code: number } })
    assert.deepStrictEqual(
      said.map(({ error, id }) => [id, error.code]),
      [
        [7, -32700],
        [8, -32600]
      ]
    )
  })

  live("starts a session for an editor, which goes on without it and is met again", function* () {
    const room = yield* makeRoom("0.1")
    const work = path.join(room.dir, "my app")
    fs.mkdirSync(work)
    const [node, bin] = room.command
    const open = Effect.acquireRelease(
      Effect.promise(() =>
        openEditor({
          command: [node, bin, "acp", "--cli", "demo"],
          env: room.env,
          choose: ({ options }) => options.find(({ kind }) => kind === "allow_once")!.optionId
        })
      ),
      (editor) => Effect.sync(editor.kill)
    )
    const first = yield* open
    const { sessionId } = yield* Effect.promise(() => first.agent.request("session/new", { cwd: work, mcpServers: [] }))
    assert.strictEqual(sessionId, "my-app")
    const turn = yield* Effect.promise(() => first.prompt(sessionId, "please write a file"))
    assert.deepInclude(turn, { stopReason: "end_turn" })
    assert.deepStrictEqual(first.lines(), ["You asked “please write a file”. That is my answer."])
    assert.deepStrictEqual(first.tools(), ["Write: completed", "Write notes.md?: completed"])
    assert.isTrue(room.log().some(({ event, text }) => event === "submitted" && text === "please write a file"))
    // on its way still when the editor takes it back
    const taken = first.prompt(sessionId, "never typed")
    yield* Effect.promise(() => first.agent.notify("session/cancel", { sessionId }))
    assert.deepInclude(yield* Effect.promise(() => taken), { stopReason: "cancelled" })
    assert.strictEqual(yield* Effect.promise(first.close), 0, first.warnings())

    const second = yield* open
    const { sessions } = yield* Effect.promise(() => second.agent.request("session/list", {}))
    assert.deepStrictEqual(
      sessions.map(({ cwd, sessionId }) => `${sessionId} ${cwd}`),
      [`my-app ${fs.realpathSync(work)}`]
    )
    // the session is not even opened when the editor takes it back
    const early = second.prompt(sessionId, "never typed either")
    yield* Effect.promise(() => second.agent.notify("session/cancel", { sessionId }))
    assert.deepInclude(yield* Effect.promise(() => early), { stopReason: "cancelled" })
    yield* Effect.promise(() => second.load(sessionId, work))
    const next = yield* Effect.promise(() => second.prompt(sessionId, "and now?"))
    assert.deepInclude(next, { stopReason: "end_turn" })
    assert.include(second.lines().join("\n"), "You asked “and now?”")
    assert.isFalse(room.log().some(({ event, text }) => event === "submitted" && text.startsWith("never typed")))
    assert.strictEqual(second.warnings(), "")
  })
})

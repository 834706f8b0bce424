// An editor before `leap acp`: the protocol's own client on the pipes of a process of its own, real sessions.
import {
  client as makeClient,
  ndJsonStream,
  type PromptRequest,
  type SessionNotification
} from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Readable, Writable } from "node:stream"
import { eventually, makeRoom } from "../support/processes/Room.ts"

describe("leap acp", () => {
  it.live("starts a session for an editor, which goes on without it and is met again", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom("0.1")
      const work = path.join(room.dir, "my app")
      fs.mkdirSync(work)
      const open = Effect.fnUntraced(function* () {
        const [node, bin] = room.command
        const child = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn(node, [bin, "acp", "--cli", "demo"], { env: room.env, stdio: ["pipe", "pipe", "pipe"] })
          ),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        let warnings = ""
        child.stderr.setEncoding("utf8").on("data", (text: string) => (warnings += text))
        const updates: Array<SessionNotification["update"]> = []
        const app = makeClient()
          .onNotification("session/update", ({ params }) => void updates.push(params.update))
          .onRequest("session/request_permission", ({ params: { options } }) => ({
            outcome: {
              outcome: "selected" as const,
              optionId: options.find(({ kind }) => kind === "allow_once")!.optionId
            }
          }))
        const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
        const output = Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>
        const { agent } = app.connect(ndJsonStream(input, output))
        yield* Effect.promise(() => agent.request("initialize", { protocolVersion: 1 }))
        const prompt = (sessionId: string, text: string) => {
          const params: PromptRequest = { sessionId, prompt: [{ type: "text", text }] }
          return Effect.promise(() => agent.request("session/prompt", params))
        }
        const said = () =>
          updates.flatMap((update) =>
            update.sessionUpdate === "agent_message_chunk" && "text" in update.content ? [update.content.text] : []
          )
        return { agent, child, prompt, said, warnings: () => warnings, updates }
      })

      const first = yield* open()
      const { sessionId } = yield* Effect.promise(() =>
        first.agent.request("session/new", { cwd: work, mcpServers: [] })
      )
      assert.strictEqual(sessionId, "my-app")
      assert.deepInclude(yield* first.prompt(sessionId, "please write a file"), { stopReason: "end_turn" })
      assert.deepStrictEqual(first.said(), ["You asked “please write a file”. That is my answer."])
      assert.isTrue(first.updates.some((update) => update.sessionUpdate === "tool_call" && update.title === "Write"))
      assert.isTrue(room.log().some(({ event, text }) => event === "submitted" && text === "please write a file"))
      first.child.stdin.end()
      yield* eventually(() => first.child.exitCode !== null, "its end with the editor's")
      assert.strictEqual(first.child.exitCode, 0, first.warnings())

      const second = yield* open()
      const { sessions } = yield* Effect.promise(() => second.agent.request("session/list", {}))
      assert.deepStrictEqual(
        sessions.map(({ cwd, sessionId }) => `${sessionId} ${cwd}`),
        [`my-app ${fs.realpathSync(work)}`]
      )
      yield* Effect.promise(() => second.agent.request("session/load", { sessionId, cwd: work, mcpServers: [] }))
      assert.deepInclude(yield* second.prompt(sessionId, "and now?"), { stopReason: "end_turn" })
      assert.include(second.said().join("\n"), "You asked “and now?”")
    }).pipe(Effect.scoped)
  )
})

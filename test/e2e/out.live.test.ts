// leap out as a process: what real sessions do reaches a webhook and Slack, also over a kill of it, and people answer.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import * as fs from "node:fs"
import * as http from "node:http"
import * as path from "node:path"
import type { OutBody } from "../../src/domain/surfaces/outgoing/OutEvent.ts"
import { serveSlack } from "../support/out/slackServer.ts"
import { listening } from "../support/processes/listening.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** Takes what is signed by the key; the bodies, in the order in which they came. */
const receiver = Effect.gen(function* () {
  const bodies: Array<OutBody> = []
  const server = http.createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (data: string) => (text += data))
    request.on("end", () => {
      const { headers } = request
      const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${text}`
      const own = createHmac("sha256", Buffer.from(key, "base64")).update(signed).digest("base64")
      const isOwn = headers["webhook-signature"] === `v1,${own}`
      if (isOwn) bodies.push(JSON.parse(text) as OutBody)
      response.writeHead(isOwn ? 204 : 401).end()
    })
  })
  const port = yield* listening(server)
  return { bodies, url: `http://127.0.0.1:${port}/hook` }
})

/** `leap out` until the scope ends, or it is killed. */
const startOut = (room: Room, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const [program, bin] = room.command
      const child = spawn(program, [bin, "out"], { env: { ...room.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
      const said = { text: "" }
      child.stderr.setEncoding("utf8").on("data", (data: string) => (said.text += data))
      child.stdout.setEncoding("utf8").on("data", (data: string) => (said.text += data))
      return { child, said }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

describe("leap out", () => {
  live(
    "tells a webhook and Slack what sessions do, loses nothing when it is killed, and lets people answer",
    function* () {
      const room = yield* makeRoom("0.1")
      const hook = yield* receiver
      const slack = yield* serveSlack()
      const secretFile = path.join(room.dir, "secret")
      fs.writeFileSync(secretFile, `whsec_${key}\n`, { mode: 0o600 })
      const settings = {
        out: {
          webhooks: [{ name: "ci", url: hook.url, secretFile }],
          slack: { channel: "C01", users: ["U01"] }
        }
      }
      fs.mkdirSync(room.env["LEAP_HOME"]!, { recursive: true })
      fs.writeFileSync(path.join(room.env["LEAP_HOME"]!, "settings.json"), JSON.stringify(settings))
      const env = {
        LEAP_SLACK_API_URL: slack.url,
        SLACK_BOT_TOKEN: "xoxb-BOTSECRET",
        SLACK_APP_TOKEN: "xapp-APPSECRET"
      }
      const types = () => hook.bodies.map(({ type }) => type)
      /** Of each turn once, by its id: a kill between an answer and its note sends an event again. */
      const turns = () =>
        new Map(hook.bodies.flatMap((body) => (body.type === "turn.ended" ? [[body.id, body.data.response]] : [])))
      const answers = () => [...turns().values()].map((text) => text ?? "")
      const posted = () => slack.of("chat.postMessage").map(({ form }) => form)

      /** Sends a message, and waits until its turn is over. */
      const say = Effect.fnUntraced(function* (text: string) {
        const client = yield* room.connect("a")
        yield* client.Send({ text, images: [], front: false, force: false })
        yield* room.until("a", (now) => now.state === "idle" && (now.lastResponse ?? "").includes(text), text)
      }, Effect.scoped)

      const tried = yield* room.leap(["out", "test"], "", env)
      assert.strictEqual(tried.code, 0, tried.stdout + tried.stderr)
      assert.strictEqual(tried.stdout, "ci: sent\nslack: sent\n")
      assert.deepStrictEqual(types(), ["test"])

      const first = yield* startOut(room, env)
      yield* eventually(() => slack.connections() === 2, "Slack is listened to")
      const second = yield* room.leap(["out"], "", env)
      assert.notStrictEqual(second.code, 0)
      assert.include(second.stderr, "another 'leap out' runs already")

      yield* startDemo(room, "a")
      yield* say("say one")
      yield* eventually(() => answers().some((text) => text.includes("say one")), "the first turn is told")
      first.child.kill("SIGKILL")
      // what happens now is in the record alone
      yield* say("say two")
      yield* say("say three")
      const { child, said } = yield* startOut(room, env)
      yield* eventually(() => answers().some((text) => text.includes("say three")), "what was missed is told")
      assert.deepStrictEqual(
        ["one", "two", "three"].map((word) => answers().findIndex((text) => text.includes(`say ${word}`))),
        [0, 1, 2]
      )
      // what both the session and the record have told is one event
      assert.strictEqual(turns().size, 3)

      yield* Effect.forkScoped(say("write a file"))
      yield* room.until("a", ({ state }) => state === "needs_permission", "the permission")
      const buttons = () => posted().filter(({ blocks = "" }) => blocks.includes('"button"'))
      yield* eventually(() => buttons().length === 1, "the dialog is in Slack")
      const [dialog] = buttons()
      const thread = dialog?.["thread_ts"] ?? ""
      const value = /"value":"(1 dialog_[^"]+)"/.exec(dialog?.["blocks"] ?? "")?.[1]
      slack.send("E1", "interactive", {
        type: "block_actions",
        user: { id: "U01" },
        channel: { id: "C01" },
        message: { ts: "9.9", thread_ts: thread },
        actions: [{ value, action_ts: "1.1" }]
      })
      yield* eventually(() => room.log().some(({ event }) => event === "dialog_answered"), "the dialog is answered")
      slack.send("E2", "events_api", {
        event: { type: "message", channel: "C01", ts: "10.5", thread_ts: thread, user: "U01", text: "say four" }
      })
      yield* eventually(() => answers().some((text) => text.includes("say four")), "the reply is answered")
      // a reply is acknowledged when it is queued and answered for, which its turn does not wait for
      yield* eventually(() => ["E1", "E2"].every((id) => slack.acknowledged.includes(id)), "both are acknowledged")
      assert.includeMembers(types(), ["session.started", "dialog.opened", "dialog.closed"])
      // at least once: what came twice has the same number
      const seen = new Map<number, string>()
      for (const { id, sequence } of hook.bodies.slice(1)) {
        assert.strictEqual(seen.get(sequence) ?? id, id)
        seen.set(sequence, id)
      }
      const status = yield* room.leap(["out", "status"])
      assert.match(status.stdout, /^ci +has all/m)

      child.kill("SIGINT")
      yield* eventually(() => child.exitCode !== null, "its end")
      assert.strictEqual(child.exitCode, 130)
      const kept = fs
        .readdirSync(room.env["LEAP_HOME"]!, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
        .join("\n")
      for (const secret of ["BOTSECRET", "APPSECRET", key])
        assert.notInclude(kept + said.text + first.said.text, secret)
    }
  )
})

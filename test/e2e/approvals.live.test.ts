import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { AuditEntry } from "../../src/domain/engine/approvals/AuditEntry.ts"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import { openDemo } from "../support/demo/DemoTerminal.ts"
import { alive, endsWell, eventually, kill, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"
import { each, rowsOf } from "../support/data/fields.ts"

const send = (text: string) => ({ text, images: [], front: false, force: false })
const modes = (autoSend: "pause" | "always") => ({ modes: { autoSend, churn: "wait" as const } })
const settings = (room: Room, content: object) => {
  fs.mkdirSync(room.env["LEAP_HOME"]!, { recursive: true })
  fs.writeFileSync(path.join(room.env["LEAP_HOME"]!, "settings.json"), JSON.stringify(content))
}
const audit = (room: Room, name: string) =>
  Effect.map(room.leap(["audit", name, "--json"]), (ran) => {
    assert.strictEqual(ran.code, 0, ran.stderr)
    return (JSON.parse(ran.stdout) as { readonly entries: ReadonlyArray<AuditEntry> }).entries
  })
const done = (status: SessionStatus) => status.ready && status.queue.every((message) => message.status === "done")

describe("approvals", () => {
  live("always: the hook script waits for the host's word and passes it on; the audit tells of it", function* () {
    const room = yield* makeRoom("0.1")
    const { pid } = yield* startDemo(room, "yes")
    const spool = path.join(room.session("yes"), "spool")
    const entry = path.join(room.env["LEAP_HOME"]!, "pids", String(pid))
    assert.include(fs.readFileSync(entry, "utf8"), spool)
    const client = yield* room.connect("yes")
    yield* client.SetModes(modes("always"))
    yield* eventually(() => fs.existsSync(path.join(spool, "decision")), "hooks are told to wait")
    yield* client.Send(send("write a file"))
    yield* room.until("yes", (status) => done(status) && status.lastResponse !== null, "the turn is over")
    assert.deepStrictEqual(
      each(
        room.log().filter(({ event }) => event === "dialog_answered"),
        "text"
      ),
      ["Yes"]
    )
    assert.deepStrictEqual(rowsOf(yield* audit(room, "yes"), "verdict", "by", "told"), [["allow", "mode", "hook"]])
    yield* client.SetModes(modes("pause"))
    yield* eventually(() => !fs.existsSync(path.join(spool, "decision")), "hooks wait no more")
    yield* endsWell(room.leap(["stop", "yes"]))
    yield* eventually(() => !fs.existsSync(entry), "the pid is forgotten")
  })

  live("a rule in the settings file refuses, and the audit says why", function* () {
    const room = yield* makeRoom("0.1")
    settings(room, {
      modes: { autoSend: "always" },
      policy: { deny: [{ path: "**/notes.md", reason: "notes are mine" }] }
    })
    yield* startDemo(room, "no")
    const client = yield* room.connect("no")
    yield* client.Send(send("write a file"))
    yield* room.until("no", done, "the turn is over")
    assert.include((yield* client.Screen()).text, "Write notes.md: not allowed")
    const [entry] = yield* audit(room, "no")
    assert.deepStrictEqual(
      [entry?.verdict, entry?.by, entry?.told, entry?.request?.paths[0]],
      ["deny", "rule", "hook", "notes.md"]
    )
    assert.include(entry?.why ?? "", "notes are mine")
    assert.include(entry?.rule ?? "", "notes.md")
  })

  live("leap killed: the dialog comes up as if leap were not there", function* () {
    const room = yield* makeRoom("0.1", { hosts: "apart" })
    settings(room, { modes: { autoSend: "always" } })
    const { hostPid } = yield* startDemo(room, "gone")
    const spool = path.join(room.session("gone"), "spool")
    const over = path.join(room.dir, "over")
    kill(hostPid!)
    yield* eventually(() => !alive(hostPid!), "the host is gone")
    assert.isTrue(fs.existsSync(path.join(spool, "decision")), "it had no time to take that back")
    // The CLI goes with its host's terminal: the same one, in another terminal, with the hook of the session that is
    // no more.
    const cli = yield* openDemo({
      pace: 0.1,
      decide: `LEAP_SIGNAL_DIR='${spool}' sh '${path.join(room.env["LEAP_HOME"]!, "hooks/leap-hook.sh")}' PermissionRequest; : > '${over}'`
    })
    yield* cli.until("the prompt", () => cli.text().includes("ask anything"))
    yield* cli.write("write a file\r")
    yield* cli.until("the dialog", () => cli.text().includes("Write notes.md?"))
    const bell = path.join(spool, "bell")
    const told = () => [
      ...fs.readdirSync(spool),
      ...(fs.existsSync(bell) ? fs.readFileSync(bell, "utf8") : "").split("\n")
    ]
    yield* cli.until("the hook has told of it", () => told().some((name) => name.startsWith("PermissionRequest,")))
    yield* cli.until("the hook has ended", () => fs.existsSync(over))
    assert.include(cli.text(), "Write notes.md?")
    assert.deepStrictEqual(
      told().filter((name) => /^(gave-up|taken)/.test(name)),
      [],
      "it waited for nobody"
    )
    yield* cli.write("1")
    yield* cli.until("the tool ran", () => cli.text().includes("3 lines"))
  })
})

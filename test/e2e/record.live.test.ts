import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { LogEntry } from "../../src/domain/engine/history/LogEntry.ts"
import type { ReportRow } from "../../src/domain/engine/history/Report.ts"
import { endsWell, eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { lookingAgain } from "../support/run/patience.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"

const json = <A>(room: Room, ...args: ReadonlyArray<string>) =>
  Effect.map(room.leap([...args, "--json"]), ({ stderr, stdout }) => {
    assert.strictEqual(stderr, "")
    return JSON.parse(stdout) as A
  })
const log = (room: Room) => Effect.map(json<{ entries: ReadonlyArray<LogEntry> }>(room, "log"), (it) => it.entries)
/** What this finds in the log, once it is written: that is a moment later. */
const logged = <A>(room: Room, find: (entries: ReadonlyArray<LogEntry>) => A | undefined | false | 0) =>
  Effect.flatMap(log(room), (entries) => {
    const found = find(entries)
    return found === undefined || found === false || found === 0 ? Effect.fail(entries) : Effect.succeed(found)
  }).pipe(
    Effect.retry(lookingAgain(50)),
    Effect.catch((entries) => Effect.die(new Error(`never in the log: ${JSON.stringify(entries)}`)))
  )

describe.runIf(isThorough)("the record of running sessions", () => {
  live("is read by log, report and search while a host writes it, and outlives its session's files", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "one")
    yield* endsWell(room.leap(["send", "one", "say rhubarb", "--wait"]))
    yield* room.leap(["send", "one", "please write a file"])
    yield* room.until("one", ({ state }) => state === "needs_permission", "the dialog")
    const file = path.join(room.env["LEAP_HOME"]!, "record.db")
    const asking = yield* logged(room, (entries) => entries.find(({ kind }) => kind === "dialog"))
    assert.deepInclude(asking, { tag: "one", until: null, state: "needs_permission" })
    yield* room.leap(["answer", "one", "1"])
    yield* room.until("one", ({ ready }) => ready, "the end of its turn")
    yield* room.leap(["stop", "one"])
    yield* endsWell(room.leap(["forget", "one"]))

    const kinds = (yield* log(room)).map((entry) => (entry.kind === "dialog" ? entry.answeredBy : entry.kind))
    assert.sameMembers(kinds.slice(), [
      "started",
      "conversation",
      "turn",
      "message",
      "turn",
      "client",
      "message",
      "ended"
    ])
    const report = yield* json<{ rows: ReadonlyArray<ReportRow>; total: ReportRow }>(room, "report")
    assert.deepInclude(report.rows[0], { key: "one", sessions: 1, turns: 2, dialogs: 1, messages: 2 })
    assert.isAbove(report.total.workedMs, 0)
    assert.isAbove(report.total.waitedMs, 0)
    assert.match((yield* room.leap(["report", "--by", "day"])).stdout, /^DAY .*\n\d{4}-\d\d-\d\d /)
    const found = yield* room.leap(["log", "--search", "rhub"])
    assert.match(found.stdout, / {2}one {2}message: say \[rhubarb\]\n.* {2}one {2}answer: .*\[rhubarb\]/)
    assert.strictEqual((yield* room.leap(["log", "--search", '"'])).code, 2)
    assert.strictEqual((yield* room.leap(["report", "--since", "yesterday-ish"])).code, 2)
    // the host has had it looked after, in a process of its own
    const database = new DatabaseSync(file, { readOnly: true })
    yield* eventually(() => Number(database.prepare("SELECT at FROM upkeep").get()?.["at"]) > 0, "the upkeep")
    database.close()
  })

  live("may be damaged and deleted under a host: that goes on, tells it, and records again", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "one")
    const file = path.join(room.env["LEAP_HOME"]!, "record.db")
    const say = (text: string) =>
      Effect.andThen(
        room.leap(["send", "one", text, "--wait"]),
        Effect.sync(() => {})
      )
    const recordedTurns = logged(room, (entries) => entries.filter(({ kind }) => kind === "turn").length)
    yield* say("say one")
    assert.strictEqual(yield* recordedTurns, 1)
    fs.writeFileSync(file, "no database at all ".repeat(1_000))
    for (const end of ["-wal", "-shm"]) fs.rmSync(file + end, { force: true })
    const doctor = yield* room.leap(["doctor"])
    assert.strictEqual(doctor.code, 1)
    assert.match(doctor.stdout, /broken +record +the record .* cannot be used: it is no database/)
    assert.strictEqual((yield* room.leap(["log"])).code, 1)
    yield* say("say two")
    const aside = () => fs.readdirSync(path.dirname(file)).filter((name) => name.includes("damaged"))
    yield* eventually(() => aside().length === 1, "it is set aside")
    assert.match(fs.readFileSync(path.join(path.dirname(file), aside()[0]!), "utf8"), /^no database at all/)
    yield* say("say three")
    assert.isAtLeast(yield* recordedTurns, 1)
    assert.isTrue(yield* logged(room, (entries) => entries.some(({ kind }) => kind === "gap")))
    assert.match((yield* room.leap(["doctor"])).stdout, /warning +record +a damaged one was set aside: .* → rm /)
    const told = fs.readFileSync(path.join(room.session("one"), "host.log"), "utf8")
    assert.strictEqual(told.split("the record was damaged").length, 2, told)
    for (const end of ["", "-wal", "-shm"]) fs.rmSync(file + end, { force: true })
    yield* say("say four")
    yield* eventually(() => fs.existsSync(file), "a new one")
    yield* endsWell(room.leap(["stop", "one"]))
    assert.isTrue((yield* log(room)).some(({ kind }) => kind === "ended"))
  })
})

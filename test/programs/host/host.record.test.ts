import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import { only } from "../../support/data/recordEvents.ts"
import { ControlSocketFake } from "../../support/host/ControlSocketFake.ts"
import { DirectoryWatchFake } from "../../support/host/DirectoryWatchFake.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, settle, startHost, until, world } from "../../support/host/stage.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"
import { each } from "../../support/data/fields.ts"

const states = (rows: ReadonlyArray<RecordRow>) => only(rows, "Interval").map(({ state }) => state)

const staged = Effect.gen(function* () {
  const all = { directories: yield* DirectoryWatchFake, disk: yield* DiskFake, sockets: yield* ControlSocketFake }
  return { ...all, ...(yield* hostDemo()) }
})
type Staged = Effect.Success<typeof staged>

describe("the record of a hosted session", () => {
  hosted(
    "has its states, a message with its receipt, its turn and its answer, a dialog and who answered it",
    function* () {
      const disk = yield* DiskFake
      const { client, end, send, status } = yield* hostDemo()
      const { id } = yield* passing(send("please write a file"))
      yield* status.until(({ state }) => state === "needs_permission", "the dialog")
      yield* passing(client.Answer({ answer: "1" }))
      yield* status.until(({ ready, state }) => state === "idle" && ready, "the end of its turn")
      yield* passing(client.Stop({ force: false }))
      yield* end
      const rows = disk.record
      const known = states(rows).filter((state, i, all) => state !== all[i - 1])
      assert.deepStrictEqual(known.slice(0, 5), ["starting", "idle", "running", "needs_permission", "running"])
      const asked = only(rows, "Interval").find(({ state }) => state === "needs_permission")
      assert.include(asked?.asked, "Write notes.md?")
      assert.strictEqual(only(rows, "IntervalEnded").findLast(({ n }) => n === asked?.n)?.answeredBy, "client")
      assert.deepStrictEqual(each(only(rows, "MessageStep"), "status"), ["typed", "submitted", "started", "done"])
      const [turn] = only(rows, "Turn")
      assert.strictEqual(turn?.message ?? only(rows, "TurnOfMessage")[0]?.message, id)
      assert.deepInclude(only(rows, "TurnEnded")[0], { n: 0, outcome: "completed" })
      assert.deepStrictEqual(
        only(rows, "Text").map(({ kind, text }) => `${kind}: ${text}`),
        ["message: please write a file", "answer: You asked “please write a file”. That is my answer."]
      )
      assert.deepInclude(only(rows, "Decision").at(-1), { by: "user", verdict: "allow" })
      assert.strictEqual(rows.at(-1)?._tag, "LifeEnded")
    }
  )

  it.effect.each<readonly [what: string, cause: string | null, end: (host: Staged) => Effect.Effect<unknown>]>([
    ["by itself", null, ({ child }) => child.exit({ code: null, signal: "SIGINT" })],
    ["by a client", "asked", ({ client }) => passing(Effect.orDie(client.Stop({ force: false })))],
    ["by a signal to its host", "signal", ({ ask }) => ask],
    ["with its directory", "directory", ({ directories, paths }) => directories.take(paths.dir)],
    [
      "where another host has it",
      "taken",
      ({ directories, disk, paths, sockets }) =>
        Effect.sync(() => {
          disk.locks.delete(paths.lock)
          disk.faults.add("lock taken over")
          sockets.lose(paths.socket)
          directories.change(paths.dir)
        })
    ]
  ])("says why its CLI ended: %s", ([, cause, bringAbout]) =>
    Effect.gen(function* () {
      const host = yield* staged
      yield* bringAbout(host)
      yield* host.end
      const causes = only(host.disk.record, "Note").flatMap(({ kind, text }) => (kind === "ending" ? [text] : []))
      assert.deepStrictEqual(causes, cause === null ? [] : [cause])
      assert.strictEqual(host.disk.record.at(-1)?._tag, "LifeEnded")
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  hosted("is left out where it cannot be written, says so once, and begins again with a gap", function* () {
    const disk = yield* DiskFake
    disk.faults.add("record")
    const { end, client, send, status } = yield* hostDemo()
    yield* passing(send("say hello"))
    yield* status.until(({ lastResponse }) => lastResponse?.includes("hello") === true, "an answer")
    assert.deepStrictEqual(disk.record, [])
    disk.faults.delete("record")
    yield* until(() => only(disk.record, "Text").length === 2, "what waited is written")
    disk.faults.add("record")
    yield* passing(client.Stop({ force: false }))
    yield* end
    assert.notStrictEqual(disk.record.at(-1)?._tag, "LifeEnded")
    assert.isTrue(disk.journal.includes("last status written"))
  })

  hosted("is what the settings say it is, also when they change", function* () {
    const disk = yield* DiskFake
    const { setSettings } = yield* SystemFake
    yield* setSettings({ record: "off" })
    const { send, status } = yield* hostDemo()
    const say = Effect.fnUntraced(function* (text: string) {
      yield* passing(send(text))
      yield* status.until(({ lastResponse, ready }) => ready && lastResponse?.includes(text) === true, text)
      yield* settle
    })
    yield* say("one")
    assert.deepStrictEqual(disk.record, [])
    yield* setSettings({ record: "meta" })
    yield* settle
    yield* say("two")
    yield* until(() => only(disk.record, "TurnEnded").length === 1, "a turn")
    assert.deepStrictEqual(only(disk.record, "Text"), [])
    assert.isFalse(JSON.stringify(disk.record).includes("two"))
    yield* setSettings({ record: "full" })
    yield* settle
    yield* say("three")
    yield* until(() => only(disk.record, "Text").length === 2, "texts")
    const written = disk.record.length
    yield* setSettings({ record: "off" })
    yield* settle
    yield* say("four")
    yield* until(() => true, "")
    assert.isFalse(JSON.stringify(disk.record).includes("four"))
    // the ends of what was open, and nothing more
    assert.isAtMost(disk.record.length, written + 2)
  })

  hosted("has a life of which nothing but its end is known, where its CLI could not be started", function* () {
    const disk = yield* DiskFake
    const host = yield* startHost()
    const child = yield* host.child
    yield* child.exit({ code: 3, signal: null })
    yield* host.end
    assert.deepStrictEqual(states(disk.record)[0], "starting")
    assert.deepInclude(disk.record.at(-1), { _tag: "LifeEnded", exit: { code: 3, signal: null } })
  })
})

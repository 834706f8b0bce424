import { assert, describe } from "@effect/vitest"
import { Effect, Layer, type Scope, Stream } from "effect"
import { spawn } from "node:child_process"
import type { FeedSessions } from "../../../src/domain/words/session/Feed.ts"
import { fold } from "../../../src/domain/words/session/Feed.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as SessionFeed from "../../../src/programs/client/SessionFeed.ts"
import { eventually, kill, makeRoom, type Room, startDemo } from "../../support/processes/Room.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { live } from "../../support/run/effects.ts"

/** The feed of a room's sessions, as a test sees it. */
const follow = Effect.fnUntraced(function* () {
  const feed = yield* SessionFeed.SessionFeed
  let sessions: FeedSessions = new Map()
  yield* feed.events.pipe(
    Stream.runForEach((event) => Effect.sync(() => void (sessions = fold(sessions, event)))),
    Effect.forkScoped
  )
  const is = (tag: string, link: string, state: string): boolean =>
    sessions.get(tag)?.link === link && sessions.get(tag)?.status.state === state
  return {
    status: (tag: string) => sessions.get(tag)?.status,
    becomes: (tag: string, link: string, state: string) =>
      eventually(() => is(tag, link, state), `${tag} ${link} ${state}`),
    has: (tag: string) => sessions.has(tag)
  }
})

const inRoom = <A, E>(
  room: Room,
  test: Effect.Effect<A, E, SessionFeed.SessionFeed | Scope.Scope>
): Effect.Effect<A, E> =>
  Effect.scoped(test).pipe(
    Effect.provide(
      SessionFeed.layer.pipe(Layer.provide([room.layer, DirectoryWatchNode.layer, ProcessTableNode.layer]))
    )
  )

/** What `leap status --watch --json` prints, line by line, until the scope ends. */
const watchCommand = Effect.fnUntraced(function* (room: Room) {
  const seen: Array<SessionStatus> = []
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(room.command[0], [room.command[1], "status", "--watch", "--json"], {
        env: room.env,
        cwd: room.dir,
        stdio: ["ignore", "pipe", "inherit"]
      })
      let rest = ""
      child.stdout.setEncoding("utf8").on("data", (data: string) => {
        const lines = (rest + data).split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines)
          seen.push(...(JSON.parse(line) as { sessions: ReadonlyArray<SessionStatus> }).sessions)
      })
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  return {
    says: (tag: string, test: (status: SessionStatus) => boolean, what: string) =>
      eventually(() => seen.some((status) => status.tag === tag && test(status)), `--watch: ${tag} ${what}`)
  }
})

describe.runIf(isThorough)("the feed over real hosts", () => {
  live("goes on while a host is stopped, says so, and has it back when it goes on", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const [a] = yield* Effect.all([startDemo(room, "a"), startDemo(room, "b")], { concurrency: 2 })
    const watched = yield* watchCommand(room)
    yield* inRoom(
      room,
      Effect.gen(function* () {
        const feed = yield* follow()
        yield* feed.becomes("a", "live", "idle")
        yield* feed.becomes("b", "live", "idle")
        yield* watched.says("a", ({ state }) => state === "idle", "idle")
        kill(a.hostPid!, "SIGSTOP")
        yield* Effect.addFinalizer(() => Effect.sync(() => kill(a.hostPid!, "SIGCONT")))
        // the others go on at once: one that is there, and one that comes
        yield* room.leap(["send", "b", "please write a file"])
        yield* feed.becomes("b", "live", "needs_permission")
        yield* watched.says("b", ({ state }) => state === "needs_permission", "asks")
        yield* startDemo(room, "c")
        yield* feed.becomes("c", "live", "idle")
        yield* feed.becomes("a", "silent", "idle")
        assert.isFalse(feed.status("a")?.ready)
        yield* watched.says("a", ({ problem }) => problem?.kind === "stuck", "is stuck")
        kill(a.hostPid!, "SIGCONT")
        yield* feed.becomes("a", "live", "idle")
        // one that is killed, one that is stopped and forgotten
        kill(a.hostPid!)
        yield* feed.becomes("a", "ended", "exited")
        assert.strictEqual(feed.status("a")?.problem?.kind, "crashed")
        yield* room.leap(["stop", "c"])
        yield* feed.becomes("c", "ended", "exited")
        yield* room.leap(["forget", "c"])
        yield* eventually(() => !feed.has("c"), "c is gone")
        // and one that comes back under its name
        kill(a.pid!)
        yield* startDemo(room, "a")
        yield* feed.becomes("a", "live", "idle")
      })
    )
  })
})

import { assert } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, Option, Schedule, Schema, Stream } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { provider } from "../../../src/layers/providers/demo/Provider.ts"
import { demoHooks as hooks } from "../../../src/domain/providers/demo/Wiring.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as ControlSocketUnix from "../../../src/layers/control/ControlSocketUnix.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as HookInstallerFile from "../../../src/layers/files/HookInstallerFile.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as QueueStoreFile from "../../../src/layers/files/QueueStoreFile.ts"
import * as StatusStoreFile from "../../../src/layers/files/StatusStoreFile.ts"
import { HookInstaller } from "../../../src/services/HookInstaller.ts"
import { script } from "../wiring/hookScript.ts"
import { connectTo } from "../../../src/programs/client/client.ts"
import { launcherIn } from "./hostHere.ts"
import { type Ran, runInProcess } from "./inProcess.ts"
import { lookingAgain, patience } from "../run/patience.ts"
import { isThorough } from "../run/thorough.ts"

export type { Ran } from "./inProcess.ts"

const bin = process.env["LEAP_TEST_BUNDLE"] ?? fileURLToPath(new URL("../../../src/bin.ts", import.meta.url))
export const tag = Schema.decodeUnknownSync(Tag)

/** One line of the demo CLI's own log: the truth about what reached it. */
export interface DemoEvent {
  readonly at: number
  readonly event: string
  readonly text: string
}

/** Runs a program to its end; it is killed where nobody waits for that any more. */
export const runToEnd = (
  [program, ...args]: readonly [program: string, ...args: ReadonlyArray<string>],
  where: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
  input: string | Uint8Array = ""
): Effect.Effect<Ran> =>
  Effect.callback<Ran>((resume) => {
    const child = spawn(program, args, { ...where, stdio: ["pipe", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (data: string) => (stdout += data))
    child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data))
    child.once("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** A command that is to end well; where it does not, what it said is the failure's message. */
export const endsWell = <E, R>(running: Effect.Effect<Ran, E, R>): Effect.Effect<void, E, R> =>
  Effect.map(running, ({ code, stderr, stdout }) => assert.strictEqual(code, 0, stderr + stdout))

/**
 * A leap of its own: its files, its environment, the demo CLI wired. Whatever runs in it ends with the scope. `place`:
 * the name of leap's directory. `hosts`: whether sessions that its commands start are hosted in this process, or each in
 * one of its own, where a test stops, kills or looks at that; in a thorough run each has one of its own.
 */
export const makeRoom = Effect.fn("makeRoom")(function* (
  pace = "0.3",
  {
    hosts = isThorough ? "apart" : "here",
    place = "leap"
  }: { readonly hosts?: "here" | "apart" | undefined; readonly place?: string } = {}
) {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-e2e-"))),
    (dir) =>
      Effect.sync(() => {
        const sessions = path.join(dir, place, "sessions")
        const names = fs.existsSync(sessions) ? fs.readdirSync(sessions) : []
        for (const name of names) endOf(path.join(sessions, name, "status.json"))
        fs.rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      })
  )
  const env: Record<string, string> = {
    PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: dir,
    LANG: "C.UTF-8",
    // of which run of the tests it is, where there is one: what is left of one that was cut off is ended by the next
    LEAP_TEST_ROOM: process.env["LEAP_TEST_RUN"] ?? "",
    LEAP_HOME: path.join(dir, place),
    LEAP_DEMO_HOME: path.join(dir, "cli"),
    LEAP_DEMO_LOG: path.join(dir, "cli.ndjson"),
    LEAP_DEMO_PACE: pace
  }
  const command = [process.execPath, bin] as const
  const scope = yield* Effect.scope

  /** Runs one leap command to its end, in this process. */
  const leap = (
    args: ReadonlyArray<string>,
    input = "",
    extra: Readonly<Record<string, string>> = {}
  ): Effect.Effect<Ran> => {
    const where = { self: command, env: { ...env, ...extra }, cwd: dir }
    return runInProcess(args, hosts === "here" ? { ...where, parts: launcherIn(scope, where, endOf) } : where, input)
  }

  /** The same in a process of its own, as users' shells run it. */
  const program = (
    args: ReadonlyArray<string>,
    input: string | Uint8Array = "",
    extra: Readonly<Record<string, string>> = {}
  ): Effect.Effect<Ran> => runToEnd([...command, ...args], { env: { ...env, ...extra }, cwd: dir }, input)

  const layer = Layer.mergeAll(
    PathsXdg.layerFrom(env),
    ControlSocketUnix.layer,
    FileLockSqlite.layer,
    ProcessTableNode.layer,
    StatusStoreFile.layer,
    QueueStoreFile.layer
  )
  const connect = (name: string) => Effect.provide(connectTo(tag(name)), layer)

  /** The first status that passes; waiting is bounded. */
  const until = (name: string, test: (status: SessionStatus) => boolean, what: string): Effect.Effect<SessionStatus> =>
    Effect.gen(function* () {
      const client = yield* connect(name)
      const found = yield* client.Watch().pipe(Stream.filter(test), Stream.runHead)
      return Option.getOrThrow(found)
    }).pipe(
      Effect.scoped,
      Effect.timeout(patience),
      Effect.catch((error) => Effect.die(new Error(`${what}: ${String(error)}`)))
    )

  /** Waits, bounded, until the session's screen passes. */
  const untilScreen = (name: string, test: (text: string) => boolean, what: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const client = yield* connect(name)
      yield* client.Screen().pipe(
        Effect.flatMap(({ text }) => (test(text) ? Effect.void : Effect.fail("not yet"))),
        Effect.retry(Schedule.spaced("20 millis"))
      )
    }).pipe(
      Effect.scoped,
      Effect.timeout(patience),
      Effect.catch((error) => Effect.die(new Error(`${what}: ${String(error)}`)))
    )

  const log = (): ReadonlyArray<DemoEvent> =>
    fs.existsSync(env["LEAP_DEMO_LOG"]!)
      ? fs
          .readFileSync(env["LEAP_DEMO_LOG"]!, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as DemoEvent)
      : []

  // What `leap hooks install --cli demo` does, without a start of it for every room.
  yield* HookInstaller.pipe(
    Effect.flatMap((installer) => installer.install({ ...provider, hooks })),
    Effect.provide(
      HookInstallerFile.layerWith({ env, script }).pipe(Layer.provide([PathsXdg.layerFrom(env), NodeFileSystem.layer])),
      { local: true }
    ),
    Effect.orDie
  )
  return {
    dir,
    env,
    command,
    leap,
    program,
    connect,
    until,
    untilScreen,
    log,
    layer,
    session: (name: string) => path.join(env["LEAP_HOME"]!, "sessions", name)
  }
})

export type Room = Effect.Success<ReturnType<typeof makeRoom>>

/** Starts a session of the demo CLI and waits until it is ready. */
export const startDemo = Effect.fn("startDemo")(function* (
  room: Room,
  name: string,
  extra: Readonly<Record<string, string>> = {}
) {
  const started = yield* room.leap([name, "--cli", "demo", "--detach"], "", extra)
  if (started.code !== 0) return yield* Effect.die(new Error(`no session: ${started.stderr}`))
  return yield* room.until(name, (status) => status.ready, "ready")
})

/** Waits, bounded, for something that has no stream of its own. */
export const eventually = (test: () => boolean, what: string): Effect.Effect<void> =>
  Effect.suspend(() => (test() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(lookingAgain(20)),
    Effect.catch(() => Effect.die(new Error(`never happened: ${what}`)))
  )

export const kill = (pid: number, signal: NodeJS.Signals = "SIGKILL"): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // gone already
  }
}

/** A process that is dead and not yet reaped by its parent has a number still, and lives no more. */
export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    // no /proc; or it has gone meanwhile
    return !fs.existsSync("/proc/self/stat")
  }
}

/** Ends a session's CLI and its host, which may be the test itself, without a word. */
const endOf = (statusFile: string): void => {
  try {
    const { session } = JSON.parse(fs.readFileSync(statusFile, "utf8")) as { session: SessionStatus }
    for (const pid of [session.pid, session.hostPid]) if (pid !== null && pid !== process.pid) kill(pid)
  } catch {
    // it has none
  }
}

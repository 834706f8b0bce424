// A home with sessions of the built-in CLIs in it and leap's records of them, and movers of sessions as processes that
// fail or die at the operation a test names: the engine, the CLIs' registries and leap's records are all the real ones.
import * as providersAtHand from "../providers.ts"
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, References } from "effect"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { slugOf } from "../../../src/domain/providers/claude/Relocation.ts"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import * as ClockForward from "../../../src/layers/system/ClockForward.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as RelocatorJournal from "../../../src/layers/relocator/RelocatorJournal.ts"
import * as SessionMoverRelocator from "../../../src/layers/relocator/SessionMoverRelocator.ts"
import * as SessionRecordsFile from "../../../src/layers/files/SessionRecordsFile.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { System } from "../../../src/services/System.ts"
import { OpenFiles } from "../../../src/services/OpenFiles.ts"
import { RelocationFiles } from "../../../src/services/RelocationFiles.ts"
import { SessionMover } from "../../../src/services/SessionMover.ts"
import { SessionRecords } from "../../../src/services/SessionRecords.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { Life, run, shoot, type Shot } from "./relocation.ts"
import { recordOf } from "../data/sessionRecords.ts"
import { StoreError } from "../../../src/services/StoreError.ts"
import { FileFault } from "../../../src/services/FileFault.ts"

export const id = "0b9f1c1e-5d0c-4b7e-9f43-1d2c3b4a5968"

const hashOf = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest("hex")

/** Each life of a process begins so much later than the one before, so that locks of dead ones are stale for it. */
const between = 60_000

/** One temporary directory for each test's process: names that CLIs make of a path are the same in every home there. */
const place = path.join(fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), `leap-mover-${process.pid}`)

/** The lines of a session of Gemini CLI's. */
export const geminiLines = (sessionId: string, cwd: string, ...said: ReadonlyArray<string>): string =>
  [
    {
      sessionId,
      projectHash: hashOf("sha256", cwd),
      startTime: "2026-11-21T07:53:22.850Z",
      lastUpdated: "2026-11-21T07:53:22.850Z",
      kind: "main"
    },
    {
      $set: {
        messages: [
          { id: "context", type: "user", content: [{ text: `<session_context>\nThis is the Gemini CLI in ${cwd}` }] }
        ]
      }
    },
    ...said.flatMap((text, n) => [
      { id: `u${n}`, type: "user", content: [{ text }] },
      { $set: { lastUpdated: "2026-11-21T07:53:25.478Z" } },
      { id: `g${n}`, type: "gemini", content: `You said ${text}`, thoughts: [] }
    ])
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")

/** What Gemini CLI leaves beside a session's file. */
export const geminiTwin = (sessionId: string, cwd: string): string => geminiLines(sessionId, cwd)

/** A home, its sessions and what there was of it when a test began to look. */
export class Home {
  readonly root: string
  readonly a: string
  readonly b: string
  readonly env: Record<string, string>
  readonly providers: ReadonlyArray<Provider>
  /** Processes that run side by side have one clock. */
  together = false
  #lives = 0

  constructor(
    options: {
      readonly env?: Readonly<Record<string, string>>
      readonly providers?: ReadonlyArray<Provider>
      /** A home that another process has made. */ readonly root?: string
    } = {}
  ) {
    this.root = options.root ?? path.join(place, "home")
    if (options.root === undefined) {
      this.close()
      fs.mkdirSync(this.root, { recursive: true })
      // as leap makes them when it first runs
      for (const name of ["leap", "leap/sessions", "leap/records"]) fs.mkdirSync(this.at(name), { mode: 0o700 })
    }
    this.a = this.directory("work/old project")
    this.b = this.directory("work/New.place")
    this.env = { HOME: this.root, LEAP_HOME: this.at("leap"), ...options.env }
    this.providers = options.providers ?? providersAtHand.builtin
  }

  at(...parts: ReadonlyArray<string>): string {
    return path.join(this.root, ...parts)
  }

  directory(relative: string): string {
    fs.mkdirSync(this.at(relative), { recursive: true })
    return this.at(relative)
  }

  /** Writes a file of a fixed time and gives its path. */
  write(relative: string, content: string, mode = 0o600): string {
    const file = this.at(relative)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content, { mode })
    fs.utimesSync(file, 1_700_000_000, 1_700_000_000)
    return file
  }

  read(...parts: ReadonlyArray<string>): string {
    return fs.readFileSync(this.at(...parts), "utf8")
  }

  exists(...parts: ReadonlyArray<string>): boolean {
    return fs.existsSync(this.at(...parts))
  }

  /** Leap's records of a tag. */
  record(name: string, ...records: ReadonlyArray<SessionRecord>) {
    this.write(`leap/records/${name}.json`, `${JSON.stringify({ schema: 1, sessions: records }, null, 1)}\n`)
  }

  /** What the records say of a session, by tag. */
  said(sessionId = id): ReadonlyArray<readonly [string, string, string | null]> {
    return fs
      .readdirSync(this.at("leap/records"))
      .filter((name) => name.endsWith(".json"))
      .sort()
      .flatMap((name) => {
        const { sessions } = JSON.parse(this.read("leap/records", name)) as {
          readonly sessions: ReadonlyArray<SessionRecord>
        }
        return sessions
          .filter((record) => record.sessionId === sessionId)
          .map(({ cwd, transcriptPath }) => [name.replace(".json", ""), cwd, transcriptPath] as const)
      })
  }

  /** A Claude session of a directory: its transcript, its own files and the record of it. */
  claude(options: { readonly cwd?: string; readonly tree?: boolean; readonly content?: string } = {}): SessionRecord {
    const cwd = options.cwd ?? this.a
    const transcriptPath = this.write(
      `.claude/projects/${slugOf(cwd)}/${id}.jsonl`,
      options.content ?? `{"type":"user","cwd":${JSON.stringify(cwd)}}\n{"type":"assistant"}\n`
    )
    if (options.tree !== false) this.write(`.claude/projects/${slugOf(cwd)}/${id}/subagents/agent-1.jsonl`, "{}\n")
    return recordOf({ sessionId: id, cwd, transcriptPath })
  }

  /** A chat of Cursor Agent's, which may be that of a directory above. */
  cursorAgent(hashed = this.a): SessionRecord {
    this.write(`.cursor/chats/${hashOf("md5", hashed)}/${id}/store.db`, "opaque")
    return recordOf({ cli: "cursor-agent", sessionId: id, cwd: this.a })
  }

  cursorAgentChat(cwd: string): string {
    return this.at(".cursor/chats", hashOf("md5", cwd), id)
  }

  /**
   * A session of Gemini CLI's in a registered project, with a sub-agent, a result of a tool, and what a resume left.
   */
  gemini(options: { readonly twin?: boolean; readonly registry?: string } = {}): SessionRecord {
    const folder = ".gemini/tmp/old-project"
    this.write(
      ".gemini/projects.json",
      options.registry ??
        JSON.stringify({ projects: { [this.at("elsewhere")]: "elsewhere", [this.a]: "old-project" } }, null, 2),
      0o644
    )
    for (const base of ["tmp", "history"]) {
      this.write(`.gemini/${base}/old-project/.project_root`, this.a)
      this.write(`.gemini/${base}/elsewhere/.project_root`, this.at("elsewhere"))
    }
    const transcriptPath = this.write(
      `${folder}/chats/session-2026-11-21T07-53-${id.slice(0, 8)}.jsonl`,
      geminiLines(id, this.a, "the word is maple")
    )
    if (options.twin !== false)
      this.write(`${folder}/chats/session-2026-11-21T08-00-${id.slice(0, 8)}.jsonl`, geminiTwin(id, this.a))
    this.write(`${folder}/chats/${id}/agent-7.jsonl`, '{"sessionId":"agent-7"}\n')
    this.write(`${folder}/tool-outputs/session-${id}/out.txt`, "long output")
    this.write(`${folder}/tool-outputs/session-agent-7/out.txt`, "of the agent")
    this.write(`${folder}/${id}/plans/plan.md`, "# Plan")
    this.write(`${folder}/logs.json`, "[]")
    return recordOf({ cli: "gemini", sessionId: id, cwd: this.a, transcriptPath })
  }

  geminiChat(folder: string, minute = "07-53", sessionId = id): string {
    return this.at(".gemini/tmp", folder, "chats", `session-2026-11-21T${minute}-${sessionId.slice(0, 8)}.jsonl`)
  }

  registry(): Readonly<Record<string, string>> {
    return (JSON.parse(this.read(".gemini/projects.json")) as { readonly projects: Readonly<Record<string, string>> })
      .projects
  }

  /** Everything a mover needs, as a process of this life has it. */
  layer(life: Life, holders: OpenFiles["Service"]["holders"] = () => Effect.succeed([])) {
    const files = Layer.succeed(RelocationFiles, life.files({ refusal: () => null }))
    const paths = PathsXdg.layerFrom(this.env)
    const machine = Layer.effect(
      System,
      Effect.map(System, (machine) => ({ ...machine, env: this.env }))
    ).pipe(Layer.provide(SystemNode.layerWith({ version: "0.1.0", self: [] })))
    const providers = providersAtHand.layerOf(this.providers)
    const shared = Layer.effect(
      SharedFile,
      Effect.map(SharedFile, (real) => {
        const gate = <A, E>(operation: string, file: string, effect: Effect.Effect<A, E>) =>
          life
            .gate(operation, file, effect, () => {})
            .pipe(
              Effect.mapError((error) =>
                error instanceof FileFault
                  ? new StoreError({ store: "file", reason: "failed", file, why: error.message })
                  : error
              )
            )
        return SharedFile.of({
          read: (file) => gate("record read", file, real.read(file)),
          change: (file, edit) => gate("record change", file, real.change(file, edit))
        })
      })
    ).pipe(Layer.provide(SharedFileNode.layer), Layer.provide(FileLockSqlite.layer))
    const records = SessionRecordsFile.layer.pipe(Layer.provide([paths, shared, providers, machine]))
    const openFiles = Layer.mock(OpenFiles, { holders })
    const engine = RelocatorJournal.layer.pipe(Layer.provide([files, openFiles, FileLockSqlite.layer, paths]))
    return SessionMoverRelocator.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(engine, records, providers, machine, files, openFiles))
    )
  }

  /** Uses a mover as a new process has it, which begins a while after the last one. */
  process<A, E>(
    use: Effect.Effect<A, E, SessionMover | SessionRecords>,
    life = new Life(() => run),
    holders?: OpenFiles["Service"]["holders"]
  ) {
    const later = between * (this.together ? this.#lives : this.#lives++)
    return Effect.clockWith((clock) => {
      const ahead = ClockForward.from(
        clock,
        () => Date.now() + later,
        () => performance.now()
      )
      return use.pipe(
        Effect.provide(this.layer(life, holders)),
        Effect.provideService(Clock.Clock, ahead),
        Effect.provideService(References.MinimumLogLevel, "Error")
      )
    })
  }

  move(session: SessionRecord, to = this.b, life?: Life, holders?: OpenFiles["Service"]["holders"]) {
    return this.process(
      SessionMover.use(({ move }) => move(session, to)),
      life,
      holders
    )
  }

  /** The directory that the session would be gone on with in. */
  healed(session: SessionRecord) {
    return this.process(SessionRecords.use(({ heal }) => heal(session)))
  }

  recover(life?: Life) {
    return this.process(
      SessionMover.use(({ recoverAll }) => recoverAll),
      life
    )
  }

  /**
   * All there is, but for locks, for what a cut-off write of records left for the next to write over, and for
   * directories' times; `.leap-` names and journals are what nothing may leave behind.
   */
  shoot(): ReadonlyMap<string, Pick<Shot, "kind" | "mode" | "content">> {
    return new Map(
      [...shoot(this.root)]
        .filter(([name]) => !/^leap\/(records\/(.*\.lock|\..*\.leap-new)|relocations)$/.test(name))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { content, kind, mode }]) => [name, { content, kind, mode }])
    )
  }

  /** That nothing changed since a look. */
  verifySame(before: ReturnType<Home["shoot"]>, what: string) {
    assert.deepStrictEqual(Object.fromEntries(this.shoot()), Object.fromEntries(before), what)
  }

  close() {
    fs.rmSync(this.root, { recursive: true, force: true })
  }
}

/** Uses a home and clears it away. */
export const inHome = <A, R>(
  use: (home: Home) => Effect.fn.Return<A, unknown, R>,
  options?: ConstructorParameters<typeof Home>[0]
): Effect.Effect<A, unknown, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Home(options)),
    Effect.fnUntraced(use),
    (home) =>
      Effect.sync(() => {
        home.close()
        fs.rmSync(place, { recursive: true, force: true })
      })
  )

import { builtin, layerOf } from "../providers.ts"
import { Effect, Layer, Schema } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as SessionRecordsFile from "../../../src/layers/files/SessionRecordsFile.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { System } from "../../../src/services/System.ts"

/** Where writes to disk cost nothing. */
const fast = fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir()

/** A record with what a test does not care for filled in. */
export const recordOf = (own: Partial<SessionRecord>): SessionRecord => ({
  cli: "claude",
  base: own.cli ?? "claude",
  sessionId: "s1",
  transcriptPath: null,
  cwd: "/srv",
  firstSeen: 1,
  lastSeen: 1,
  version: "0.1.0",
  ...own
})

/** Records of sessions in a home, with this registry of CLIs. */
export const recordsIn = (home: string, providers: ReadonlyArray<Provider> = builtin) =>
  SessionRecordsFile.layer.pipe(
    Layer.provide([
      PathsXdg.layerFrom({ LEAP_HOME: path.join(home, "leap") }),
      SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer)),
      layerOf(providers),
      Layer.effect(
        System,
        Effect.map(System, (machine) => ({ ...machine, env: { HOME: home } }))
      ).pipe(Layer.provide(SystemNode.layerWith({ version: "0.1.0", self: [] })))
    ])
  )

/** A home of its own for what CLIs and leap keep. */
export const makeRecordsHome = Effect.gen(function* () {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(fast, "leap-records-"))),
    (dir) =>
      Effect.sync(() => {
        fs.chmodSync(dir, 0o700)
        fs.rmSync(dir, { recursive: true, force: true })
      })
  )
  const records = path.join(home, "leap", "records")
  const write = (name: string, content: string | Uint8Array): string => {
    const file = path.join(home, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    return file
  }
  return {
    home,
    records,
    write,
    /** A Claude transcript of a directory's session. */
    transcript: (id: string, content = "{}\n", slug = "-work") =>
      write(`.claude/projects/${slug}/${id}.jsonl`, content),
    file: (tag: string) => path.join(records, `${tag}.json`),
    /** What is under leap's own directory but locks. */
    kept: () =>
      fs.existsSync(records)
        ? fs
            .readdirSync(records)
            .filter((name) => !name.includes(".lock"))
            .sort()
        : []
  }
})

export const tag = Schema.decodeUnknownSync(Tag)

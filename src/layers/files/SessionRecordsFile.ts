import { Clock, Effect, Layer, Option, Result, Schema } from "effect"
import * as crypto from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { isSafeName } from "../../domain/store/relocation/safeName.ts"
import * as RecordBook from "../../domain/store/conversations/RecordBook.ts"
import { LatestStart, latestStart, readBook, writeBook } from "../../domain/store/conversations/RecordBook.ts"
import { headBytes, type KeptSession, type TranscriptPlace } from "../../domain/cli/provider/ResumeProtocol.ts"
import { isSame, SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import { areNone } from "../../domain/words/session/StartWords.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { System } from "../../services/System.ts"
import { Paths } from "../../services/Paths.ts"
import { environmentOf } from "../../domain/cli/provider/Launch.ts"
import { providerOf, Providers } from "../../services/Providers.ts"
import { type PickableSession, SessionRecords } from "../../services/SessionRecords.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { call, callNow, orAbsent, orNull, withFile } from "./fileCalls.ts"
import { replaceFile } from "./regularFile.ts"
import { StoreError } from "../../services/StoreError.ts"
import type { FileFault } from "../../services/FileFault.ts"

/** `gone`: certainly not there. `away`: the CLI's root is missing too, perhaps on an unmounted disk. */
type Presence = "there" | "gone" | "away" | "unknown"

const ending = ".json"
/** The most attempts of a change. One fails for each damaged content that must be copied aside first. */
const attempts = 5
const concurrency = 8

const presenceOfFile = (file: string): Effect.Effect<Presence> =>
  call(() => fs.stat(file)).pipe(
    Effect.match({ onSuccess: () => "there", onFailure: ({ code }) => (code === "ENOENT" ? "gone" : "unknown") })
  )

const presenceAt = Effect.fnUntraced(function* (place: TranscriptPlace): Effect.fn.Return<Presence> {
  if (place.kind === "path") return yield* presenceOfFile(place.path)
  const names = yield* Effect.result(call(() => fs.readdir(place.directory)))
  if (Result.isFailure(names)) return names.failure.code === "ENOENT" ? "gone" : "unknown"
  let presence: Presence = "gone"
  for (const name of names.success) {
    const found = yield* call(() => fs.stat(path.join(place.directory, name, place.name))).pipe(
      Effect.match({ onSuccess: () => "there", onFailure: ({ code }) => code })
    )
    if (found === "there") return found
    // A name that is not a directory contains nothing.
    if (found !== "ENOENT" && found !== "ENOTDIR") presence = "unknown"
  }
  return presence
})

const headOf = (file: string): Effect.Effect<string> =>
  withFile(file, "r", (handle) =>
    Effect.gen(function* () {
      const { size } = yield* call(() => handle.stat())
      const buffer = Buffer.alloc(Math.min(headBytes, size))
      const { bytesRead } = yield* call(() => handle.read(buffer, 0, buffer.length, 0))
      return buffer.subarray(0, bytesRead).toString("utf8")
    })
  ).pipe(Effect.orElseSucceed(() => ""))

const isPath = Schema.is(SessionRecord.fields.transcriptPath)

/** A damaged file, whose content must be copied aside before it is changed. */
interface DamagedFile {
  readonly _tag: "Damaged"
  readonly content: Uint8Array
}

const isEqual = Schema.toEquivalence(LatestStart)

const hashOf = (content: Uint8Array): string => crypto.createHash("sha256").update(content).digest("hex").slice(0, 16)

const make = Effect.gen(function* () {
  const paths = yield* Paths
  const shared = yield* SharedFile
  const providers = yield* Providers
  const system = yield* System
  const directory = path.join(paths.state, "records")
  const fileOf = (tag: Tag): string => path.join(directory, `${tag}${ending}`)

  const refusal =
    (what: string) =>
    ({ file = "", reason = "failed", why }: Partial<StoreError> & { readonly why: string }) =>
      new StoreError({ store: "sessions", reason, file, what, why })
  const withReason = (what: string, file: string) =>
    Effect.mapError(({ message }: FileFault) => refusal(what)({ file, why: message }))

  /** Tags that have a file; fails if that cannot be determined. */
  const tags = orAbsent(
    call(() => fs.readdir(directory)),
    []
  ).pipe(
    withReason("the records of sessions cannot be listed", directory),
    Effect.map((names) =>
      names
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
        .filter(Schema.is(Tag))
        .sort()
    )
  )

  /** Copies a damaged file's content aside, under a name made of its hash, so that the same content is kept once. */
  const keepAside = (what: string, file: string, content: Uint8Array) => {
    const aside = `${file.slice(0, -ending.length)}.${hashOf(content)}.damaged`
    return callNow(() => replaceFile(aside, content, `${aside}.new`, true)).pipe(
      withReason(what, aside),
      Effect.andThen(
        Effect.logWarning(`${file} is damaged: what can be read of it counts, and all of it is kept in ${aside}`)
      )
    )
  }

  /** Changes a tag's sessions. A null from `edit` leaves an existing file as it is. */
  const change = (
    what: string,
    tag: Tag,
    edit: (book: RecordBook.RecordBook, damaged: boolean) => RecordBook.RecordBook | null,
    start?: LatestStart
  ) =>
    Effect.gen(function* () {
      const file = fileOf(tag)
      const kept = new Set<string>()
      for (let attempt = 0; attempt < attempts; attempt++) {
        const damagedFile = yield* shared
          .change(file, (content): Result.Result<Uint8Array, DamagedFile> => {
            const { book, damaged, others } = readBook(content)
            const wanted = edit(book, damaged)
            if (wanted === null && content !== null) return Result.succeed(content)
            if (damaged && content !== null && !kept.has(hashOf(content)))
              return Result.fail({ _tag: "Damaged", content })
            return Result.succeed(
              writeBook(wanted ?? book, start === undefined ? others : { ...others, latest: start })
            )
          })
          .pipe(
            Effect.as(null),
            Effect.catchTag("Damaged", (found) => Effect.succeed(found)),
            Effect.mapError(refusal(what))
          )
        if (damagedFile === null) return
        yield* keepAside(what, file, damagedFile.content)
        kept.add(hashOf(damagedFile.content))
      }
      return yield* refusal(what)({ file, why: "another program keeps damaging it" })
    })

  const bookOf = (tag: Tag) => Effect.map(shared.read(fileOf(tag)), readBook)

  const warned = new Set<string>()
  /** A command reads the records several times; each problem is reported once. */
  const warn = (what: string) =>
    Effect.suspend(() => {
      if (warned.has(what)) return Effect.void
      warned.add(what)
      return Effect.logWarning(what)
    })

  const all = Effect.gen(function* () {
    const listed = yield* tags.pipe(Effect.catch((error) => Effect.as(warn(error.message), [])))
    return yield* Effect.forEach(
      listed,
      (tag) =>
        bookOf(tag).pipe(
          Effect.tap(({ damaged }) =>
            damaged
              ? warn(`the records of '${tag}' are damaged: sessions may be missing (${fileOf(tag)})`)
              : Effect.void
          ),
          Effect.map(({ book }) => ({ tag, book })),
          Effect.catch((error) =>
            Effect.as(warn(`the records of '${tag}' cannot be read: ${error.message}`), { tag, book: [] })
          )
        ),
      { concurrency }
    )
  })

  /** How the session's CLI resumes, and its environment. A variant that the user has removed becomes its base. */
  const protocolOf = ({ base, cli }: Pick<SessionRecord, "cli" | "base">) =>
    Effect.map(providerOf(providers, { base, cli }), (found) => {
      const provider = Option.getOrUndefined(found)
      if (provider === undefined || provider.resume === null) return null
      return { resume: provider.resume, env: environmentOf(provider, system) }
    })

  const presenceOf = (record: SessionRecord): Effect.Effect<Presence> =>
    Effect.gen(function* () {
      const protocol = yield* protocolOf(record)
      if (protocol === null) return "unknown"
      const { places, root } = protocol.resume.evidence(protocol.env, record)
      let presence: Presence = places.length === 0 ? "unknown" : "gone"
      for (const place of places) {
        const found = yield* presenceAt(place)
        if (found === "there") return found
        if (found !== "gone") presence = found
      }
      if (presence !== "gone") return presence
      const rootPresence = yield* presenceOfFile(root)
      if (rootPresence === "there") return "gone"
      return rootPresence === "gone" ? "away" : "unknown"
    })

  const record: SessionRecords["Service"]["record"] = Effect.fn("SessionRecords.record")(function* (
    tag,
    { told = false, ...session }
  ) {
    const what = `session ${JSON.stringify(session.sessionId)} of '${tag}' was not recorded`
    if (!isSafeName(session.sessionId)) return yield* refusal(what)({ why: "its id has an unexpected format" })
    if (!isSafeName(session.cli) || !isSafeName(session.base)) {
      return yield* refusal(what)({ why: `${JSON.stringify(session.cli)} is no name of a CLI` })
    }
    for (const file of [session.cwd, session.transcriptPath]) {
      if (!isPath(file)) return yield* refusal(what)({ why: `it is no absolute path: ${JSON.stringify(file)}` })
    }
    yield* call(() => fs.mkdir(directory, { recursive: true, mode: 0o700 })).pipe(withReason(what, directory))
    const now = yield* Clock.currentTimeMillis
    const staysInDirectory = !told && (yield* protocolOf(session))?.resume.staysInDirectory === true
    yield* change(what, tag, (book) =>
      RecordBook.record(book, { ...session, firstSeen: now, lastSeen: now, version: system.version }, staysInDirectory)
    )
  })

  const started: SessionRecords["Service"]["started"] = Effect.fn("SessionRecords.started")(
    function* (tag, cli, words) {
      const what = `what '${tag}' was started with was not recorded`
      const before = latestStart(yield* bookOf(tag).pipe(Effect.mapError(refusal(what))))
      if (before === null ? areNone(words) : isEqual(before, { cli, words })) return
      yield* call(() => fs.mkdir(directory, { recursive: true, mode: 0o700 })).pipe(withReason(what, directory))
      yield* change(what, tag, (book) => book, { cli, words })
    }
  )

  const wordsOf: SessionRecords["Service"]["wordsOf"] = Effect.fn("SessionRecords.wordsOf")(
    function* (tag, cli, sessionId) {
      if (sessionId === null) {
        const latest = yield* bookOf(tag).pipe(
          Effect.map(latestStart),
          Effect.orElseSucceed(() => null)
        )
        return latest?.cli === cli ? latest.words : null
      }
      return RecordBook.newest(yield* all, { cli, sessionId })?.words ?? null
    }
  )

  const rows = Effect.gen(function* () {
    const found = yield* Effect.forEach(
      RecordBook.rows(yield* all),
      (row) =>
        Effect.gen(function* () {
          const presence = yield* presenceOf(row.record)
          if (presence === "gone" || presence === "away") return []
          const { transcriptPath } = row.record
          const bytes =
            transcriptPath === null
              ? null
              : yield* orNull(
                  Effect.map(
                    call(() => fs.stat(transcriptPath)),
                    ({ size }) => size
                  )
                )
          return [{ ...row, bytes } as PickableSession]
        }),
      { concurrency }
    )
    return found.flat()
  })

  const locationsOf: SessionRecords["Service"]["locationsOf"] = Effect.fn("SessionRecords.locationsOf")(
    function* (session) {
      const what = `the records of session ${JSON.stringify(session.sessionId)} cannot be read`
      const books: Array<{ readonly tag: Tag; readonly book: RecordBook.RecordBook }> = []
      for (const tag of yield* tags)
        books.push({ tag, book: (yield* bookOf(tag).pipe(Effect.mapError(refusal(what)))).book })
      return RecordBook.recordedLocations(books, session)
    }
  )

  const relocate: SessionRecords["Service"]["relocate"] = Effect.fn("SessionRecords.relocate")(function* (moved) {
    const what = `the records of session ${JSON.stringify(moved.sessionId)} were not changed`
    if (!isSafeName(moved.cli) || !isSafeName(moved.sessionId))
      return yield* refusal(what)({ why: "its id or its CLI has an unexpected format" })
    let count = 0
    for (const tag of yield* tags) {
      const { book } = yield* bookOf(tag).pipe(Effect.mapError(refusal(what)))
      if (!book.some(({ record }) => RecordBook.isOf(record, moved))) continue
      yield* change(what, tag, (book) => RecordBook.relocate(book, moved))
      count++
    }
    return count > 0 ? count : yield* refusal(what)({ reason: "missing", why: "no tag has such a session" })
  })

  const restore: SessionRecords["Service"]["restore"] = Effect.fn("SessionRecords.restore")(
    function* (moved, recorded, fallback) {
      const what = `the records of session ${JSON.stringify(moved.sessionId)} were not changed back`
      for (const tag of yield* tags) {
        const restored = (book: RecordBook.RecordBook) =>
          RecordBook.restore(
            book,
            moved,
            recorded.filter((it) => it.tag === tag),
            fallback
          )
        const { book } = yield* bookOf(tag).pipe(Effect.mapError(refusal(what)))
        if (book.some(({ record }) => RecordBook.isOf(record, moved))) yield* change(what, tag, restored)
      }
    }
  )

  const heal: SessionRecords["Service"]["heal"] = Effect.fn("SessionRecords.heal")(function* (session) {
    const kept: KeptSession = session
    const protocol = yield* protocolOf(session)
    if (protocol === null || protocol.resume.healing === null) return kept.cwd
    const { boundToDirectory, healing } = protocol.resume
    if (!boundToDirectory && Option.isSome(yield* system.directory(kept.cwd))) return kept.cwd
    const file = healing.reads(protocol.env, kept)
    const healed = file === null ? kept.cwd : healing.healCwd(yield* headOf(file), kept)
    return healed.startsWith("/") && Option.isSome(yield* system.directory(healed)) ? healed : kept.cwd
  })

  const pruneTag = (tag: Tag, now: number) =>
    Effect.gen(function* () {
      const { book } = yield* bookOf(tag)
      const gone: Array<SessionRecord> = []
      for (const { record } of book) {
        if (now - record.lastSeen >= RecordBook.grace && (yield* presenceOf(record)) === "gone") gone.push(record)
      }
      if (gone.length === 0) return 0
      let pruned = 0
      yield* change(`old records of '${tag}' were not taken out`, tag, (book, damaged) => {
        // A record that was written or changed since the check stays.
        const remaining = RecordBook.prune(book, now, (record) =>
          gone.some(
            (it) => isSame(it, record) && it.lastSeen === record.lastSeen && it.transcriptPath === record.transcriptPath
          )
        )
        pruned = damaged ? 0 : book.length - remaining.length
        return pruned === 0 ? null : remaining
      })
      return pruned
    }).pipe(Effect.catch((error) => Effect.as(Effect.logWarning(error.message), 0)))

  return SessionRecords.of({
    record,
    started,
    wordsOf,
    all,
    rows,
    locationsOf,
    relocate,
    restore,
    heal,
    latestTranscript: Effect.fn("SessionRecords.latestTranscript")((tag: Tag, cli: string) =>
      bookOf(tag).pipe(
        Effect.map(({ book }) => RecordBook.latestTranscript(book, cli)),
        Effect.catch((error) =>
          Effect.as(Effect.logWarning(`the records of '${tag}' cannot be read: ${error.message}`), null)
        )
      )
    ),
    prune: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const listed = yield* tags.pipe(Effect.catch((error) => Effect.as(Effect.logWarning(error.message), [])))
      const counts = yield* Effect.forEach(listed, (tag) => pruneTag(tag, now))
      return counts.reduce((sum, count) => sum + count, 0)
    })
  })
})

/** One file for each tag, in a directory that outlives the tags' sessions. */
export const layer: Layer.Layer<SessionRecords, never, Paths | SharedFile | Providers | System> = Layer.effect(
  SessionRecords,
  make
)

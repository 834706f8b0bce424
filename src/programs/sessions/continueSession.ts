import { Effect, Option, Result } from "effect"
import { isSame, type SessionRecord, recordOf } from "../../domain/store/conversations/SessionRecord.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { goneOr } from "../../domain/words/wording/goneOr.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { type PickableSession, SessionRecords } from "../../services/SessionRecords.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { runningOutside } from "../starting/runningOutside.ts"
import { detachedSize, startSession } from "../starting/start.ts"
import { allStatuses, statusOf } from "../client/statuses.ts"
import { fail, describe } from "../exit.ts"
import { askChoice } from "../prompts/ask.ts"
import { claim, current, enterable, relocate, runningWith, recoverMoves } from "./relocating.ts"
import { tilde } from "../../domain/surfaces/picker/Rows.ts"
import { heldOf } from "../../domain/words/session/failedMessage.ts"
import { wasCutOff } from "../../domain/words/attention/unexpectedEnd.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { resumeUnit } from "../../domain/words/environment/resumeUnit.ts"
import { awaitStart } from "./awaitStart.ts"
import { callSession } from "./callSession.ts"

/** The sessions that a tag has had, under that tag; otherwise each is listed under its latest tag. */
export const seenUnder = Effect.fnUntraced(function* (tag: Tag, rows: ReadonlyArray<PickableSession>) {
  const book = (yield* (yield* SessionRecords).all).find((one) => one.tag === tag)?.book ?? []
  return rows
    .filter((row) => row.tag === tag || book.some((entry) => isSame(entry.record, row.record)))
    .map((row) => ({ ...row, tag }))
})

export const chooseDirectory = Effect.fnUntraced(function* (
  record: SessionRecord,
  where: { readonly here: boolean; readonly there: boolean; readonly interactive: boolean }
) {
  const system = yield* System
  const healed = yield* (yield* SessionRecords).heal(record)
  const there = yield* system.directory(healed)
  if (healed !== record.cwd && Option.isNone(yield* system.directory(record.cwd)))
    yield* (yield* Output).note(
      `leap: its directory ${oneLine(record.cwd, 200)} ${goneOr(yield* system.hidden(record.cwd))}: ` +
        `it goes on in ${oneLine(healed, 200)}, where its CLI keeps it`
    )
  const here = yield* system.directory(system.cwd)
  if (Option.isSome(there) && Option.isSome(here) && there.value === here.value)
    return { directory: there.value, moves: false }
  const provider = yield* Effect.option((yield* Providers).get(record.cli))
  const movable = Option.isSome(provider) && provider.value.relocation !== null
  if (where.here && Option.isNone(here)) {
    return yield* fail(
      "refused",
      "the session cannot go on here: this directory" +
        `${system.cwd === "" ? "" : ` (${oneLine(system.cwd, 200)})`} ${goneOr(yield* system.hidden(system.cwd))}`
    )
  }
  if (where.here && Option.isSome(here)) return { directory: here.value, moves: true }
  const trouble = Option.isNone(there)
    ? `its directory ${oneLine(healed, 200)} ${goneOr(yield* system.hidden(healed))}`
    : (yield* enterable(there.value))
      ? null
      : `its directory ${oneLine(there.value, 200)} cannot be entered: its permissions forbid it`
  const canMove = movable && Option.isSome(here)
  if (where.there || !where.interactive || !canMove) {
    if (Option.isSome(there) && trouble === null) return { directory: there.value, moves: false }
    return yield* fail(
      "refused",
      `the session cannot be resumed there: ${trouble ?? ""}` +
        (canMove ? `; 'leap resume --session ${record.sessionId} --here' goes on with it in this directory` : "")
    )
  }
  const choice = yield* askChoice<"here" | "there" | null>(
    trouble === null ? "Where should it go on?" : `${trouble.charAt(0).toUpperCase()}${trouble.slice(1)}.`,
    [
      ...(Option.isSome(there) && trouble === null
        ? [{ title: `there: ${oneLine(there.value, 100)}`, value: "there" as const }]
        : []),
      { title: `here: ${oneLine(here.value, 100)} (the session moves)`, value: "here" as const },
      { title: "nowhere", value: null }
    ]
  )
  if (choice === null) return yield* fail("cancelled", "")
  return choice === "there" && Option.isSome(there)
    ? { directory: there.value, moves: false }
    : { directory: here.value, moves: true }
})

/** Resumes a conversation that no host runs, under a lock against other leaps. */
export const continueSession = Effect.fnUntraced(function* (
  record: SessionRecord,
  options: {
    readonly tag: Tag
    readonly directory: string
    readonly moves: boolean
    readonly args: ReadonlyArray<string> | null
    readonly detach: boolean
  }
) {
  const { args, detach, directory, moves, tag } = options
  yield* claim(record)
  const live = runningWith(yield* allStatuses(), record)
  if (live !== null) return { live, started: null }
  const now = yield* current(record)
  if (now.cwd !== record.cwd)
    return yield* fail(
      "refused",
      `another leap has moved session ${record.sessionId} to ${oneLine(now.cwd, 200)} meanwhile; try again`
    )
  if (!moves) {
    const pids = yield* runningOutside(now)
    if (pids.length > 0)
      yield* (yield* Output).note(
        `leap: the conversation is open outside of leap too (process ${pids.join(", ")}): ` +
          "what both say goes into one transcript"
      )
  }
  const { sessionId, transcriptPath } = moves ? (yield* relocate(now, directory)).session : now
  const started = yield* startSession({
    tag,
    cli: Option.some(record.cli),
    cwd: Option.some(directory),
    args,
    size: detach ? detachedSize : yield* (yield* UserTerminal).size,
    waitForViewer: !detach,
    resumes: { sessionId, transcriptPath }
  })
  return { live: null, started }
}, Effect.scoped)

/** Restores a session that was cut off: its conversation, or a new one, in its directory, with its arguments. */
const bringBack = Effect.fnUntraced(function* (session: SessionStatus, release: boolean) {
  const tag = Tag.make(session.tag)
  const records = yield* SessionRecords
  const rows = yield* seenUnder(tag, yield* records.rows)
  const book = (yield* records.all).find((one) => one.tag === tag)?.book ?? []
  const known = recordOf(
    session,
    [...rows, ...book].map((row) => row.record)
  )
  const record = rows.find((row) => known !== undefined && isSame(row.record, known))?.record
  const provider = yield* (yield* Providers).get(session.cli)
  if (record === undefined) {
    if ((session.sessionId !== null || known !== undefined) && provider.resume !== null)
      return yield* fail(
        "refused",
        `nothing is left of what ${provider.displayName} kept of its conversation; 'leap ${tag} --new' begins another`
      )
    yield* startSession({
      tag,
      cli: Option.some(session.cli),
      cwd: Option.some(session.cwd),
      args: null,
      size: detachedSize,
      waitForViewer: false,
      resumes: null
    })
  } else {
    const { directory } = yield* chooseDirectory(record, { here: false, there: true, interactive: false })
    const { live } = yield* continueSession(record, { tag, directory, moves: false, args: null, detach: true })
    if (live !== null) return yield* fail("refused", `its conversation runs as session '${live.tag}'`)
  }
  yield* awaitStart(tag)
  if (release) yield* callSession(tag, { _tag: "QueueRelease", id: null })
  const now = yield* statusOf(tag)
  return {
    directory: Option.match(now, { onNone: () => session.cwd, onSome: ({ cwd }) => cwd }),
    held: Option.match(now, {
      onNone: () => 0,
      onSome: ({ queue }) => heldOf(queue)
    }),
    goesOn: record !== undefined
  }
})

/** Restores every session that was cut off, some at a time; reports on each, and fails if one cannot be restored. */
export const bringAllBack = Effect.fn("resume.all")(function* (atOnce: number, release: boolean, json: boolean) {
  const output = yield* Output
  const home = (yield* System).env["HOME"] ?? ""
  yield* recoverMoves
  const sessions = (yield* allStatuses()).filter(wasCutOff)
  const results = yield* Effect.forEach(
    sessions,
    (session) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(bringBack(session, release))
        const why = Result.isFailure(result) ? describe(result.failure).message : null
        const back = Result.getOrNull(result)
        if (!json)
          yield* output.line(
            back === null
              ? `${session.tag}  stays ended: ${oneLine(why ?? "", 300)}`
              : `${session.tag}  ${back.goesOn ? "goes on" : "was started anew"} in ` +
                  oneLine(tilde(back.directory, home), 200) +
                  (back.held === 0 ? "" : ` (${back.held} held: 'leap queue release ${session.tag}')`)
          )
        return { tag: session.tag, cli: session.cli, back, why }
      }),
    { concurrency: atOnce }
  )
  if (json)
    yield* output.line(
      JSON.stringify({
        schema: 1,
        sessions: results.map(({ back, cli, tag, why }) => ({
          tag,
          cli,
          resumed: back !== null,
          directory: back?.directory ?? null,
          held: back?.held ?? null,
          why
        }))
      })
    )
  else if (results.length === 0) yield* output.note("no session was ended by a reboot, a crash or a kill")
  const away = results.filter(({ back }) => back === null).length
  if (away > 0) return yield* fail("failed", `${away} of ${results.length} sessions could not be brought back`)
})

export const printUnit = Effect.gen(function* () {
  const { env, self, which } = yield* System
  const isMac = yield* Effect.match(which("launchctl", env), { onFailure: () => false, onSuccess: () => true })
  yield* (yield* Output).line(resumeUnit(isMac ? "launchd" : "systemd", self, env))
})

import { Effect, Option } from "effect"
import { isSame, type SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { goneOr } from "../../domain/words/wording/goneOr.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { type PickableSession, SessionRecords } from "../../services/SessionRecords.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { runningOutside } from "../starting/runningOutside.ts"
import { detachedSize, startSession } from "../starting/start.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { askChoice } from "../prompts/ask.ts"
import { claim, current, enterable, relocate, runningWith } from "./relocating.ts"

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

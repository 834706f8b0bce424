import { DateTime, Effect, Option, References, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { isSame, type SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { requireScreen } from "../prompts/requireScreen.ts"
import { System } from "../../services/System.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { type PickableSession, SessionRecords } from "../../services/SessionRecords.ts"
import { attach } from "../attach/attach.ts"
import { allStatuses, statusOf } from "../client/statuses.ts"
import { CommandError, describe, exitCode, fail } from "../exit.ts"
import type { PickRow } from "../../domain/surfaces/picker/Rows.ts"
import { previewOf, pickSession } from "../sessions/sessionPicker.ts"
import { runningWith, recoverMoves, noteIfAsking, silenceReported, cliOf } from "../sessions/relocating.ts"
import { bringAllBack, printUnit } from "../sessions/bringBack.ts"
import { chooseDirectory, continueSession, seenUnder } from "../sessions/continueSession.ts"
import { askUnwired } from "../sessions/askUnwired.ts"
import { askNewTag } from "../sessions/askNewTag.ts"
import { attachResumed, awaitStart } from "../sessions/awaitStart.ts"
import { admitted, checkStart } from "../starting/start.ts"
import { localTime } from "../../domain/engine/history/recordTimes.ts"
import { searchQuery } from "../../domain/engine/history/searchQuery.ts"
import { jsonFlag, print, tagFlag, textFlag, toggle } from "./shared/common.ts"
import { reportStart } from "./start.ts"

const idLimit = 5

/** The most texts that a search looks at, the latest. */
const textsAtMost = 5_000

const rowOf = (rows: ReadonlyArray<PickableSession>, { cli, sessionId }: PickRow): PickableSession | undefined =>
  rows.find(({ record }) => isSame(record, { cli, sessionId }))

/** Rows of the sessions, with the running session of each, and whether its directory exists. */
export const pickRows = Effect.fnUntraced(function* (
  rows: ReadonlyArray<PickableSession>,
  live: ReadonlyArray<SessionStatus>
) {
  const system = yield* System
  const { all } = yield* Providers
  return yield* Effect.forEach(
    rows,
    ({ bytes, record: { base, cli, cwd, lastSeen, sessionId }, tag }) =>
      Effect.map(system.directory(cwd), (directory): PickRow => ({
        tag,
        cli,
        displayName: all.find(({ id }) => id === cli)?.displayName ?? cli,
        sessionId,
        cwd,
        lastSeen,
        bytes,
        liveAs: runningWith(live, { base, sessionId })?.tag ?? null,
        missing: Option.isNone(directory)
      })),
    { concurrency: 8 }
  )
})

const localMinute = (at: number): string => localTime(at).slice(0, "2026-11-23 08:15".length)

/** Texts of the record with all of these words, by the conversation in which each was said; the latest of each. */
const saidIn = Effect.fnUntraced(function* (search: string) {
  const words = searchQuery(search)
  if (words === null) return yield* fail("usage", "--search: there is no word in it to search for")
  const found = yield* (yield* RecordStore).search({ tag: null, from: 0, limit: textsAtMost }, words)
  const said = new Map<string, string>()
  for (const { excerpt, sessionId } of found)
    if (sessionId !== null && !said.has(sessionId)) said.set(sessionId, excerpt)
  return said
})

const list = Effect.fnUntraced(function* (
  rows: ReadonlyArray<PickableSession>,
  live: ReadonlyArray<SessionStatus>,
  json: boolean,
  said: ReadonlyMap<string, string> | null
) {
  const displayed = yield* pickRows(rows, live)
  const time = (at: number): string | null => (at === 0 ? null : DateTime.formatIso(DateTime.makeUnsafe(at)))
  const sessions = displayed.map((row, index) => ({
    ...row,
    transcriptPath: rows[index]?.record.transcriptPath ?? null,
    lastSeen: time(row.lastSeen),
    ...(said === null ? {} : { said: said.get(row.sessionId) ?? null })
  }))
  yield* print(json, { schema: 1, sessions }, () =>
    sessions.length === 0
      ? "no sessions to resume"
      : table([
          ["TAG", "CLI", "LAST SEEN", "SESSION", "DIRECTORY", ...(said === null ? [] : ["SAID"])],
          ...displayed.map(({ cli, cwd, lastSeen, liveAs, missing, sessionId, tag }) => [
            tag,
            cli,
            lastSeen === 0 ? "-" : localMinute(lastSeen),
            sessionId,
            `${oneLine(cwd, 200)}${missing ? " (gone)" : ""}${liveAs === null ? "" : ` (runs as ${liveAs})`}`,
            ...(said === null ? [] : [oneLine(said.get(sessionId) ?? "", 100)])
          ])
        ])
  )
})

/** Selects a session: the only one, the newest if requested, or the user's choice. */
const choose = Effect.fnUntraced(function* (
  rows: ReadonlyArray<PickableSession>,
  live: ReadonlyArray<SessionStatus>,
  by: { readonly newest: boolean; readonly named: boolean; readonly interactive: boolean }
) {
  const { interactive, named, newest } = by
  const system = yield* System
  const [first, ...others] = rows
  if (first === undefined) return yield* fail("notFound", "there is no session to resume")
  // without any selection the user wants to see the list, even with one session in it
  if (newest || (others.length === 0 && (named || !interactive))) return first
  if (!interactive) {
    const ids = rows
      .slice(0, idLimit)
      .map(({ record, tag }) => `${record.sessionId} (${tag})`)
      .join(", ")
    return yield* fail(
      "usage",
      `${rows.length} sessions can be resumed: --session ID names one, --last takes the newest, ` +
        "a terminal lets you pick: " +
        `${ids}${rows.length > idLimit ? ` … 'leap resume --list' shows all` : ""}`
    )
  }
  const picked = yield* pickSession({
    rows: yield* pickRows(rows, live),
    home: system.env["HOME"] ?? "",
    cwd: system.cwd,
    preview: (row) => {
      const found = rowOf(rows, row)
      return found === undefined ? Effect.succeed({ lastUser: null, lastAssistant: null }) : previewOf(found.record)
    }
  })
  const found = picked === null ? undefined : rowOf(rows, picked)
  return found === undefined ? yield* fail("cancelled", "") : found
})

/** The wanted tag, else the conversation's last one. If that last one is in use, an interactive user names another. */
const chooseTag = Effect.fnUntraced(function* (lastTag: Tag, wanted: Option.Option<Tag>, interactive: boolean) {
  const conflict = (tag: string) =>
    Effect.map(statusOf(Tag.make(tag)), (status) =>
      Option.isSome(status) && status.value.state !== "exited" ? `session '${tag}' runs; another name, please` : null
    )
  const tag = Option.getOrElse(wanted, () => lastTag)
  if ((yield* conflict(tag)) === null) return tag
  if (!interactive || Option.isSome(wanted)) {
    return yield* fail(
      "refused",
      `session '${tag}' runs with another conversation; 'leap stop ${tag}' ends it, ` +
        "--as NAME resumes this one under another name"
    )
  }
  yield* (yield* Output).note(`Session '${tag}' runs with another conversation.`)
  return yield* askNewTag(conflict)
})

const noMatch = Effect.fnUntraced(function* (matches: (record: SessionRecord) => boolean, tag: Option.Option<Tag>) {
  const tags = (yield* (yield* SessionRecords).all).filter((one) => Option.isNone(tag) || one.tag === tag.value)
  const gone = tags
    .flatMap(({ book, tag }) => book.map(({ record }) => ({ record, tag })))
    .filter(({ record }) => matches(record))
    .reduce<{ readonly record: SessionRecord; readonly tag: Tag } | null>(
      (newest, one) => (one.record.lastSeen >= (newest?.record.lastSeen ?? 0) ? one : newest),
      null
    )
  if (gone === null) {
    return fail(
      "notFound",
      tags.length === 0 && Option.isNone(tag)
        ? "there is no session to resume yet: leap remembers those that ran under it"
        : "there is no such session to resume; 'leap resume --list' shows those that there are"
    )
  }
  const { cli, sessionId } = gone.record
  const displayName = (yield* Providers).all.find(({ id }) => id === cli)?.displayName ?? cli
  return fail(
    "refused",
    `session ${sessionId} of '${gone.tag}' cannot be resumed: nothing is left of what ${displayName} kept of it`
  )
})

/** A failure without an exit code of its own counts as a refusal, because the session cannot be resumed. */
const unresumable = (error: unknown): CommandError => {
  const { exitCode: code, message } = describe(error)
  return new CommandError({ message, exitCode: code === exitCode.failed ? exitCode.refused : code })
}

export const resume = (rest: ReadonlyArray<string> | null) =>
  Command.make(
    "resume",
    {
      cli: textFlag("cli", "Only sessions of this CLI"),
      tag: tagFlag("tag", "Only sessions of this tag"),
      session: textFlag("session", "The session with this id, or with the only id that begins like this"),
      search: textFlag("search", "Only sessions in which all of these words were said, by leap's record of texts"),
      list: toggle("list", "Print the sessions that there are, and resume none"),
      last: toggle("last", "The newest of them, without asking"),
      here: toggle("here", "Go on in this directory: the session moves"),
      there: toggle("there", "Go on in the session's own directory"),
      as: tagFlag("as", "Run it under this tag (default: its own)"),
      all: toggle("all", "Every session that a reboot, a crash or a kill ended, each in its own directory"),
      release: toggle("release", "With --all: let queued messages go out; without this they are held"),
      atOnce: Flag.Int("at-once").pipe(
        Flag.withDescription("With --all: so many start at a time (default: 4)"),
        Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 }))),
        Flag.optional
      ),
      unit: toggle("unit", "Print a user unit (systemd, or launchd on a Mac) that does --all when you log in"),
      detach: toggle("detach", "Start without attaching").pipe(Flag.withAlias("d")),
      json: jsonFlag
    },
    Effect.fn(function* (flags) {
      const {
        all,
        as,
        atOnce,
        cli,
        detach,
        here,
        json,
        last,
        list: listed,
        release,
        search,
        session,
        tag: ofTag,
        there
      } = flags
      const output = yield* Output
      if (flags.unit) return yield* printUnit
      const isNarrowed = [cli, search, session, ofTag, as].some(Option.isSome) || listed || last || here || there
      if (all && (isNarrowed || rest !== null))
        return yield* fail(
          "usage",
          "--all brings each session back as it was, and takes only --release, --at-once and --json"
        )
      if (!all && (release || Option.isSome(atOnce)))
        return yield* fail("usage", `${release ? "--release" : "--at-once"} belongs to --all`)
      if (all)
        return yield* bringAllBack(
          Option.getOrElse(atOnce, () => 4),
          release,
          json
        )
      const records = yield* SessionRecords
      const terminal = output.isTerminal && output.inputIsTerminal
      if (here && there) return yield* fail("usage", "--here and --there are two places; name one")
      if (Option.isSome(session) && session.value.trim() === "")
        return yield* fail("usage", "--session needs an id, or how one begins")
      if (json && !detach && !listed) return yield* fail("usage", "--json goes with --detach or --list")
      if (!detach && !listed) yield* requireScreen("attaching", "use --detach to resume without one")
      if (Option.isSome(cli)) yield* (yield* Providers).get(cli.value)
      const said = Option.isNone(search) ? null : yield* saidIn(search.value)
      const reported = yield* recoverMoves
      // in the background, and without log output, which would be written over the picker
      yield* Effect.forkScoped(records.prune.pipe(Effect.provideService(References.MinimumLogLevel, "None")))

      const rows = yield* records.rows
      const statuses = yield* allStatuses()
      const matches = (record: SessionRecord): boolean =>
        (Option.isNone(cli) || record.cli === cli.value) &&
        (Option.isNone(session) || record.sessionId.startsWith(session.value)) &&
        (said === null || said.has(record.sessionId))
      const fits = (Option.isNone(ofTag) ? rows : yield* seenUnder(ofTag.value, rows)).filter(({ record }) =>
        matches(record)
      )
      if (listed) return yield* list(last ? fits.slice(0, 1) : fits, statuses, json, said)
      if (fits.length === 0 && said !== null)
        return yield* fail(
          "notFound",
          "no session that can be resumed has these words in leap's record ('leap log --search' shows where they " +
            "were said)"
        )
      if (fits.length === 0) return yield* yield* noMatch(matches, ofTag)
      const exact = Option.isSome(session) ? fits.filter(({ record }) => record.sessionId === session.value) : []
      // with --last the user is asked nothing
      const interactive = terminal && !json && !last
      const { record, tag: lastTag } = yield* choose(exact.length > 0 ? exact : fits, statuses, {
        newest: last,
        named: [cli, ofTag, session].some(Option.isSome),
        interactive
      })

      const join = Effect.fnUntraced(function* (live: SessionStatus) {
        if (!detach && !here && Option.isNone(as)) return yield* attach({ tag: Tag.make(live.tag), readOnly: false })
        return yield* fail(
          "refused",
          here
            ? `the conversation runs as session '${live.tag}'; 'leap move ${live.tag} . --restart' brings it here`
            : `the conversation runs already as session '${live.tag}'; 'leap attach ${live.tag}' shows it`
        )
      })
      const live = runningWith(statuses, record)
      if (live !== null) return yield* join(live)
      const provider = yield* cliOf(record)
      // before anything is moved
      yield* admitted(provider, checkStart(provider, record), {
        tag: lastTag,
        ...(interactive ? { askUnwired: yield* askUnwired } : {})
      })
      const tag = yield* chooseTag(lastTag, as, interactive)
      const { directory, moves } = yield* chooseDirectory(record, { here, there, interactive })
      const outcome = yield* continueSession(record, { tag, directory, moves, args: rest, detach }).pipe(
        Effect.mapError(silenceReported(reported)),
        Effect.mapError(unresumable)
      )
      if (outcome.live !== null) return yield* join(outcome.live)
      yield* reportStart(tag, { ...outcome.started, movedFrom: null })
      if (!detach) return yield* attachResumed(tag)
      yield* awaitStart(tag)
      const status = yield* statusOf(tag)
      yield* noteIfAsking(tag, status)
      yield* print(json, { schema: 1, sessions: Option.toArray(status) }, () => tag)
    }, Effect.scoped)
  ).pipe(
    Command.withDescription(
      "Pick an earlier session and go on with it, in its own directory or here; what follows a lone -- goes to its " +
        "CLI, instead of the arguments that it had"
    ),
    Command.withShortDescription("Go on with an earlier session")
  )

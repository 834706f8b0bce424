import { DateTime, Effect, Option, References } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { isSame, type SessionRecord } from "../../domain/sessions/SessionRecord.ts"
import type { SessionStatus } from "../../domain/Session.ts"
import { oneLine, table } from "../../domain/StateLine.ts"
import { Tag } from "../../domain/Tag.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { type PickableSession, SessionRecords } from "../../services/SessionRecords.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach.ts"
import { allStatuses, statusOf } from "../client.ts"
import { runningElsewhere } from "../elsewhere.ts"
import { CommandError, describe, exitCode, fail } from "../exit.ts"
import { previewOf } from "../preview.ts"
import { claim, current, enterable, liveAs, recoverMoves, relocate, tellAsked, untold, withoutCli } from "../relocating.ts"
import { askNewTag, type PickRow, pickSession } from "../sessionPicker.ts"
import { attachResumed, awaitStart } from "../awaitStart.ts"
import { checkStart, detachedSize, startSession } from "../start.ts"
import { jsonFlag, print } from "./common.ts"
import { asked, tellStart } from "./start.ts"

/** Sessions that a line names at most. */
const namedAtMost = 5

const rowOf = (rows: ReadonlyArray<PickableSession>, { cli, sessionId }: PickRow): PickableSession | undefined =>
  rows.find(({ record }) => isSame(record, { cli, sessionId }))

/** Those of the sessions that a tag has seen, as its own: each is listed under the tag that saw it last. */
const under = Effect.fnUntraced(function*(tag: Tag, rows: ReadonlyArray<PickableSession>) {
  const book = (yield* (yield* SessionRecords).all).find((one) => one.tag === tag)?.book ?? []
  return rows.filter((row) => row.tag === tag || book.some((entry) => isSame(entry.record, row.record))).map((row) => ({ ...row, tag }))
})

/** The sessions with what is to be seen of each: who runs it, and whether its directory is still there. */
const look = Effect.fnUntraced(function*(rows: ReadonlyArray<PickableSession>, live: ReadonlyArray<SessionStatus>) {
  const machine = yield* Machine
  const { all } = yield* Providers
  return yield* Effect.forEach(rows, ({ bytes, record: { base, cli, cwd, lastSeen, sessionId }, tag }) =>
    Effect.map(machine.directory(cwd), (directory): PickRow => ({
      tag, cli, displayName: all.find(({ id }) => id === cli)?.displayName ?? cli, sessionId, cwd, lastSeen, bytes,
      liveAs: liveAs(live, { base, sessionId })?.tag ?? null,
      missing: Option.isNone(directory)
    })), { concurrency: 8 })
})

/** A time as the user's clock shows it. */
const localMinute = (at: number): string => {
  const { day, hour, minute, month, year } = DateTime.toParts(DateTime.setZone(DateTime.makeUnsafe(at), DateTime.zoneMakeLocal()))
  const two = (n: number): string => String(n).padStart(2, "0")
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`
}

/** Prints the sessions that there are. */
const list = Effect.fnUntraced(function*(rows: ReadonlyArray<PickableSession>, live: ReadonlyArray<SessionStatus>, json: boolean) {
  const shown = yield* look(rows, live)
  const time = (at: number): string | null => at === 0 ? null : DateTime.formatIso(DateTime.makeUnsafe(at))
  const sessions = shown.map((row, at) => ({ ...row, transcriptPath: rows[at]?.record.transcriptPath ?? null, lastSeen: time(row.lastSeen) }))
  yield* print(json, { schema: 1, sessions }, () =>
    sessions.length === 0 ? "no sessions to resume" : table([
      ["TAG", "CLI", "LAST SEEN", "SESSION", "DIRECTORY"],
      ...shown.map(({ cli, cwd, lastSeen, liveAs, missing, sessionId, tag }) => [
        tag, cli, lastSeen === 0 ? "-" : localMinute(lastSeen), sessionId, `${oneLine(cwd, 200)}${missing ? " (gone)" : ""}${liveAs === null ? "" : ` (runs as ${liveAs})`}`
      ])
    ]))
})

/** One of the sessions that the flags leave: the only one, the newest if that was asked for, or the one that the user picks. */
const choose = Effect.fnUntraced(function*(
  rows: ReadonlyArray<PickableSession>, live: ReadonlyArray<SessionStatus>, by: { readonly newest: boolean; readonly named: boolean; readonly interactive: boolean }
) {
  const { interactive, named, newest } = by
  const machine = yield* Machine
  const [first, ...others] = rows
  if (first === undefined) return yield* fail("notFound", "there is no session to resume")
  // who named none wants to see what there is, even if it is one
  if (newest || others.length === 0 && (named || !interactive)) return first
  if (!interactive) {
    const ids = rows.slice(0, namedAtMost).map(({ record, tag }) => `${record.sessionId} (${tag})`).join(", ")
    return yield* fail("usage", `${rows.length} sessions can be resumed: --session ID names one, --last takes the newest, a terminal lets you pick: ` +
      `${ids}${rows.length > namedAtMost ? ` … 'leap resume --list' shows all` : ""}`)
  }
  const picked = yield* pickSession({
    rows: yield* look(rows, live),
    home: machine.env["HOME"] ?? "",
    cwd: machine.cwd,
    preview: (row) => {
      const found = rowOf(rows, row)
      return found === undefined ? Effect.succeed({ lastUser: null, lastAssistant: null }) : previewOf(found.record)
    }
  })
  const found = picked === null ? undefined : rowOf(rows, picked)
  return found === undefined ? yield* fail("cancelled", "") : found
})

/** Where to go on: in the session's own directory, or in this one. */
const chooseDirectory = Effect.fnUntraced(function*(
  record: SessionRecord, where: { readonly here: boolean; readonly there: boolean; readonly interactive: boolean }
) {
  const machine = yield* Machine
  const healed = yield* (yield* SessionRecords).heal(record)
  const there = yield* machine.directory(healed)
  const here = yield* machine.directory(machine.cwd)
  if (Option.isSome(there) && Option.isSome(here) && there.value === here.value) return { directory: there.value, moves: false }
  const movable = (yield* Providers).all.find(({ id }) => id === record.cli)?.relocation != null
  if (where.here && Option.isNone(here)) {
    return yield* fail("refused", `the session cannot go on here: this directory${machine.cwd === "" ? "" : ` (${oneLine(machine.cwd, 200)})`} is not there any more`)
  }
  if (where.here && Option.isSome(here)) return { directory: here.value, moves: true }
  const trouble = Option.isNone(there)
    ? `its directory ${oneLine(healed, 200)} is not there any more`
    : (yield* enterable(there.value)) ? null : `its directory ${oneLine(there.value, 200)} cannot be entered: its permissions forbid it`
  const canMove = movable && Option.isSome(here)
  if (where.there || !where.interactive || !canMove) {
    if (Option.isSome(there) && trouble === null) return { directory: there.value, moves: false }
    return yield* fail("refused", `the session cannot be resumed there: ${trouble ?? ""}${canMove ? "; --here goes on with it in this directory" : ""}`)
  }
  const choice = yield* asked(Prompt.Select<"here" | "there" | null>({
    message: trouble === null ? "Where should it go on?" : `${trouble.charAt(0).toUpperCase()}${trouble.slice(1)}.`,
    choices: [
      ...Option.isSome(there) && trouble === null ? [{ title: `there: ${oneLine(there.value, 100)}`, value: "there" as const }] : [],
      { title: `here: ${oneLine(here.value, 100)} (the session moves)`, value: "here" as const },
      { title: "nowhere", value: null }
    ]
  }))
  if (choice === null) return yield* fail("cancelled", "")
  return choice === "there" && Option.isSome(there) ? { directory: there.value, moves: false } : { directory: here.value, moves: true }
})

/** The tag to run it under: its own unless something else runs there. */
const chooseTag = Effect.fnUntraced(function*(own: Tag, wanted: Option.Option<Tag>, interactive: boolean) {
  const taken = (tag: string) =>
    Effect.map(statusOf(Tag.make(tag)), (status) =>
      Option.isSome(status) && status.value.state !== "exited" ? `session '${tag}' runs; another name, please` : null)
  const tag = Option.getOrElse(wanted, () => own)
  if ((yield* taken(tag)) === null) return tag
  if (!interactive || Option.isSome(wanted)) {
    return yield* fail("refused", `session '${tag}' runs with another conversation; 'leap stop ${tag}' ends it, --as NAME resumes this one under another name`)
  }
  yield* (yield* Output).note(`Session '${tag}' runs with another conversation.`)
  const chosen = yield* askNewTag({ taken })
  return chosen === null ? yield* fail("cancelled", "") : chosen
})

/** Why none of the sessions that leap remembers fits. */
const absent = Effect.fnUntraced(function*(fits: (record: SessionRecord) => boolean, tag: Option.Option<Tag>) {
  const books = (yield* (yield* SessionRecords).all).filter((book) => Option.isNone(tag) || book.tag === tag.value)
  const gone = books.flatMap(({ book, tag }) => book.map(({ record }) => ({ record, tag }))).filter(({ record }) => fits(record))
    .reduce<{ readonly record: SessionRecord; readonly tag: Tag } | null>((newest, one) => one.record.lastSeen >= (newest?.record.lastSeen ?? 0) ? one : newest, null)
  if (gone === null) {
    return fail("notFound", books.length === 0 && Option.isNone(tag)
      ? "there is no session to resume yet: leap remembers those that ran under it"
      : "there is no such session to resume; 'leap resume --list' shows those that there are")
  }
  const { cli, sessionId } = gone.record
  const displayName = (yield* Providers).all.find(({ id }) => id === cli)?.displayName ?? cli
  return fail("refused", `session ${sessionId} of '${gone.tag}' cannot be resumed: nothing is left of what ${displayName} kept of it`)
})

/** What failed for no reason that has an exit code of its own is a resume that cannot be honoured. */
const unhonoured = (error: unknown): CommandError => {
  const { exitCode: code, message } = describe(error)
  return new CommandError({ message, exitCode: code === exitCode.failed ? exitCode.refused : code })
}

/** Goes on with a conversation that no host runs, in its own directory or moved to this one. No other leap gets hold of it meanwhile. */
const goOn = Effect.fnUntraced(function*(record: SessionRecord, options: {
  readonly tag: Tag
  readonly directory: string
  readonly moves: boolean
  readonly args: ReadonlyArray<string>
  readonly detach: boolean
}) {
  const { args, detach, directory, moves, tag } = options
  yield* claim(record)
  const live = liveAs(yield* allStatuses(), record)
  if (live !== null) return { live, started: null }
  const now = yield* current(record)
  if (now.cwd !== record.cwd) return yield* fail("refused", `another leap has moved session ${record.sessionId} to ${oneLine(now.cwd, 200)} meanwhile; try again`)
  if (!moves) {
    const pids = yield* runningElsewhere(now)
    if (pids.length > 0) yield* (yield* Output).note(`leap: the conversation is open outside of leap too (process ${pids.join(", ")}): what both say goes into one transcript`)
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

export const resume = (rest: ReadonlyArray<string>) =>
  Command.make("resume", {
    cli: Flag.String("cli").pipe(Flag.withDescription("Only sessions of this CLI"), Flag.optional),
    tag: Flag.String("tag").pipe(Flag.withDescription("Only sessions of this tag"), Flag.withSchema(Tag), Flag.optional),
    session: Flag.String("session").pipe(Flag.withDescription("The session with this id, or with the only id that begins like this"), Flag.optional),
    list: Flag.Boolean("list").pipe(Flag.withDescription("Print the sessions that there are, and resume none"), Flag.withDefault(false)),
    last: Flag.Boolean("last").pipe(Flag.withDescription("The newest of them, without asking"), Flag.withDefault(false)),
    here: Flag.Boolean("here").pipe(Flag.withDescription("Go on in this directory: the session moves"), Flag.withDefault(false)),
    there: Flag.Boolean("there").pipe(Flag.withDescription("Go on in the session's own directory"), Flag.withDefault(false)),
    as: Flag.String("as").pipe(Flag.withDescription("Run it under this tag (default: its own)"), Flag.withSchema(Tag), Flag.optional),
    detach: Flag.Boolean("detach").pipe(Flag.withAlias("d"), Flag.withDescription("Start without attaching"), Flag.withDefault(false)),
    json: jsonFlag
  }, Effect.fn(function*({ as, cli, detach, here, json, last, list: listed, session, tag: ofTag, there }) {
    const output = yield* Output
    const records = yield* SessionRecords
    const terminal = output.isTerminal && output.inputIsTerminal
    if (here && there) return yield* fail("usage", "--here and --there are two places; name one")
    if (Option.isSome(session) && session.value.trim() === "") return yield* fail("usage", "--session needs an id, or how one begins")
    if (json && !detach && !listed) return yield* fail("usage", "--json goes with --detach or --list")
    if (!detach && !terminal && !listed) return yield* fail("usage", "attaching needs a terminal; use --detach to resume without one")
    if (Option.isSome(cli)) yield* (yield* Providers).get(cli.value)
    const told = yield* recoverMoves
    // nobody waits for it, and what it has to say would be written over the picker
    yield* Effect.forkScoped(records.prune.pipe(Effect.provideService(References.MinimumLogLevel, "None")))

    const rows = yield* records.rows
    const statuses = yield* allStatuses()
    const meant = (record: SessionRecord): boolean =>
      (Option.isNone(cli) || record.cli === cli.value) && (Option.isNone(session) || record.sessionId.startsWith(session.value))
    const fits = (Option.isNone(ofTag) ? rows : yield* under(ofTag.value, rows)).filter(({ record }) => meant(record))
    if (listed) return yield* list(last ? fits.slice(0, 1) : fits, statuses, json)
    if (fits.length === 0) return yield* yield* absent(meant, ofTag)
    const whole = Option.isSome(session) ? fits.filter(({ record }) => record.sessionId === session.value) : []
    const interactive = terminal && !json
    const { record, tag: own } = yield* choose(whole.length > 0 ? whole : fits, statuses, {
      newest: last,
      named: [cli, ofTag, session].some(Option.isSome),
      interactive
    })

    const join = Effect.fnUntraced(function*(live: SessionStatus) {
      if (!detach && !here && Option.isNone(as)) return yield* attach({ tag: Tag.make(live.tag), readOnly: false })
      return yield* fail("refused", here
        ? `the conversation runs as session '${live.tag}'; 'leap move ${live.tag} . --restart' brings it here`
        : `the conversation runs already as session '${live.tag}'; 'leap attach ${live.tag}' shows it`)
    })
    const live = liveAs(statuses, record)
    if (live !== null) return yield* join(live)
    const provider = yield* (yield* Providers).get(record.cli).pipe(Effect.mapError((error) => withoutCli(record, error.message)))
    // before anything is moved
    yield* checkStart(provider, record)
    const tag = yield* chooseTag(own, as, interactive)
    const { directory, moves } = yield* chooseDirectory(record, { here, there, interactive })
    const begun = yield* goOn(record, { tag, directory, moves, args: rest, detach }).pipe(Effect.mapError(untold(told)), Effect.mapError(unhonoured))
    if (begun.live !== null) return yield* join(begun.live)
    yield* tellStart(tag, { ...begun.started, movedFrom: null })
    if (!detach) return yield* attachResumed(tag)
    yield* awaitStart(tag)
    const status = yield* statusOf(tag)
    yield* tellAsked(tag, status)
    yield* print(json, { schema: 1, sessions: Option.toArray(status) }, () => tag)
  }, Effect.scoped)).pipe(Command.withDescription("Pick an earlier session and go on with it, in its own directory or here; what follows a lone -- goes to its CLI"))

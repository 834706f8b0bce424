import { DateTime, Effect, Option } from "effect"
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
import { fail } from "../exit.ts"
import { previewOf } from "../preview.ts"
import { liveAs, recoverMoves, relocate } from "../relocating.ts"
import { askNewTag, type PickRow, pickSession } from "../sessionPicker.ts"
import { attachResumed, awaitStart } from "../awaitStart.ts"
import { checkStart, detachedSize, startSession } from "../start.ts"
import { jsonFlag, print } from "./common.ts"
import { asked, tellStart } from "./start.ts"

const shortId = 8

/** A session as one line for those who cannot pick. */
const rowLine = ({ record, tag }: PickableSession): string => `  --cli ${record.cli} --tag ${tag} --session ${record.sessionId}  ${oneLine(record.cwd, 100)}`

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
  return yield* Effect.forEach(rows, ({ bytes, record: { cli, cwd, lastSeen, sessionId }, tag }) =>
    Effect.map(machine.directory(cwd), (directory): PickRow => ({
      tag, cli, displayName: all.find(({ id }) => id === cli)?.displayName ?? cli, sessionId, cwd, lastSeen, bytes,
      liveAs: liveAs(live, { cli, sessionId })?.tag ?? null,
      missing: Option.isNone(directory)
    })), { concurrency: 8 })
})

/** Prints the sessions that there are. */
const list = Effect.fnUntraced(function*(rows: ReadonlyArray<PickableSession>, live: ReadonlyArray<SessionStatus>, json: boolean) {
  const shown = yield* look(rows, live)
  const time = (at: number): string | null => at === 0 ? null : DateTime.formatIso(DateTime.makeUnsafe(at))
  const sessions = shown.map(({ lastSeen, ...row }, at) => ({ ...row, transcriptPath: rows[at]?.record.transcriptPath ?? null, lastSeen: time(lastSeen) }))
  yield* print(json, { schema: 1, sessions }, () =>
    table([
      ["TAG", "CLI", "LAST SEEN", "SESSION", "DIRECTORY"],
      ...sessions.map(({ cli, cwd, lastSeen, liveAs, missing, sessionId, tag }) => [
        tag, cli, lastSeen?.slice(0, 16).replace("T", " ") ?? "-", sessionId, `${oneLine(cwd, 200)}${missing ? " (gone)" : ""}${liveAs === null ? "" : ` (runs as ${liveAs})`}`
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
  if (first === undefined) return yield* fail("notFound", "there is no such session to resume; 'leap resume' alone shows those that there are")
  // who named none wants to see what there is, even if it is one
  if (newest || others.length === 0 && (named || !interactive)) return first
  if (!interactive) {
    return yield* fail("usage", [
      `${rows.length} sessions can be resumed: --session names one, --last takes the newest, a terminal lets you pick`,
      ...rows.slice(0, 10).map(rowLine),
      ...rows.length > 10 ? [`  … and ${rows.length - 10} more`] : []
    ].join("\n"))
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
  const inOne = Option.isSome(there) && Option.isSome(here) && there.value === here.value
  if (inOne) return { directory: there.value, moves: false }
  const movable = (yield* Providers).all.find(({ id }) => id === record.cli)?.relocation != null
  if (where.here) return { directory: Option.getOrElse(here, () => machine.cwd), moves: true }
  if (Option.isNone(there)) {
    const gone = `its directory ${oneLine(healed, 200)} is not there any more`
    if (where.there || !where.interactive || !movable) return yield* fail("refused", `the session cannot be resumed there: ${gone}${movable ? "; --here goes on with it in this directory" : ""}`)
  } else if (where.there || !where.interactive || !movable) return { directory: there.value, moves: false }
  const choice = yield* asked(Prompt.Select<"here" | "there" | null>({
    message: Option.isSome(there) ? "Where should it go on?" : `Its directory ${oneLine(healed, 100)} is not there any more.`,
    choices: [
      ...Option.isSome(there) ? [{ title: `there: ${oneLine(there.value, 100)}`, value: "there" as const }] : [],
      { title: `here: ${oneLine(machine.cwd, 100)} (the session moves)`, value: "here" as const },
      { title: "nowhere", value: null }
    ]
  }))
  if (choice === null) return yield* fail("cancelled", "")
  return choice === "there" && Option.isSome(there)
    ? { directory: there.value, moves: false }
    : { directory: Option.getOrElse(here, () => machine.cwd), moves: true }
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
    if (!detach && !terminal && !listed) return yield* fail("usage", "attaching needs a terminal; use --detach to resume without one")
    if (Option.isSome(cli)) yield* (yield* Providers).get(cli.value)
    yield* recoverMoves
    yield* Effect.forkScoped(records.prune)

    const rows = yield* records.rows
    if (rows.length === 0 && !listed) return yield* fail("notFound", "there is no session to resume yet: leap remembers those that ran under it")
    const statuses = yield* allStatuses()
    const fits = (Option.isNone(ofTag) ? rows : yield* under(ofTag.value, rows)).filter(({ record }) =>
      (Option.isNone(cli) || record.cli === cli.value) && (Option.isNone(session) || record.sessionId.startsWith(session.value)))
    if (listed) return yield* list(fits, statuses, json)
    const whole = Option.isSome(session) ? fits.filter(({ record }) => record.sessionId === session.value) : []
    const interactive = terminal && !json
    const { record, tag: own } = yield* choose(whole.length > 0 ? whole : fits, statuses, {
      newest: last,
      named: [cli, ofTag, session].some(Option.isSome),
      interactive
    })

    const live = liveAs(statuses, record)
    if (live !== null) {
      if (!detach && !here && Option.isNone(as)) return yield* attach({ tag: Tag.make(live.tag), readOnly: false })
      return yield* fail("refused", here
        ? `the conversation runs as session '${live.tag}'; 'leap move ${live.tag} . --restart' brings it here`
        : `the conversation runs already as session '${live.tag}'; 'leap attach ${live.tag}' shows it`)
    }
    const provider = yield* (yield* Providers).get(record.cli).pipe(Effect.mapError((error) =>
      fail("refused", `session ${record.sessionId.slice(0, shortId)} was run by ${record.cli}, and ${error.message}`)))
    // before anything is moved
    yield* checkStart(provider, record)
    const tag = yield* chooseTag(own, as, interactive)
    const { directory, moves } = yield* chooseDirectory(record, { here, there, interactive })
    const resumed = moves ? (yield* relocate(record, directory)).session : record
    const size = detach ? detachedSize : yield* (yield* UserTerminal).size
    const started = yield* startSession({
      tag,
      cli: Option.some(record.cli),
      cwd: Option.some(directory),
      args: rest,
      size,
      waitForViewer: !detach,
      resumes: { sessionId: resumed.sessionId, transcriptPath: resumed.transcriptPath }
    })
    yield* tellStart(tag, { ...started, movedFrom: null })
    if (!detach) return yield* attachResumed(tag)
    yield* awaitStart(tag)
    const status = yield* statusOf(tag)
    yield* print(json, { schema: 1, sessions: Option.toArray(status) }, () => tag)
  }, Effect.scoped)).pipe(Command.withDescription("Pick an earlier session and go on with it, in its own directory or here"))

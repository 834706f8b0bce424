import { Clock, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withNeeds } from "../../domain/words/attention/needsOf.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { runs, sessionStates } from "../../domain/words/session/states.ts"
import { longLine, oneLine, printable } from "../../domain/words/text/printable.ts"
import { noLastMessage } from "../../domain/words/wording/noSession.ts"
import { paint, stateLine } from "../../domain/words/wording/StateLine.ts"
import { statusDetails } from "../../domain/words/wording/statusDetails.ts"
import { statusTable } from "../../domain/words/wording/StatusTable.ts"
import { System } from "../../services/System.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { allStatuses, awaitState, damagedStatuses, requireStatus, screenOf, statusChanges } from "../client/statuses.ts"
import { layer as sessionFeed, SessionFeed } from "../client/SessionFeed.ts"
import { awayStatuses } from "../client/followHosts.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print, tagArgument, timeoutFlag, toggle, within } from "./shared/common.ts"
import { allFlag, chooseTags, forChosen, tagsArgument } from "./shared/many.ts"

const document = (sessions: ReadonlyArray<SessionStatus>) => ({ schema: 1, sessions: sessions.map(withNeeds) })

/** Cuts a text to one line of a terminal, or to a long line for a program. */
const cutFor =
  ({ isTerminal }: Pick<Output["Service"], "isTerminal">) =>
  (text: string, limit: number): string =>
    isTerminal ? oneLine(text, limit) : longLine(text)

/** The statuses in the feed, without hosts that have not answered yet. */
const allChanges = Stream.unwrap(Effect.map(SessionFeed, ({ events }) => events)).pipe(
  Stream.flatMap((event) =>
    Stream.fromIterable(event._tag === "Snapshot" ? event.sessions : event._tag === "Changed" ? [event.session] : [])
  ),
  Stream.filter(({ link }) => link !== "joining"),
  Stream.map(({ status }) => status)
)

const showChanges = Effect.fn("showChanges")(function* <E, R>(
  stream: Stream.Stream<SessionStatus, E, R>,
  json: boolean
) {
  const output = yield* Output
  const last = new Map<string, string>()
  yield* Stream.runForEach(stream, (status) => {
    const line = json
      ? JSON.stringify(document([status]))
      : `${status.tag}  ${stateLine(status, output.colour, { whole: !output.isTerminal })}  ` +
        paint(cutFor(output)(status.reason, 80), 90, output.colour)
    if (last.get(status.tag) === line) return Effect.void
    last.set(status.tag, line)
    return output.line(line)
  })
})

export const status = Command.make(
  "status",
  {
    tag: tagArgument.pipe(Argument.optional),
    json: jsonFlag,
    watch: toggle("watch", "One line at each change"),
    hosts: toggle("hosts", "With the sessions of the other machines that 'leap hosts' lists, as host/tag")
  },
  Effect.fn(function* ({ hosts, json, tag, watch }) {
    if (hosts && (watch || Option.isSome(tag)))
      return yield* fail("usage", "--hosts is for the list of all sessions: without a tag and --watch")
    const output = yield* Output
    if (watch) {
      if (Option.isSome(tag)) {
        // an ended session does not change, so its last status is printed
        const ended = yield* requireStatus(tag.value)
        return yield* ended.state === "exited"
          ? showChanges(Stream.make(ended), json)
          : Effect.scoped(showChanges(statusChanges(tag.value), json))
      }
      return yield* showChanges(allChanges, json).pipe(Effect.provide(sessionFeed))
    }
    if (Option.isSome(tag)) {
      const session = yield* requireStatus(tag.value)
      const now = yield* Clock.currentTimeMillis
      return yield* print(json, document([session]), () =>
        statusDetails(session, { colour: output.colour, whole: !output.isTerminal, now })
      )
    }
    const own = yield* allStatuses()
    if (own.length === 0) yield* (yield* Paths).readable
    const away = hosts ? yield* awayStatuses : []
    const sessions = [...own, ...away.flatMap(({ sessions }) => sessions)]
    const columns = output.isTerminal ? yield* output.columns : null
    const home = (yield* System).env["HOME"] ?? ""
    const unreached = away.flatMap(({ name, why }) => (why === null ? [] : [{ name, why }]))
    const all = { ...document(sessions), ...(hosts ? { unreached } : {}) }
    yield* print(json, all, () => statusTable(sessions, { colour: output.colour, columns, home }))
    yield* Effect.forEach(
      [...(yield* damagedStatuses(own)).map(({ message }) => message), ...unreached.map(({ why }) => why)],
      (message) => output.note(`leap: ${message}`)
    )
  })
).pipe(Command.withDescription("Sessions and what each is doing"))

const states = Flag.String("until").pipe(
  Flag.withDescription("States to wait for, separated by commas (default: until the turn is over)"),
  Flag.filterMap(
    (text) => {
      const all = text.split(",").map((state) => state.trim())
      return all.every((state) => (sessionStates as ReadonlyArray<string>).includes(state))
        ? Option.some(all)
        : Option.none()
    },
    (text) => `'${text}' is no list of states; states: ${sessionStates.join(", ")}`
  ),
  Flag.optional
)

export const wait = Command.make(
  "wait",
  { tags: tagsArgument, all: allFlag, until: states, timeout: timeoutFlag, json: jsonFlag },
  Effect.fn(function* ({ all, json, tags, timeout, until }) {
    const states = Option.match(until, { onNone: () => null, onSome: (list): ReadonlySet<string> => new Set(list) })
    yield* forChosen(yield* chooseTags(tags, all, runs), json, (tag) =>
      awaitState(tag, states).pipe(
        Effect.scoped,
        within(
          timeout,
          states === null
            ? `'${tag}' did not get to the end of its turn, and of those that are to come by themselves,`
            : `'${tag}' did not get to ${[...states].join(" or ")}`
        ),
        Effect.map(({ ready, reason, state }) => ({ document: { tag, state, ready, reason }, text: state }))
      )
    )
  })
).pipe(Command.withDescription("Wait until the turn is over, or for a state; print it"))

export const screen = Command.make(
  "screen",
  { tag: tagArgument, json: jsonFlag },
  Effect.fn(function* ({ json, tag }) {
    const captured = yield* screenOf(tag)
    yield* print(json, { schema: 1, tag, ...captured }, () => printable(captured.text))
  })
).pipe(Command.withDescription("The session's screen as text"))

export const last = Command.make(
  "last",
  { tag: tagArgument, json: jsonFlag },
  Effect.fn(function* ({ json, tag }) {
    const session = yield* requireStatus(tag)
    if (session.lastResponse === null && !json) {
      return yield* fail("failed", noLastMessage(session))
    }
    yield* print(json, { schema: 1, tag, text: session.lastResponse }, () => printable(session.lastResponse ?? ""))
  })
).pipe(Command.withDescription("The last assistant message"))

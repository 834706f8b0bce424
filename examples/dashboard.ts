// A dashboard over the feed: `node dashboard.ts [SECONDS]`. All sessions and what each does, drawn anew at each change, those
// that need you first. The feed subscribes once to each host, and tells of sessions that begin and end meanwhile.
import { Console, Effect, Layer, Stream } from "effect"
import { Feed, needsOf, SessionFeed } from "leap"
import { layer } from "leap/host"

/** What it needs most of its human, by the rule of leap's own surfaces. */
const needOf = ({ status }: Feed.FeedSession) => needsOf.needOf(status)

const row = (session: Feed.FeedSession): string => {
  const { displayName, lastMessage, message, queue, state, tag } = session.status
  const need = needOf(session)
  const what = need === null ? (message ?? lastMessage ?? "") : need.text
  const queued = queue.length === 0 ? "" : ` +${queue.length}`
  return `${need === null ? " " : "!"} ${tag.padEnd(16)} ${state.padEnd(17)} ${displayName}${queued}  ${what}`
}

const draw = (sessions: Feed.FeedSessions): string =>
  [...sessions.values()]
    .filter(({ link }) => link !== "ended")
    .toSorted(
      (a, b) => Number(needOf(a) === null) - Number(needOf(b) === null) || a.status.tag.localeCompare(b.status.tag)
    )
    .map(row)
    .join("\n")

const program = Effect.gen(function* () {
  const { events } = yield* SessionFeed.SessionFeed
  yield* events.pipe(
    Stream.scan((): Feed.FeedSessions => new Map(), Feed.fold),
    Stream.map(draw),
    Stream.changes,
    Stream.runForEach((screen) => Console.log(process.stdout.isTTY ? `\u001b[2J\u001b[H${screen}` : `${screen}\n--`))
  )
})

const seconds = process.argv[2]
const shown = seconds === undefined ? program : Effect.timeoutOption(program, Number(seconds) * 1000)
const all = SessionFeed.layer.pipe(Layer.provide(layer()))
await Effect.runPromise(shown.pipe(Effect.provide(all)))

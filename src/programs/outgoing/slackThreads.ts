import { Clock, Effect, Option, Schema } from "effect"
import { OutEvent, type OutSession } from "../../domain/surfaces/outgoing/OutEvent.ts"
import { type Closed, closedMessage, type Opened, threadMessage } from "../../domain/surfaces/outgoing/slackMessage.ts"
import { isThreadGone } from "../../domain/surfaces/outgoing/slackVerdict.ts"
import type { SlackSettings } from "../../domain/store/settings/OutSettings.ts"
import type { OpenOutJournal } from "../../services/OutJournal.ts"
import { Slack, type SlackChannel, type SlackError } from "../../services/Slack.ts"

export const slackName = "slack"

const Posted = Schema.fromJsonString(Schema.Struct({ time: Schema.String, event: OutEvent }))
const readPosted = Schema.decodeUnknownOption(Posted)

const mostAnswered = 500

/** The shared state of both directions: the connection, the threads, the posted dialogs. */
export const slackThreads = Effect.fnUntraced(function* (settings: SlackSettings, journal: OpenOutJournal) {
  const slack = yield* Slack
  let opened: SlackChannel | null = null
  /** Opened once, and again after a failure that another token might fix. */
  const channel = Effect.suspend(() =>
    opened === null
      ? Effect.tap(slack.open(settings), (found) => Effect.sync(() => void (opened = found)))
      : Effect.succeed(opened)
  )
  const using = <A, R>(call: (to: SlackChannel) => Effect.Effect<A, SlackError, R>) =>
    Effect.flatMap(channel, call).pipe(
      Effect.tapError(({ code, kind }) =>
        Effect.sync(() => {
          if (kind === "refused" && code !== null && /auth|token|account|scope/.test(code)) opened = null
        })
      )
    )
  const note = (name: string) => journal.note(slackName, name)
  const setNote = Effect.fnUntraced(function* (name: string, value: string | null) {
    yield* journal.setNote(slackName, name, value, yield* Clock.currentTimeMillis)
  })
  // each channel has its own threads
  const threadNote = (tag: string) => `thread ${settings.channel} ${tag}`
  const tagNote = (thread: string) => `tag ${settings.channel} ${thread}`
  const dialogNote = (id: string) => `dialog ${settings.channel} ${id}`

  // keeps the thread's tag, so that later messages in it get an answer
  const forgetThread = (tag: string) => setNote(threadNote(tag), null)
  const threadOf = Effect.fnUntraced(function* (session: OutSession) {
    const { tag } = session
    const known = yield* note(threadNote(tag))
    if (known !== null) return known
    const thread = yield* using((to) => to.post(null, threadMessage(session)))
    yield* setNote(tagNote(thread), tag)
    yield* setNote(threadNote(tag), thread)
    return thread
  })
  const answered = new Map<string, Closed>()

  return {
    using,
    forgetThread,
    /** Posts into the session's thread; creates a new one if it is missing or deleted. */
    inThread: Effect.fnUntraced(function* (session: OutSession, message: Parameters<SlackChannel["post"]>[1]) {
      const once = Effect.flatMap(threadOf(session), (thread) => using((to) => to.post(thread, message)))
      return yield* Effect.catchIf(
        once,
        (error) => error._tag === "SlackError" && isThreadGone(error.code),
        () => Effect.andThen(forgetThread(session.tag), once)
      )
    }),
    /** The thread's session, and whether the thread is current; null for a foreign thread. */
    ownerOf: Effect.fnUntraced(function* (thread: string) {
      const tag = yield* note(tagNote(thread))
      return tag === null ? null : { tag, isIts: (yield* note(threadNote(tag))) === thread }
    }),
    posted: Effect.fnUntraced(function* (dialog: string) {
      const text = yield* note(dialogNote(dialog))
      const found = text === null ? null : Option.getOrNull(readPosted(text))
      return found !== null && found.event.type === "dialog.opened" ? { time: found.time, event: found.event } : null
    }),
    setPosted: (event: Opened, time: string) => setNote(dialogNote(event.id), JSON.stringify({ time, event })),
    close: Effect.fnUntraced(function* (posted: { readonly time: string; readonly event: Opened }) {
      const message = closedMessage(posted.event, answered.get(posted.event.id) ?? null)
      yield* Effect.catchIf(
        using((to) => to.update(posted.time, message)),
        ({ code }) => isThreadGone(code) || code === "cant_update_message",
        () => Effect.void
      )
    }),
    forgetPosted: (dialog: string) => setNote(dialogNote(dialog), null),
    answeredBy: (dialog: string): Closed | null => answered.get(dialog) ?? null,
    setAnswered: (dialog: string, by: Closed | null): void => {
      if (by === null) return void answered.delete(dialog)
      const [oldest] = answered.size >= mostAnswered ? answered.keys() : []
      if (oldest !== undefined) answered.delete(oldest)
      answered.set(dialog, by)
    }
  }
})

export type SlackThreads = Effect.Success<ReturnType<typeof slackThreads>>

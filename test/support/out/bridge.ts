import { type Cause, Effect, Layer, Queue, Ref, Stream, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import type { OutBody } from "../../../src/domain/surfaces/outgoing/OutEvent.ts"
import type { SlackIncoming } from "../../../src/domain/surfaces/outgoing/slackIncoming.ts"
import type { SlackMessage } from "../../../src/domain/surfaces/outgoing/slackMessage.ts"
import { lifeKey, type RecordedLife } from "../../../src/domain/engine/history/RecordedLife.ts"
import { defaultOut, type OutSettings } from "../../../src/domain/store/settings/OutSettings.ts"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import * as SessionFeed from "../../../src/programs/client/SessionFeed.ts"
import { runOut } from "../../../src/programs/outgoing/runOut.ts"
import { type OutBatch, OutJournal } from "../../../src/services/OutJournal.ts"
import { Output } from "../../../src/services/Output.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { Slack, type SlackChannel, type SlackDelivery, SlackError } from "../../../src/services/Slack.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { type PostAnswer, PostError } from "../../../src/services/PostError.ts"
import { Webhooks } from "../../../src/services/Webhooks.ts"
import { temporary } from "../data/recordStore.ts"
import { makeHosts } from "../fakes/HostsFake.ts"
import { journalIn } from "./journal.ts"
import { StoreError } from "../../../src/services/StoreError.ts"

export const begin = Date.UTC(2026, 0, 1)
export const iso = (ms: number): string => new Date(begin + ms).toISOString()

/** Lets everything happen that waits for nothing but its turn. */
export const due = Effect.repeat(Effect.yieldNow, { times: 60 })
/** Lets time pass in steps, as it passes for who waits for one thing after another. */
export const passes = Effect.fnUntraced(function* (ms: number, step = 250) {
  yield* due
  for (let left = ms; left > 0; left -= step) {
    yield* TestClock.adjust(Math.min(step, left))
    yield* due
  }
})

export const webhook = (name: string) => ({ name, url: `https://${name}/x`, secretEnv: "S", texts: true }) as const
export const slackSettings = {
  channel: "C01",
  users: ["U01", "U02"],
  botTokenEnv: "B",
  appTokenEnv: "A",
  texts: true
} as const

/** A message as a Slack in memory has it. `only`: for whom alone. */
export interface Posted {
  readonly time: string
  readonly thread: string | null
  readonly only: string | null
  message: SlackMessage
}

/** A Slack in memory, in which people do what the test says. */
export const makeSlack = () => {
  const messages: Array<Posted> = []
  const reactions: Array<string> = []
  const acknowledged: Array<string> = []
  const listeners = new Set<Queue.Queue<SlackDelivery, SlackError | Cause.Done>>()
  let times = 0
  let attempts = 0
  let opens = 0
  let failure: (call: string, attempt: number) => SlackError | null = () => null
  const calling = <A>(call: string, run: () => A): Effect.Effect<A, SlackError> =>
    Effect.suspend(() => {
      const error = failure(call, ++attempts)
      return error === null ? Effect.sync(run) : Effect.fail(error)
    })
  const put = (thread: string | null, only: string | null, message: SlackMessage): string => {
    const time = `${++times}.0`
    messages.push({ time, thread, only, message })
    return time
  }
  const channel: SlackChannel = {
    post: (thread, message) => calling("post", () => put(thread, null, message)),
    update: (time, message) =>
      calling("update", () => {
        for (const one of messages) if (one.time === time) one.message = message
      }),
    whisper: (thread, user, message) => calling("whisper", () => void put(thread, user, message)),
    react: (time) => calling("react", () => void reactions.push(time)),
    listen: (opened) =>
      Effect.gen(function* () {
        yield* calling("listen", () => {})
        const queue = yield* Effect.acquireRelease(Queue.unbounded<SlackDelivery, SlackError | Cause.Done>(), (queue) =>
          Effect.sync(() => void listeners.delete(queue))
        )
        listeners.add(queue)
        yield* opened
        return Stream.fromQueue(queue)
      })
  }
  const texts = ({ message }: Posted): string => JSON.stringify(message.blocks)
  const find = (text: string): Posted => {
    const found = messages.findLast((one) => texts(one).includes(text))
    if (found === undefined) throw new Error(`nothing posted has ${text}: ${messages.map(texts).join("\n")}`)
    return found
  }
  const deliver = (incoming: SlackIncoming): void => {
    const acknowledge = Effect.sync(() => void acknowledged.push(incoming.key))
    for (const queue of listeners) Queue.offerUnsafe(queue, { incoming, acknowledge })
  }
  return {
    layer: Layer.succeed(Slack, {
      open: () =>
        calling("open", () => {
          opens++
          return channel
        })
    }),
    /** How often it was opened, which reads the tokens. */
    opens: () => opens,
    messages,
    reactions,
    acknowledged,
    find,
    /** What is told of all messages, in order: thread and text. */
    told: () => messages.map((one) => `${one.thread ?? "-"} ${texts(one)}`),
    has: (text: string) => messages.some((one) => texts(one).includes(text)),
    listening: () => listeners.size,
    attempts: () => attempts,
    /** From now on calls fail so. */
    fail: (how: typeof failure) => void (failure = how),
    /** Slack closes the connections on which it is listened to. */
    close: () => {
      for (const queue of listeners) Queue.endUnsafe(queue)
    },
    reply: (
      thread: string,
      text: string,
      { channel = "C01", more = [] as ReadonlyArray<string>, time = `${1_000 + ++times}.5`, user = "U01" } = {}
    ) => {
      deliver({ _tag: "Reply", key: `reply ${channel} ${time}`, channel, thread, time, user, text, more })
      return time
    },
    /** Someone makes another text of a message, or takes it away. */
    edit: (thread: string, time: string, text: string, user = "U01") =>
      deliver({ _tag: "Edited", key: `edit ${++times}`, channel: "C01", thread, time, user, text }),
    delete: (thread: string, time: string, user = "U01") =>
      deliver({ _tag: "Deleted", key: `delete ${++times}`, channel: "C01", thread, time, user }),
    /**
     * Someone presses the button with this label in the message that has this text; `again`: Slack sends it twice;
     * `held`: not yet. Gives what presses the same button once more.
     */
    press: (text: string, label: string, { user = "U01", again = false, held = false } = {}) => {
      const found = find(text)
      const buttons = found.message.blocks.flatMap((block) => (block.type === "actions" ? block.elements : []))
      const value = buttons.find((one) => one.text.text.includes(label))?.value
      if (value === undefined) throw new Error(`no button ${label} in ${texts(found)}`)
      const [number, dialog = ""] = value.split(" ")
      const incoming: SlackIncoming = {
        _tag: "Pressed",
        key: `press ${++times}`,
        channel: "C01",
        thread: found.thread,
        time: found.time,
        user,
        dialog,
        number: Number(number)
      }
      const send = () => deliver(incoming)
      if (!held) send()
      if (again) send()
      return () => deliver({ ...incoming, key: `press ${++times}` })
    }
  }
}

export const down = new SlackError({ kind: "down", why: "it cannot be reached", code: null, afterMs: null })
export const limited = (seconds: number) =>
  new SlackError({ kind: "limited", why: "it was asked too often", code: "ratelimited", afterMs: seconds * 1_000 })

/** Webhooks in memory: what was posted to each, and when. */
export const makeWebhooks = () => {
  const posts: Array<{ readonly name: string; readonly at: number; readonly id: string; readonly body: OutBody }> = []
  let answer: (name: string, id: string) => PostAnswer | null = () => ({ status: 200, afterMs: null })
  return {
    layer: Layer.succeed(Webhooks, {
      post: (hook, id, body) =>
        Effect.clockWith((clock) =>
          Effect.suspend(() => {
            posts.push({
              name: hook.name,
              at: clock.currentTimeMillisUnsafe() - begin,
              id,
              body: JSON.parse(body) as OutBody
            })
            const given = answer(hook.name, id)
            return given === null
              ? Effect.fail(new PostError({ why: "it cannot be reached", again: true }))
              : Effect.succeed(given)
          })
        )
    }),
    posts,
    /** What arrived at a webhook: the events that it said yes to. */
    answers: (how: typeof answer) => void (answer = how),
    types: (name: string) => posts.filter((one) => one.name === name).map(({ body }) => body.type)
  }
}

/** All that `leap out` stands on, in memory but for the journal, which is the real one in a directory. */
export const makeWorld = Effect.fnUntraced(function* (
  out: Partial<OutSettings>,
  detail: (typeof defaultSettings)["record"] = "off"
) {
  yield* TestClock.setTime(begin)
  const home = yield* temporary
  const hosts = makeHosts()
  const slack = makeSlack()
  const webhooks = makeWebhooks()
  const settings = yield* SubscriptionRef.make<OutSettings>({ ...defaultOut, ...out })
  const record = yield* Ref.make<ReadonlyArray<RecordedLife>>([])
  const notes: Array<string> = []
  const loaded = (own: OutSettings) => ({ settings: { ...defaultSettings, record: detail, out: own }, warnings: [] })
  let isBroken = false
  /** Steps of the journal that this process may still do; it is killed at the one behind them. */
  let left = Infinity
  const isDead = () => left < 0
  /** A step of a process that is killed before it, behind it, or some time ago: nothing of it is there any more. */
  const step = <A, E>(effect: Effect.Effect<A, E>, none: A): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (isDead()) return Effect.succeed(none)
      if (--left < 0) return Effect.never
      return Effect.tap(effect, () => (--left < 0 ? Effect.never : Effect.void))
    })
  /** The journal, but for a disk that takes nothing while the test says so. */
  const journal = Layer.effect(
    OutJournal,
    Effect.map(OutJournal, (own) => ({
      ...own,
      open: Effect.map(own.open, (opened) => ({
        ...opened,
        append: (batch: OutBatch, keptMs: number) =>
          isBroken
            ? Effect.fail(new StoreError({ store: "out", reason: "failed", file: own.file, why: "the disk is full" }))
            : step(opened.append(batch, keptMs), 0),
        next: (receiver: string) => step(opened.next(receiver), null),
        passed: (receiver: string, sequence: number, dropped: number) =>
          step(opened.passed(receiver, sequence, dropped), undefined)
      }))
    }))
  ).pipe(Layer.provide(journalIn(home)))
  const layer = Layer.mergeAll(
    hosts.layer,
    slack.layer,
    webhooks.layer,
    journal,
    Layer.mock(Output, {
      isTerminal: false,
      inputIsTerminal: false,
      errorIsTerminal: false,
      colour: false,
      note: (text) => Effect.sync(() => void notes.push(text))
    }),
    Layer.mock(Providers, { all: [] }),
    Layer.mock(RecordStore, {
      file: "/state/record.db",
      after: (from, known) =>
        Effect.map(Ref.get(record), (lives) =>
          lives.flatMap((life) => {
            const { interval = 0, note = 0, seen = null, turn = 0 } = known.get(lifeKey(life)) ?? {}
            if (Math.max(life.seen, life.until ?? 0) < from || seen === life.seen) return []
            return {
              ...life,
              intervals: life.intervals.filter(({ n }) => n >= interval),
              turns: life.turns.filter(({ n }) => n >= turn),
              problems: life.problems.filter(({ n }) => n >= note)
            }
          })
        )
    }),
    Layer.mock(UserSettings, {
      file: "/config/settings.json",
      read: Effect.map(SubscriptionRef.get(settings), loaded),
      changes: Effect.succeed(Stream.map(SubscriptionRef.changes(settings), loaded))
    })
  )
  return {
    hosts,
    slack,
    webhooks,
    settings,
    record,
    notes,
    /** The disk takes nothing any more, or takes it again. */
    breakDisk: (is: boolean) => void (isBroken = is),
    /** The process that runs next is killed after so many steps of its journal. */
    killAfter: (steps: number) => void (left = steps),
    isDead,
    /** Runs `leap out` while the test does; it ends, as by a signal, with it. */
    running: <A, E, R>(test: Effect.Effect<A, E, R>) =>
      Effect.scoped(
        Effect.gen(function* () {
          yield* runOut(yield* SubscriptionRef.get(settings)).pipe(Effect.orDie, Effect.forkScoped)
          yield* due
          return yield* test
        })
      ).pipe(Effect.provide(SessionFeed.layer), Effect.provide(layer))
  }
})

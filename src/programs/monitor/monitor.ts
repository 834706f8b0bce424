import { type Cause, Clock, Effect, FiberSet, Queue, Stream, Semaphore, Duration, FiberHandle, Option } from "effect"
import * as Monitor from "../../domain/surfaces/monitor/Monitor.ts"
import type { MonitorEvent } from "../../domain/surfaces/monitor/Monitor.ts"
import { view } from "../../domain/surfaces/monitor/MonitorView.ts"
import type { Changes } from "../../domain/store/worktrees/Changes.ts"
import type { FeedEvent } from "../../domain/words/session/Feed.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { runScreen } from "../prompts/runScreen.ts"
import { makeReportSeen } from "../client/reportSeen.ts"
import { SessionFeed } from "../client/SessionFeed.ts"
import { GitChanges } from "../../services/GitChanges.ts"
import { GitView } from "../../services/GitView.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { connectTo } from "../client/client.ts"

/** A screen is asked for only where its session stays selected this long. */
const settle = "80 millis"
/** A screen that keeps changing is asked for no more often than this. */
const pace = Duration.millis(250)
/** A session whose host was not there, or went, is asked again when this has passed. */
const again = "2 seconds"

/** Tells one session's screen at a time: from its host again each time it draws, else the last one kept. */
const screenFollower = Effect.fn("screenFollower")(function* (events: Queue.Enqueue<MonitorEvent>) {
  const fiber = yield* FiberHandle.make<void, never>()
  const paths = yield* Paths
  const store = yield* StatusStore
  let followed: string | null = null

  const told = (tag: string, text: string | null) => Queue.offer(events, { _tag: "Screened", tag, text })

  /** One host's life. It says when its CLI draws, and is asked for the screen then. */
  const live = Effect.fnUntraced(function* (tag: Tag) {
    const client = yield* connectTo(tag)
    const show = Effect.flatMap(client.Screen(), ({ text }) => told(tag, text))
    yield* show
    yield* client.Record({ past: false, follow: true }).pipe(
      Stream.map(() => undefined),
      // what comes meanwhile is one change
      Stream.buffer({ capacity: 1, strategy: "sliding" }),
      Stream.runForEach(() => Effect.andThen(show, Effect.sleep(pace)))
    )
  }, Effect.scoped)

  const follow = Effect.fnUntraced(function* (tag: Tag) {
    yield* Effect.sleep(settle)
    for (;;) {
      yield* Effect.exit(live(tag))
      const kept = yield* store.readScreen(paths.session(tag).screen)
      yield* told(tag, Option.getOrNull(kept))
      yield* Effect.sleep(again)
    }
  })

  /** Follows this session's screen from now on; null for none. */
  return Effect.fnUntraced(function* (tag: string | null) {
    if (tag === followed) return
    followed = tag
    yield* tag === null ? FiberHandle.clear(fiber) : FiberHandle.run(fiber, follow(Tag.make(tag)))
  })
})

/**
 * A directory is looked at again when its sessions have done something since, and this much time has passed; more where
 * its changes could not be counted in time.
 */
const restMs = 5_000
const longRestMs = 60_000
/** Directories that are looked at together. */
const together = 2

interface Looked {
  /** From when on it may be looked at again; Infinity while it is being looked at. */
  from: number
  /** The newest word of its sessions that it was looked at for. */
  after: number
}

/** Tells of the git of directories, each as seldom as will do. */
const gitLooker = Effect.fn("gitLooker")(function* (events: Queue.Enqueue<MonitorEvent>) {
  const view = yield* GitView
  const changes = yield* GitChanges
  const tasks = yield* FiberSet.make<void, never>()
  const turns = yield* Semaphore.make(together)
  const looked = new Map<string, Looked>()
  const words = new Map<string, number>()
  let word = 0

  return {
    stirred: (directory: string): void => void words.set(directory, ++word),
    /** Looks at those of these directories that have not been, or were a while before something happened there. */
    look: Effect.fnUntraced(function* (directories: ReadonlyArray<string>) {
      const now = yield* Clock.currentTimeMillis
      for (const directory of directories) {
        const last = looked.get(directory)
        const newest = words.get(directory) ?? 0
        if (last !== undefined && (last.after === newest || now < last.from)) continue
        const look: Looked = { from: Infinity, after: newest }
        looked.set(directory, look)
        yield* FiberSet.run(
          tasks,
          Effect.gen(function* () {
            const branch = yield* view.branch(directory)
            const seen = branch === null ? null : { branch, changed: yield* changes.count(directory) }
            const rest = seen?.changed === null ? longRestMs : restMs
            look.from = (yield* Clock.currentTimeMillis) + rest
            yield* Queue.offer(events, { _tag: "GitRead", directory, git: seen })
          }).pipe(turns.withPermits(1))
        )
      }
    })
  }
})

/** Changes of sessions are shown no more often than this; keys at once. */
const feedPace = "100 millis"
/** Ages are shown anew this often, in milliseconds. */
const agePeriod = 1_000

type Visit = Extract<Monitor.MonitorCommand, { readonly _tag: "Visit" }>
type Compare = Extract<Monitor.MonitorCommand, { readonly _tag: "Compare" }>

/** What the monitor's commands are carried out with. */
export interface MonitorActions<R> {
  /** Carries out a command, and says what became of it; null for nothing to say. */
  readonly perform: (
    command: Exclude<Monitor.MonitorCommand, Visit | Compare>
  ) => Effect.Effect<{ readonly text: string; readonly bad: boolean } | null, never, R>
  /** What a session has changed, or why nobody can tell. */
  readonly compare: (tag: string) => Effect.Effect<Changes | string, never, R>
  /** Tells a session's host that its user looks at it. */
  readonly seen: (tag: string) => Effect.Effect<unknown, unknown, R>
  /** Another program has the terminal until it gives it back; says what went wrong. */
  readonly visit: (visit: Visit) => Effect.Effect<{ readonly text: string; readonly bad: boolean } | null, never, R>
  readonly look: Effect.Effect<Monitor.Found, never, R>
}

/** Shows all sessions and does what keys say, until it is left; restores the terminal on every way out. */
export const runMonitor = Effect.fn("runMonitor")(function* <R>(actions: MonitorActions<R>) {
  const terminal = yield* UserTerminal
  const { env } = yield* System
  const feed = yield* SessionFeed
  const events = yield* Queue.unbounded<Monitor.MonitorEvent, Cause.Done>()
  const follow = yield* screenFollower(events)
  const git = yield* gitLooker(events)
  const tasks = yield* FiberSet.make<void, never>()
  const tellSeen = yield* makeReportSeen(actions.seen)
  let state = Monitor.start(yield* terminal.size, yield* Clock.currentTimeMillis, env["HOME"] ?? "")

  // ---- what the sessions do: what comes within a short time is taken in together
  const fed: Array<FeedEvent> = []
  const something = yield* Queue.sliding<void>(1)
  yield* feed.events.pipe(
    Stream.runForEachArray((chunk) =>
      Effect.andThen(
        Effect.sync(() => void fed.push(...chunk)),
        Queue.offer(something, undefined)
      )
    ),
    Effect.forkScoped
  )
  yield* Stream.fromQueue(something).pipe(
    Stream.runForEach(
      Effect.fnUntraced(function* () {
        const taken = fed.splice(0)
        for (const event of taken) if (event._tag === "Changed") git.stirred(event.session.status.cwd)
        yield* Queue.offer(events, { _tag: "Fed", events: taken, at: yield* Clock.currentTimeMillis })
        yield* Effect.sleep(feedPace)
      })
    ),
    Effect.forkScoped
  )

  const say = (said: { readonly text: string; readonly bad: boolean } | null) =>
    said === null ? Effect.void : Effect.asVoid(Queue.offer(events, { _tag: "Said", ...said }))

  /** It is being looked for what there is to begin with. */
  let looks = false
  const begin = (command: Exclude<Monitor.MonitorCommand, Visit>) => {
    if (command._tag !== "Compare")
      return Effect.asVoid(FiberSet.run(tasks, Effect.flatMap(actions.perform(command), say)))
    const { tag } = command
    const comparing = Effect.flatMap(actions.compare(tag), (found) =>
      Queue.offer(events, { _tag: "Compared", tag, found })
    )
    return Effect.asVoid(FiberSet.run(tasks, Effect.asVoid(comparing)))
  }

  /** On the whole screen until it is left, or another program is to have the terminal. */
  const onScreen = Effect.suspend(() =>
    runScreen({
      state,
      update: Monitor.update,
      view,
      events,
      begin: (command) => (command._tag === "Visit" ? Effect.void : begin(command)),
      givesUp: ({ _tag }) => _tag === "Visit",
      changesIn: () => agePeriod,
      pressed: (now) => tellSeen(Monitor.wantsScreen(now)),
      drawn: Effect.fnUntraced(function* (now) {
        yield* follow(Monitor.wantsScreen(now))
        yield* git.look(Monitor.wantsGit(now))
        if (!Monitor.wantsFound(now) || looks) return
        looks = true
        yield* FiberSet.run(
          tasks,
          Effect.flatMap(actions.look, (found) => Effect.asVoid(Queue.offer(events, { _tag: "Found", found })))
        )
      }),
      pointer: true
    })
  )

  for (;;) {
    const screen = yield* onScreen
    state = screen.state
    const visit = screen.command
    if (visit?._tag !== "Visit") return
    // nobody looks at this screen meanwhile, but what happens is taken in as it comes
    yield* follow(null)
    const unseen = Effect.forever(
      Effect.flatMap(Queue.takeAll(events), (batch) =>
        Effect.sync(() => {
          for (const event of batch) if (event._tag !== "Pressed") state = Monitor.update(state, event).state
        })
      )
    ).pipe(Effect.catch(() => Effect.never))
    yield* say(yield* Effect.raceFirst(actions.visit(visit), unseen))
  }
}, Effect.scoped)

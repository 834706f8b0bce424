import type { Moment } from "../../domain/store/worktrees/moments.ts"
import { type Cause, Clock, Effect, FiberSet, Queue, Stream, Semaphore, Duration, FiberHandle, Option } from "effect"
import * as Monitor from "../../domain/surfaces/monitor/Monitor.ts"
import type { MonitorEvent } from "../../domain/surfaces/monitor/Monitor.ts"
import { view } from "../../domain/surfaces/monitor/MonitorView.ts"
import type { Changes } from "../../domain/store/worktrees/Changes.ts"
import type { FeedEvent } from "../../domain/words/session/Feed.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { runScreen } from "../prompts/runScreen.ts"
import { isHere, type RemoteTag, remoteTag } from "../../domain/words/session/RemoteHost.ts"
import type { ListCommand, Said } from "../../services/RemoteRpc.ts"
import { followHosts } from "../client/followHosts.ts"
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

/** Reports the screen of one session at a time: from its host after each drawing, or the stored last one. */
const screenFollower = Effect.fn("screenFollower")(function* (
  events: Queue.Enqueue<MonitorEvent>,
  hosts: Effect.Success<ReturnType<typeof followHosts>>
) {
  const fiber = yield* FiberHandle.make<void, never>()
  const paths = yield* Paths
  const store = yield* StatusStore
  let followed: string | null = null

  const told = (tag: string, text: string | null) => Queue.offer(events, { _tag: "Screened", tag, text })

  /** Follows one host until it ends. Its recording shows when the CLI draws; then the screen is read. */
  const live = Effect.fnUntraced(function* (tag: Tag) {
    const client = yield* connectTo(tag)
    const show = Effect.flatMap(client.Screen(), ({ text }) => told(tag, text))
    yield* show
    yield* client.Record({ past: false, follow: true }).pipe(
      Stream.map(() => undefined),
      // all changes during a pause count as one
      Stream.buffer({ capacity: 1, strategy: "sliding" }),
      Stream.runForEach(() => Effect.andThen(show, Effect.sleep(pace)))
    )
  }, Effect.scoped)

  /** Follows a screen of another machine: it is asked for again and again. */
  const followAway = Effect.fnUntraced(function* (name: string, { host, tag }: RemoteTag) {
    yield* Effect.sleep(settle)
    for (;;) {
      const screen = yield* Effect.option(hosts.ask(host, (client) => client.Screen({ tag })))
      yield* told(name, Option.getOrNull(screen))
      yield* Effect.sleep(again)
    }
  })

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
    if (tag === null) return yield* FiberHandle.clear(fiber)
    const away = remoteTag(tag)
    yield* FiberHandle.run(fiber, away === null ? follow(Tag.make(tag)) : followAway(tag, away))
  })
})

/**
 * Milliseconds before a directory is read again, if its sessions have changed since; the longer time if its changed
 * files could not be counted.
 */
const restMs = 5_000
const longRestMs = 60_000
/** The most directories that are read at once. */
const together = 2

interface Looked {
  /** The time after which it may be read again; Infinity while it is read. */
  from: number
  /** The number of its sessions' last change when it was read. */
  after: number
}

/** Reports the git state of directories, and reads each no more often than necessary. */
const gitLooker = Effect.fn("gitLooker")(function* (events: Queue.Enqueue<MonitorEvent>) {
  const view = yield* GitView
  const changes = yield* GitChanges
  const tasks = yield* FiberSet.make<void, never>()
  const turns = yield* Semaphore.make(together)
  const looked = new Map<string, Looked>()
  const lastChanges = new Map<string, number>()
  let changeCount = 0

  return {
    stirred: (directory: string): void => void lastChanges.set(directory, ++changeCount),
    /** Reads those of these directories that were never read, or have changed since and have waited long enough. */
    look: Effect.fnUntraced(function* (directories: ReadonlyArray<string>) {
      const now = yield* Clock.currentTimeMillis
      for (const directory of directories) {
        const last = looked.get(directory)
        const newest = lastChanges.get(directory) ?? 0
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
type Copy = Extract<Monitor.MonitorCommand, { readonly _tag: "Copy" }>

/** How the monitor's commands are carried out. */
export interface MonitorActions<R> {
  /** Carries out a command for sessions of this machine, and returns its outcome for the user. */
  readonly perform: (command: ListCommand) => Effect.Effect<Said, never, R>
  readonly copy: (command: Copy) => Effect.Effect<Said, never, R>
  /** What a session of this machine has changed, or why that is unknown. */
  readonly compare: (tag: string, against: Moment | null) => Effect.Effect<Changes | string, never, R>
  /** Tells a session's host that its user looks at it. */
  readonly seen: (tag: string) => Effect.Effect<unknown, unknown, R>
  /** Runs another program in the terminal until it ends; returns its outcome for the user, null for none. */
  readonly visit: (visit: Visit) => Effect.Effect<Said | null, never, R>
  readonly look: Effect.Effect<Monitor.Found, never, R>
}

/** Shows all sessions and does what keys say, until it is left; restores the terminal on every way out. */
export const runMonitor = Effect.fn("runMonitor")(function* <R>(actions: MonitorActions<R>) {
  const terminal = yield* UserTerminal
  const { env } = yield* System
  const feed = yield* SessionFeed
  const events = yield* Queue.unbounded<Monitor.MonitorEvent, Cause.Done>()
  const git = yield* gitLooker(events)
  const tasks = yield* FiberSet.make<void, never>()
  let state = Monitor.start(yield* terminal.size, yield* Clock.currentTimeMillis, env["HOME"] ?? "")

  // ---- changes of the sessions; those within a short time are applied together
  const fed: Array<FeedEvent> = []
  const something = yield* Queue.sliding<void>(1)
  const feeding = (chunk: ReadonlyArray<FeedEvent>) =>
    Effect.andThen(
      Effect.sync(() => void fed.push(...chunk)),
      Queue.offer(something, undefined)
    )
  const hosts = yield* followHosts({
    fed: feeding,
    reached: (host, why) => Effect.asVoid(Queue.offer(events, { _tag: "HostTold", host, why }))
  })
  yield* feed.events.pipe(
    Stream.map((event) =>
      event._tag === "Snapshot" ? { ...event, sessions: [...event.sessions, ...hosts.sessions()] } : event
    ),
    Stream.runForEachArray(feeding),
    Effect.forkScoped
  )
  yield* Stream.fromQueue(something).pipe(
    Stream.runForEach(
      Effect.fnUntraced(function* () {
        const taken = fed.splice(0)
        for (const event of taken)
          if (event._tag === "Changed" && isHere(event.session.status.tag)) git.stirred(event.session.status.cwd)
        yield* Queue.offer(events, { _tag: "Fed", events: taken, at: yield* Clock.currentTimeMillis })
        yield* Effect.sleep(feedPace)
      })
    ),
    Effect.forkScoped
  )

  const follow = yield* screenFollower(events, hosts)
  const tellSeen = yield* makeReportSeen((name) => {
    const away = remoteTag(name)
    return away === null ? actions.seen(name) : hosts.ask(away.host, (client) => client.Seen({ tag: away.tag }))
  })
  const say = (said: Said | null) =>
    said === null ? Effect.void : Effect.asVoid(Queue.offer(events, { _tag: "Said", ...said }))

  /** Each machine does its part of a command. */
  const performing = Effect.fnUntraced(function* (command: ListCommand) {
    const parts = Map.groupBy(command.tags, (name) => remoteTag(name)?.host ?? null)
    const said = yield* Effect.forEach(
      parts,
      ([host, names]): Effect.Effect<Said, never, R> => {
        if (host === null) return actions.perform({ ...command, tags: names })
        const tags = names.map((name) => remoteTag(name)?.tag ?? name)
        return hosts
          .ask(host, (client) => client.Perform({ command: { ...command, tags } }))
          .pipe(
            Effect.map(({ bad, text }) => ({ text: `${host}: ${text}`, bad })),
            Effect.catch(({ message }) => Effect.succeed({ text: message, bad: true }))
          )
      },
      { concurrency: "unbounded" }
    )
    return { text: said.map(({ text }) => text).join("; "), bad: said.some(({ bad }) => bad) } satisfies Said
  })

  /** The search for what a new user can begin with was started; once is enough. */
  let hasLooked = false
  const begin = (command: Exclude<Monitor.MonitorCommand, Visit>) => {
    const done = Effect.gen(function* () {
      if (command._tag === "Copy") return yield* say(yield* actions.copy(command))
      if (command._tag !== "Compare") return yield* say(yield* performing(command))
      const { against, tag } = command
      const away = remoteTag(tag)
      const found = yield* away === null
        ? actions.compare(tag, against)
        : hosts
            .ask(away.host, (client) => client.Compare({ tag: away.tag, against }))
            .pipe(Effect.catch(({ message }) => Effect.succeed(message)))
      yield* Queue.offer(events, { _tag: "Compared", tag, against, found })
    })
    return Effect.asVoid(FiberSet.run(tasks, done))
  }

  /** Runs full-screen until the user leaves it, or another program gets the terminal. */
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
        if (!Monitor.wantsFound(now) || hasLooked) return
        hasLooked = true
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
    // nobody sees this screen meanwhile, but events are applied as they arrive
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

import { Cause, Deferred, type Duration, Effect, Layer, Option, Queue, Schema, Stream } from "effect"
import { RpcClientError } from "effect/rpc"
import type { Question, SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { ControlSocket, type HostClient, NoHostError } from "../../../src/services/ControlSocket.ts"
import { DirectoryWatch } from "../../../src/services/DirectoryWatch.ts"
import { protocolVersion, RefusedError } from "../../../src/services/HostProtocol.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { SessionLock } from "../../../src/services/SessionLock.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { sessionStatus } from "../data/sessionStatus.ts"
import { pathsOf } from "../host/parts.ts"

const tagOf = Schema.decodeUnknownSync(Tag)

/** One host's connections and what it does with them. */
interface FakeHost {
  status: SessionStatus
  protocol: number
  ended: boolean
  /** Stopped as by SIGSTOP: it takes connections and says nothing; completes when it goes on. */
  hang: Deferred.Deferred<void> | null
  /** The system says that it is stopped. */
  frozen: boolean
  /** Connections that are open now, and statuses for those that watch. */
  readonly watchers: Set<Queue.Queue<SessionStatus, RpcClientError.RpcClientError | Cause.Done>>
  connections: number
  asked: number
  /** A cleaner has taken its socket; who is connected stays so. */
  lost: boolean
  screen: string
  readonly recorders: Set<Queue.Queue<void>>
  /** Why it refuses what it is asked; null for nothing. */
  refusal: string | null
}

const broken = () =>
  new RpcClientError.RpcClientError({
    reason: new RpcClientError.RpcClientDefect({ message: "ping timeout", cause: new Error("ping timeout") })
  })

/**
 * Hosts of many sessions and their directories, in memory: they start, tell, hang, die and are forgotten as the test
 * says.
 */
export const makeHosts = () => {
  const hosts = new Map<string, FakeHost>()
  const stored = new Map<string, SessionStatus>()
  const directories = new Set<string>()
  const watches = new Map<string, Set<Queue.Queue<void>>>()
  /** What waits in the queues. */
  const sent: Array<{ readonly tag: string; readonly id: string; readonly text: string }> = []
  const answers: Array<{ readonly tag: string; readonly answer: string; readonly title: string | null }> = []
  const root = "/state"

  const notice = (path: string): void => {
    for (const queue of watches.get(path) ?? []) Queue.offerUnsafe(queue, undefined)
  }
  const hostAt = (socket: string): FakeHost | undefined =>
    [...hosts].find(([tag]) => pathsOf(tag).socket === socket)?.[1]

  const clientOf = (host: FakeHost): HostClient => {
    const voice = Effect.suspend(() => (host.hang === null ? Effect.void : Deferred.await(host.hang)))
    const unless = <A>(run: () => A) =>
      Effect.andThen(
        voice,
        Effect.suspend(() =>
          host.refusal === null ? Effect.sync(run) : Effect.fail(RefusedError.because("refused", host.refusal))
        )
      )
    /** Puts these in place of the message that waits under this id. */
    const replace = (id: string, by: (one: (typeof sent)[number]) => typeof sent) =>
      Effect.flatMap(
        unless(() => sent.findIndex((one) => one.id === id)),
        (at) =>
          at === -1
            ? Effect.fail(RefusedError.because("not-found", "it is not in the queue"))
            : Effect.sync(() => void sent.splice(at, 1, ...by(sent[at]!)))
      )
    const partial: Pick<
      HostClient,
      "Answer" | "Hello" | "Watch" | "Screen" | "Send" | "Record" | "QueueEdit" | "QueueRemove"
    > = {
      // as a real one: no id is taken twice, and an answer is to the dialog that is there
      Send: (({ id = "", text }: { readonly id?: string; readonly text: string }) =>
        unless(() => {
          if (!sent.some((one) => one.id === id)) sent.push({ tag: host.status.tag, id, text })
          return { id }
        })) as unknown as HostClient["Send"],
      QueueEdit: (({ id, text }: { readonly id: string; readonly text: string }) =>
        replace(id, (one) => [{ ...one, text }])) as unknown as HostClient["QueueEdit"],
      QueueRemove: (({ id }: { readonly id: string }) => replace(id, () => [])) as unknown as HostClient["QueueRemove"],
      Answer: (({ answer, question }: { readonly answer: string; readonly question?: Question }) =>
        Effect.andThen(
          JSON.stringify(question) === JSON.stringify(host.status.question)
            ? Effect.void
            : Effect.fail(RefusedError.because("refused", "the dialog has changed")),
          unless(() => {
            answers.push({ tag: host.status.tag, answer, title: question?.title ?? null })
            return { dialog: question?.title ?? "", answer }
          })
        )) as unknown as HostClient["Answer"],
      Hello: (() =>
        Effect.andThen(
          Effect.sync(() => void host.asked++),
          Effect.andThen(
            voice,
            Effect.sync(() => ({
              protocol: host.protocol,
              version: "9.9.9",
              tag: host.status.tag,
              hostPid: 1,
              ended: host.ended
            }))
          )
        )) as unknown as HostClient["Hello"],
      Watch: (() =>
        Stream.unwrap(
          Effect.gen(function* () {
            const queue = yield* Effect.acquireRelease(
              Queue.unbounded<SessionStatus, RpcClientError.RpcClientError | Cause.Done>(),
              (queue) => Effect.sync(() => void host.watchers.delete(queue))
            )
            host.watchers.add(queue)
            yield* Queue.offer(queue, host.status)
            return Stream.fromQueue(queue)
          })
        )) as unknown as HostClient["Watch"],
      Screen: (() => Effect.sync(() => ({ text: host.screen, cols: 80, rows: 24 }))) as unknown as HostClient["Screen"],
      Record: (() =>
        Stream.unwrap(
          Effect.gen(function* () {
            const queue = yield* Effect.acquireRelease(Queue.unbounded<void>(), (queue) =>
              Effect.sync(() => void host.recorders.delete(queue))
            )
            host.recorders.add(queue)
            return Stream.map(Stream.fromQueue(queue), () => ({ _tag: "Lines" as const, lines: [] }))
          })
        )) as unknown as HostClient["Record"]
    }
    return partial as HostClient
  }

  const layer = Layer.mergeAll(
    Layer.mock(Paths, {
      state: root,
      config: "/config",
      sessions: root,
      hookScript: "/hook",
      session: pathsOf,
      tags: Effect.sync(() => [...directories].sort().map((tag) => tagOf(tag)))
    }),
    Layer.succeed(ControlSocket, {
      serve: () => Effect.die("no server"),
      attach: (path) => Effect.fail(new NoHostError({ path, why: "no attach channel" })),
      connect: (path) =>
        Effect.gen(function* () {
          const host = hostAt(path)
          if (host === undefined || host.lost) return yield* new NoHostError({ path, why: "there is none" })
          yield* Effect.acquireRelease(
            Effect.sync(() => void host.connections++),
            () => Effect.sync(() => void host.connections--)
          )
          return clientOf(host)
        })
    }),
    Layer.succeed(DirectoryWatch, {
      watch: (path) =>
        Effect.gen(function* () {
          const queue = yield* Queue.sliding<void>(1)
          // as the real one: a look at a directory that is there is due at once
          yield* Queue.offer(queue, undefined)
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              const all = watches.get(path) ?? new Set()
              watches.set(path, all.add(queue))
            }),
            () => Effect.sync(() => void watches.get(path)?.delete(queue))
          )
          const changed = (atMost: Duration.Input) => Effect.asVoid(Effect.timeoutOption(Queue.take(queue), atMost))
          return { changed, changedUnlessLost: changed }
        }),
      gone: () => Effect.never,
      stir: () => {}
    }),
    Layer.mock(SessionLock, {
      holder: (path) =>
        Effect.sync(() => {
          const host = [...hosts].find(([tag]) => pathsOf(tag).lock === path)?.[1]
          return host === undefined ? null : { pid: host.status.hostPid }
        })
    }),
    Layer.mock(ProcessTable, {
      isStopped: (pid) =>
        Effect.sync(() => [...hosts.values()].some((host) => host.frozen && host.status.hostPid === pid))
    }),
    Layer.mock(StatusStore, {
      readScreen: () => Effect.succeedNone,
      read: (path) =>
        Effect.sync(() => Option.fromNullishOr([...stored].find(([tag]) => pathsOf(tag).status === path)?.[1]))
    }),
    Layer.mock(QueueStore, {
      recover: () => Effect.succeed({ records: [], problem: null }),
      damage: () => Effect.succeed(null)
    })
  )

  const statusOf = (tag: string, status: Partial<SessionStatus>) => sessionStatus({ ...status, tag })
  return {
    layer,
    /** A session's directory, with this as what its host wrote last. */
    keep: (tag: string, status: Partial<SessionStatus> = {}) => {
      stored.set(tag, statusOf(tag, status))
      directories.add(tag)
      notice(root)
      notice(pathsOf(tag).dir)
    },
    start: (tag: string, status: Partial<SessionStatus> = {}, protocol = protocolVersion) => {
      hosts.set(tag, {
        status: statusOf(tag, status),
        protocol,
        ended: false,
        hang: null,
        frozen: false,
        watchers: new Set(),
        connections: 0,
        asked: 0,
        lost: false,
        screen: "",
        recorders: new Set(),
        refusal: null
      })
      directories.add(tag)
      notice(root)
      notice(pathsOf(tag).dir)
    },
    tell: (tag: string, status: Partial<SessionStatus>) => {
      const host = hosts.get(tag)!
      host.status = { ...host.status, ...status }
      if (host.hang === null) for (const queue of host.watchers) Queue.offerUnsafe(queue, host.status)
    },
    /** Its CLI draws this screen. */
    draw: (tag: string, screen: string) => {
      const host = hosts.get(tag)!
      host.screen = screen
      for (const queue of host.recorders) Queue.offerUnsafe(queue, undefined)
    },
    /** Ends a session's host: its connections end. `last`: what it writes at its end; none for one that is killed. */
    end: (tag: string, last: Partial<SessionStatus> | null) => {
      const host = hosts.get(tag)!
      hosts.delete(tag)
      stored.set(tag, last === null ? { ...host.status, exit: null } : { ...host.status, ...last })
      for (const queue of host.watchers) {
        if (last === null) Queue.failCauseUnsafe(queue, Cause.fail(broken()))
        else Queue.endUnsafe(queue)
      }
      notice(pathsOf(tag).dir)
    },
    /** Stops a host as SIGSTOP does, as the system tells it; no connection has noticed. */
    freeze: (tag: string) => {
      const host = hosts.get(tag)!
      host.hang = Deferred.makeUnsafe()
      host.frozen = true
    },
    /** Stops a host as SIGSTOP does; those connected notice that it does not answer any more. */
    stop: (tag: string) => {
      const host = hosts.get(tag)!
      host.hang = Deferred.makeUnsafe()
      for (const queue of host.watchers) Queue.failCauseUnsafe(queue, Cause.fail(broken()))
    },
    goOn: (tag: string) => {
      const host = hosts.get(tag)!
      if (host.hang !== null) Deferred.doneUnsafe(host.hang, Effect.void)
      host.hang = null
      host.frozen = false
    },
    /** Its socket is taken away, or bound again. */
    lose: (tag: string, lost: boolean) => void (hosts.get(tag)!.lost = lost),
    forget: (tag: string) => {
      directories.delete(tag)
      stored.delete(tag)
      notice(root)
    },
    /** Messages that hosts have queued, and answers that they have given to dialogs. */
    sent: sent as ReadonlyArray<(typeof sent)[number]>,
    answers: answers as ReadonlyArray<(typeof answers)[number]>,
    /** From now on a host refuses what it is asked, or does it again. */
    refuse: (tag: string, why: string | null) => void (hosts.get(tag)!.refusal = why),
    connections: (tag: string) => hosts.get(tag)?.connections ?? 0,
    asked: (tag: string) => hosts.get(tag)?.asked ?? 0
  }
}

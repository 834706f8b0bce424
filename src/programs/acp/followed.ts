import { Clock, Deferred, Effect, Option, Scope, Stream, SubscriptionRef } from "effect"
import * as Conversation from "../../domain/surfaces/acp/Conversation.ts"
import { textPart } from "../../domain/surfaces/acp/Updates.ts"
import { jsonOf, parseJson } from "../../domain/words/formats/Json.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Signal } from "../../domain/words/session/Signal.ts"
import { turnOver } from "../../domain/words/session/states.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { printable } from "../../domain/words/text/printable.ts"
import { noUsage, type UsageFact } from "../../domain/cli/usage/UsageReader.ts"
import type { Editor } from "../../services/AcpServer.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { FileTail, type TailChunk } from "../../services/FileTail.ts"
import { providerOf, Providers } from "../../services/Providers.ts"
import { connectTo } from "../client/client.ts"
import { locate } from "../starting/locateCli.ts"
import { transcriptPathOf } from "../host/CliCommand.ts"
import { makeDialogs } from "./dialogs.ts"

interface TranscriptPiece {
  readonly heard: ReadonlyArray<Conversation.Heard>
  readonly atEnd: boolean
}

type Spoken = Extract<UsageFact, { readonly _tag: "Prompt" | "Response" }>

const isSpoken = (fact: UsageFact): fact is Spoken =>
  (fact._tag === "Prompt" || fact._tag === "Response") && fact.session === undefined

const heardIn = (fact: Spoken): Conversation.Heard =>
  fact._tag === "Prompt"
    ? { _tag: "Prompted", text: fact.text, by: "transcript" }
    : { _tag: "Said", text: fact.text, by: "transcript" }

/** The conversation in a session's transcript: all of it, or the part newer than `since`. Nothing is repeated. */
export const transcript = (
  files: FileTail["Service"],
  { usage }: Provider,
  path: string,
  since: number | null
): Stream.Stream<TranscriptPiece> =>
  files.read(path).pipe(
    Stream.mapAccum(
      (): { readonly youngest: number; readonly reached: boolean } => ({ youngest: since ?? 0, reached: false }),
      ({ reached, youngest }, { atEnd, lines, restarted }: TailChunk) => {
        const isAgain = restarted && reached
        // without times only the part after the former end is certainly new
        const isOld = (at: number | null) => (at === null ? isAgain || (!reached && since !== null) : at <= youngest)
        const facts = lines.flatMap((line) => Option.toArray(parseJson(line)).flatMap((it) => usage.record(it)))
        const spoken = facts.filter(isSpoken)
        const heard = spoken.flatMap((fact) =>
          (isAgain || (!reached && since !== null)) && isOld(fact.at) ? [] : [heardIn(fact)]
        )
        const next = Math.max(youngest, ...spoken.map(({ at }) => at ?? 0))
        return [{ youngest: next, reached: reached || atEnd }, [{ heard, atEnd }]] as const
      }
    )
  )

/** The time limit for reading the earlier conversation. */
const replayTimeout = "20 seconds"
/** A transcript gets an answer within this time after its turn; later ones are not awaited. */
const writingTimeout = "1 second"

/** A hook in a host's recording of the session: its event and its payload. */
const hookIn = /^hook:(\S+) (.*)$/s

const heardOf = (signal: Signal, request: ToolRequest | null): ReadonlyArray<Conversation.Heard> => {
  switch (signal._tag) {
    case "TurnStarted":
      return signal.prompt === null || signal.own ? [] : [{ _tag: "Prompted", text: signal.prompt, by: "hook" }]
    case "Responded":
      return signal.session === undefined ? [{ _tag: "Said", text: signal.text, by: "hook" }] : []
    case "ToolStarted":
      return [{ _tag: "ToolStarted", tool: signal.tool, id: signal.id, agent: signal.agent, request }]
    case "ToolEnded":
      return [{ _tag: "ToolEnded", tool: signal.tool, id: signal.id }]
    default:
      return []
  }
}

/** Follows a living session for an editor. `replays`: sends the earlier conversation first. */
export const followed = Effect.fn("acp.followed")(function* (tag: Tag, editor: Editor, replays: boolean) {
  const client = yield* connectTo(tag, { patient: true })
  const files = yield* FileTail
  const scope = yield* Effect.scope
  const first = yield* client.Status()
  const provider = Option.getOrNull(yield* providerOf(yield* Providers, { cli: first.cli, base: first.baseCli }))
  const env = provider === null ? {} : (yield* locate(provider)).env
  const since = yield* Clock.currentTimeMillis
  const ended = yield* Deferred.make<void>()
  const status = yield* SubscriptionRef.make(first)
  const conversation = yield* SubscriptionRef.make(Conversation.start)

  const hear = Effect.fnUntraced(function* (heard: Conversation.Heard) {
    const [next, updates] = Conversation.hear(yield* SubscriptionRef.get(conversation), heard)
    yield* SubscriptionRef.set(conversation, next)
    for (const update of updates) yield* editor.update(tag, update)
  })
  const notice = (text: string) =>
    editor.update(
      tag,
      editor.takesNotices()
        ? { sessionUpdate: "notice", severity: "info", title: printable(text) }
        : { sessionUpdate: "agent_message_chunk", content: textPart(`[leap] ${printable(text)}\n\n`) }
    )

  const pathOf = (now: SessionStatus) => (provider === null ? null : transcriptPathOf(provider, env, now))
  const read = Effect.fnUntraced(function* (its: Provider, path: string, from: number | null) {
    const reached = yield* Deferred.make<void>()
    // before anything is heard: from now on the transcript, and not the hooks, tells what was said
    if (its.usage.record !== noUsage.record) yield* hear({ _tag: "Reads" })
    yield* transcript(files, its, path, from).pipe(
      Stream.runForEach(
        Effect.fnUntraced(function* ({ atEnd, heard }) {
          for (const one of heard) yield* hear(one)
          if (atEnd) yield* Deferred.succeed(reached, undefined)
        })
      ),
      Effect.forkScoped
    )
    return Deferred.await(reached)
  })

  const firstPath = pathOf(first)
  if (replays && (provider === null || firstPath === null))
    yield* notice(`what was said before is not told: leap does not know a transcript of ${first.displayName}`)
  if (provider !== null && firstPath !== null) {
    const reached = yield* read(provider, firstPath, replays ? null : since)
    if (replays && Option.isNone(yield* Effect.timeoutOption(reached, replayTimeout)))
      yield* notice(`what was said before is not told: ${firstPath} could not be read`)
  }

  const follow = Effect.gen(function* () {
    const dialogs = yield* makeDialogs({ tag, client, provider, editor, notice })
    let mode = first.modes.autoSend
    let context: SessionStatus["context"] = null
    let wasOver = turnOver.has(first.state)
    yield* client.Watch().pipe(
      Stream.runForEach(
        Effect.fnUntraced(function* (now) {
          yield* SubscriptionRef.set(status, now)
          yield* dialogs(now)
          if (now.modes.autoSend !== mode) {
            mode = now.modes.autoSend
            yield* editor.update(tag, { sessionUpdate: "current_mode_update", currentModeId: mode })
          }
          if (now.context !== null && now.context.window !== null && now.context.usedTokens !== context?.usedTokens) {
            context = now.context
            const { usedTokens, window } = now.context
            yield* editor.update(tag, { sessionUpdate: "usage_update", used: usedTokens, size: window })
          }
          const isOver = turnOver.has(now.state)
          if (isOver && !wasOver) yield* hear({ _tag: "TurnOver", interrupted: now.state === "interrupted" })
          wasOver = isOver
        })
      ),
      Effect.exit,
      Effect.andThen(notice(`session '${tag}' has ended; 'leap ${tag}' starts it again`)),
      Effect.andThen(Deferred.succeed(ended, undefined)),
      Effect.forkScoped
    )

    if (provider === null) return
    // a conversation may continue in another file
    yield* SubscriptionRef.changes(status).pipe(
      Stream.map(pathOf),
      Stream.changes,
      Stream.filter((path) => path !== null && path !== firstPath),
      Stream.switchMap((path) =>
        path === null
          ? Stream.empty
          : Stream.fromEffectDrain(Effect.scoped(Effect.andThen(read(provider, path, since), Effect.never)))
      ),
      Stream.runDrain,
      Effect.forkScoped
    )
    yield* client.Record({ past: false, follow: true }).pipe(
      Stream.flatMap((frame) => Stream.fromIterable(frame._tag === "Lines" ? frame.lines : [])),
      Stream.runForEach(({ code, data }) => {
        const [, event = "", payload = ""] = (code === "m" ? hookIn.exec(data) : null) ?? []
        if (event === "") return Effect.void
        const content = jsonOf(payload)
        const request = provider.permissions.request(event, content)?.request ?? null
        const heard = provider.detection.readHook(event, content).flatMap((signal) => heardOf(signal, request))
        return Effect.forEach(heard, hear, { discard: true })
      }),
      Effect.exit,
      Effect.forkScoped
    )
  })

  return {
    tag,
    client,
    first,
    notice,
    follow: Scope.provide(follow, scope),
    ended: Deferred.await(ended),
    hear,
    /** Reports the answer to a prompt, unless the transcript does so within a moment. */
    hearAnswer: Effect.fnUntraced(function* (prompt: string, text: string) {
      const isWritten = (now: Conversation.Conversation) => now.reads && Conversation.sendsNothing(now, text, prompt)
      if ((yield* SubscriptionRef.get(conversation)).reads)
        yield* SubscriptionRef.changes(conversation).pipe(
          Stream.filter(isWritten),
          Stream.runHead,
          Effect.timeoutOption(writingTimeout)
        )
      yield* hear({ _tag: "Answered", text, prompt })
    })
  }
})

export type Followed = Effect.Success<ReturnType<typeof followed>>

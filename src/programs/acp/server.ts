import { runs } from "../../domain/words/session/states.ts"
import { Effect, Exit, Option, Result, Schema, Scope } from "effect"
import { newTag } from "../../domain/words/session/newTag.ts"
import { promptText } from "../../domain/surfaces/acp/promptText.ts"
import type { AutoSendMode, SessionStatus } from "../../domain/words/session/Session.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import { type AcpAgent, AcpError, AcpServer, type Editor, type ModeState } from "../../services/AcpServer.ts"
import { Paths } from "../../services/Paths.ts"
import { System } from "../../services/System.ts"
import { allStatuses, requireStatus, statusOf } from "../client/statuses.ts"
import { isFailed } from "../../domain/engine/queue/QueueFold.ts"
import { isHeldBack, settledReceipt, turnResult } from "../client/awaitTurn.ts"
import { connectToSend, sendMessage } from "../client/sendMessage.ts"
import { startSession } from "../starting/start.ts"
import { describe } from "../exit.ts"
import { serveGuarded } from "../mcp/stdioGuard.ts"
import { type Followed, followed } from "./followed.ts"

export interface AcpOptions {
  /** The only session to serve; null for all, and a new one for each that the editor begins. */
  readonly tag: Tag | null
  readonly cli: Option.Option<string>
  readonly args: ReadonlyArray<string> | null
}

const modeTexts: Readonly<Record<(typeof AutoSendMode.literals)[number], { name: string; description: string }>> = {
  pause: { name: "Ask", description: "What your rules leave open, the CLI asks you" },
  always: {
    name: "Always",
    description: "leap answers permission dialogs by your rules, and allows what they leave open"
  }
}
const availableModes = Object.entries(modeTexts).map(([id, texts]) => ({ id, ...texts }))
const modesOf = ({ modes }: SessionStatus): ModeState => ({ currentModeId: modes.autoSend, availableModes })
const isMode = Schema.is(Schema.Literals(["pause", "always"]))

const invalid = (why: string) => new AcpError({ kind: "invalid", why })
const missing = (why: string) => new AcpError({ kind: "missing", why })

const acpErrorOf = (error: unknown): AcpError => {
  if (error instanceof AcpError) return error
  const isMissing = typeof error === "object" && error !== null && "_tag" in error && error._tag === "NoSessionError"
  return new AcpError({ kind: isMissing ? "missing" : "failed", why: printable(describe(error).message) })
}

type Needs =
  | Effect.Services<ReturnType<typeof followed>>
  | Effect.Services<ReturnType<typeof startSession>>
  | Effect.Services<ReturnType<typeof allStatuses>>
  | System
  | Paths

const makeAgent = Effect.fnUntraced(function* ({ args, cli, tag: only }: AcpOptions) {
  const context = yield* Effect.context<Needs>()
  const scope = yield* Effect.scope
  const withServices = <A, E>(work: Effect.Effect<A, E, Needs>): Effect.Effect<A, AcpError> =>
    work.pipe(Effect.mapError(acpErrorOf), Effect.provideContext(context))

  return (editor: Editor): AcpAgent => {
    interface Open {
      readonly its: Followed
      /** The editor's messages whose turn is not over, and whether it wants them cancelled. */
      readonly pending: Map<string, boolean>
      /** Those that are not in the session's queue yet. */
      readonly unsent: Set<string>
      readonly close: Effect.Effect<void>
    }
    const opened = new Map<string, Open>()
    /** Prompts whose session is being opened, by its name; the editor may already cancel them. */
    const opening = new Map<string, Set<{ isCancelled: boolean }>>()

    const tagOf = (sessionId: string) => {
      const tag = Schema.decodeUnknownOption(Tag)(sessionId)
      if (Option.isNone(tag)) return Effect.fail(missing(`'${oneLine(sessionId, 60)}' is no session's name`))
      return only === null || tag.value === only
        ? Effect.succeed(tag.value)
        : Effect.fail(missing(`this 'leap acp' was started for session '${only}' alone`))
    }

    const open = Effect.fnUntraced(function* (tag: Tag, replays: boolean) {
      const own = yield* Scope.fork(scope)
      const close = Effect.suspend(() => {
        if (opened.get(tag)?.close === close) opened.delete(tag)
        return Scope.close(own, Exit.void)
      })
      // another thread of the editor may have it open, and its turns continue
      const before = opened.get(tag)
      yield* before?.close ?? Effect.void
      const its = yield* followed(tag, editor, replays).pipe(
        Scope.provide(own),
        Effect.onError(() => Scope.close(own, Exit.void))
      )
      const entry: Open = { its, pending: before?.pending ?? new Map(), unsent: before?.unsent ?? new Set(), close }
      opened.set(tag, entry)
      yield* its.ended.pipe(Effect.andThen(close), Effect.forkIn(scope))
      return entry
    })

    const remarks = Effect.fnUntraced(function* ({ first, notice }: Followed, cwd: string, mcpServers: number) {
      if (first.cwd !== cwd && first.cwd !== (yield* (yield* System).realPath(cwd)))
        yield* notice(`session '${first.tag}' works in ${first.cwd}, not in ${cwd}`)
      if (mcpServers > 0)
        yield* notice(
          `${mcpServers === 1 ? "the MCP server" : `the ${mcpServers} MCP servers`} of your editor: ` +
            `${first.displayName} runs in a terminal and uses those of its own settings`
        )
    })

    const begun = (entry: Open, cwd: string, mcpServers: number) => ({
      sessionId: entry.its.tag,
      modes: modesOf(entry.its.first),
      then: Effect.andThen(remarks(entry.its, cwd, mcpServers), entry.its.follow).pipe(Effect.provideContext(context))
    })

    const launch = Effect.fnUntraced(function* (tag: Tag, cwd: string) {
      const { note, warnings } = yield* startSession({
        tag,
        cli,
        cwd: Option.some(cwd),
        args
      })
      return [note, ...warnings].filter((line) => line !== null)
    })

    const living = (entry: Open | undefined, tag: Tag) =>
      entry === undefined ? Effect.tap(open(tag, false), ({ its }) => its.follow) : Effect.succeed(entry)

    /** Like `living`, for a prompt; null if it was cancelled meanwhile. */
    const livingFor = Effect.fnUntraced(function* (tag: Tag) {
      const prompt = { isCancelled: false }
      const all = opening.get(tag) ?? new Set()
      opening.set(tag, all.add(prompt))
      const entry = yield* living(opened.get(tag), tag).pipe(Effect.ensuring(Effect.sync(() => all.delete(prompt))))
      return prompt.isCancelled ? null : entry
    })

    return {
      newSession: Effect.fnUntraced(function* ({ cwd, mcpServers }) {
        if (!cwd.startsWith("/")) return yield* invalid(`'${oneLine(cwd, 200)}' is no absolute path of a directory`)
        const taken: ReadonlySet<string> = new Set(yield* (yield* Paths).tags)
        const tag = only ?? Tag.make(newTag(cwd, taken))
        const before = yield* statusOf(tag)
        const runs = Option.isSome(before) && before.value.state !== "exited"
        const notes = runs ? [] : yield* launch(tag, cwd)
        const entry = yield* open(tag, false)
        const session = begun(entry, cwd, mcpServers)
        const told = Effect.forEach(notes, entry.its.notice, { discard: true })
        return { ...session, then: Effect.andThen(told, session.then) }
      }, withServices),

      openSession: Effect.fnUntraced(function* (sessionId, { cwd, mcpServers }, replays) {
        const tag = yield* tagOf(sessionId)
        const { state } = yield* requireStatus(tag)
        if (state === "exited")
          return yield* missing(`session '${tag}' has ended; 'leap resume --tag ${tag}' goes on with it`)
        return begun(yield* open(tag, replays), cwd, mcpServers)
      }, withServices),

      listSessions: (cwd) =>
        Effect.map(allStatuses(), (all) =>
          all
            .filter((one) => runs(one) && (only === null || one.tag === only))
            .filter((one) => cwd === null || one.cwd === cwd)
            .map((one) => ({
              sessionId: one.tag,
              cwd: one.cwd,
              title: oneLine(`${one.tag} (${one.displayName}): ${one.lastMessage ?? one.state}`, 120),
              updatedAt: one.since
            }))
        ).pipe(withServices),

      prompt: Effect.fnUntraced(
        function* (sessionId, parts) {
          const tag = yield* tagOf(sessionId)
          const text = promptText(parts)
          if (Result.isFailure(text)) return yield* invalid(text.failure)
          const prompt = text.success
          const entry = yield* livingFor(tag)
          if (entry === null) return "cancelled" as const
          const { its, pending, unsent } = entry
          const id = yield* (yield* System).newId
          // immediately, because the editor's next message may cancel it
          pending.set(id, false)
          unsent.add(id)
          return yield* Effect.gen(function* () {
            // a separate connection, because another thread of the editor may reopen the session meanwhile
            const client = yield* connectToSend(tag, { patient: true })
            const { lastResponse: before, state } = yield* client.Status()
            yield* its.hear({ _tag: "Sent", text: prompt })
            if (pending.get(id) === true) return "cancelled" as const
            unsent.delete(id)
            const sent = yield* sendMessage(tag, client, {
              id,
              text: prompt,
              images: [],
              front: false,
              // after an interrupt the queue is paused; this is the user's own next message
              force: state === "interrupted"
            })
            const last = yield* settledReceipt(sent.client, id)
            const isCancelled = () => pending.get(id) === true
            if (last?.status === "removed") return "cancelled" as const
            if (isHeldBack(last)) {
              const why = last?.why ?? "no reason known"
              return yield* acpErrorOf(
                new Error(`the message is held and was not sent (${why}): 'leap queue release ${tag}' sends it`)
              )
            }
            const { outcome, response, why } = yield* turnResult({ tag, client: sent.client, id, last, before })
            if (response !== null) yield* (opened.get(tag) ?? entry).its.hearAnswer(prompt, response)
            // the editor gets the error, and retries by itself
            if (last !== null && last.status !== "failed" && isFailed(last))
              yield* Effect.ignore(sent.client.QueueRemove({ id }))
            if (isCancelled() || outcome === "interrupted") return "cancelled" as const
            return why === null ? ("end_turn" as const) : yield* acpErrorOf(new Error(why))
          }).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                pending.delete(id)
                unsent.delete(id)
              })
            )
          )
        },
        Effect.scoped,
        withServices
      ),

      cancel: (sessionId) =>
        Effect.gen(function* () {
          for (const prompt of opening.get(sessionId) ?? []) prompt.isCancelled = true
          const entry = opened.get(sessionId)
          if (entry === undefined || entry.pending.size === 0) return
          const { client } = entry.its
          const ids = [...entry.pending.keys()]
          for (const id of ids) entry.pending.set(id, true)
          // removes messages that are not typed yet, and interrupts the turns of the others
          const sent = ids.filter((id) => !entry.unsent.has(id))
          const removed = yield* Effect.forEach(sent, (id) =>
            client.QueueRemove({ id }).pipe(
              Effect.as(true),
              Effect.catchTag("RefusedError", () => Effect.succeed(false))
            )
          )
          if (removed.includes(false)) yield* client.Interrupt()
        }).pipe(
          Effect.catch(
            (error) => opened.get(sessionId)?.its.notice(`not cancelled: ${describe(error).message}`) ?? Effect.void
          )
        ),

      setMode: Effect.fnUntraced(function* (sessionId, modeId) {
        const tag = yield* tagOf(sessionId)
        if (!isMode(modeId)) return yield* invalid(`'${oneLine(modeId, 60)}' is no mode: there are pause and always`)
        const { its } = yield* living(opened.get(tag), tag)
        yield* its.client.SetModes({ modes: { autoSend: modeId } })
      }, withServices)
    }
  }
})

/** Serves ACP over standard input and output, to which nothing else may write; sessions continue after its end. */
export const serveAcp = Effect.fn("serveAcp")(function* (options: AcpOptions) {
  const { version } = yield* System
  const server = yield* AcpServer
  const agent = yield* makeAgent(options)
  yield* serveGuarded((stdio) => Effect.scoped(server.serve(stdio, version, agent)))
})

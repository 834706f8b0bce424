import { Deferred, Effect, type Scope, Semaphore, Stream, Result } from "effect"
import * as Capture from "../../domain/surfaces/overlay/Capture.ts"
import * as Menu from "../../domain/surfaces/overlay/Menu.ts"
import { doneLine } from "../../domain/surfaces/operations/doneWords.ts"
import type { ExitStatus, SessionStatus } from "../../domain/words/session/Session.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { toBase64 } from "../../domain/words/text/Bytes.ts"
import { naturalOrder } from "../../domain/words/text/naturalOrder.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { Clipboard } from "../../services/Clipboard.ts"
import { Paths } from "../../services/Paths.ts"
import { System } from "../../services/System.ts"
import { callHost } from "../client/callHost.ts"
import { unlessStopped } from "../client/client.ts"
import { allStatuses } from "../client/statuses.ts"
import type { AttachedEvent, AttachedInputOptions } from "./attachedInput.ts"
import { keptDrafts } from "./keptDrafts.ts"
import { addSaved, leftMost, readSaved, withoutSaved } from "../../domain/surfaces/overlay/savedMessages.ts"
import { SharedFile } from "../../services/SharedFile.ts"

/** The messages that ↑ recalls, newest last: the saved ones of all sessions, then this session's unsent ones. */
export const savedMessages = Effect.fnUntraced(function* (tag: Tag) {
  const shared = yield* SharedFile
  const paths = yield* Paths
  const file = `${paths.state}/saved-messages.json`
  const left = `${paths.session(tag).dir}/left-messages.json`
  const messagesOf = (path: string) =>
    shared.read(path).pipe(
      Effect.map(readSaved),
      Effect.orElseSucceed((): ReadonlyArray<string> => [])
    )
  const read = Effect.map(Effect.all([messagesOf(file), messagesOf(left)]), ([saved, kept]) => [
    ...saved.filter((text) => !kept.includes(text)),
    ...kept
  ])
  const keep = (text: string) =>
    Effect.andThen(
      shared.change(left, (content) => Result.succeed(addSaved(content, text, leftMost))),
      read
    )
  return {
    read,
    add: (text: string) =>
      Effect.andThen(
        shared.change(file, (content) => Result.succeed(addSaved(content, text))),
        keep(text).pipe(Effect.catch(() => read))
      ),
    keep,
    sent: (text: string) =>
      Effect.flatMap(messagesOf(left), (kept) =>
        kept.includes(text)
          ? Effect.ignore(shared.change(left, (content) => Result.succeed(withoutSaved(content, text))))
          : Effect.void
      )
  }
})

export type AttachEnding =
  | { readonly _tag: "Exited"; readonly exit: ExitStatus }
  | { readonly _tag: "Detached" }
  | { readonly _tag: "Suspended" }
  | { readonly _tag: "Next"; readonly tag: Tag }
  /** The host closed the connection; `refusal`: its reason, if it gave one. */
  | { readonly _tag: "HungUp"; readonly refusal: string | null }

export interface AttachedActionsOptions {
  readonly client: HostClient
  /** The session's statuses from the newest on. */
  readonly statuses: Stream.Stream<SessionStatus>
  readonly tag: Tag
  readonly viewer: string
  /** Runs a request after all earlier input, and before later input. */
  readonly behind: (request: Effect.Effect<void>) => void
  readonly tell: (event: AttachedEvent) => Effect.Effect<unknown>
  /** Detaches after all earlier input was sent. */
  readonly end: (ending: AttachEnding) => Effect.Effect<void>
}

/** The next running session in the order of lists; null if there is no other. */
export const nextOf = (
  sessions: ReadonlyArray<Pick<SessionStatus, "state" | "tag">>,
  tag: string,
  besides: string | undefined
): string | null => {
  const tags = sessions
    .filter((session) => session.state !== "exited" && session.tag !== tag && session.tag !== besides)
    .map((session) => session.tag)
    .toSorted(naturalOrder)
  return tags.find((other) => naturalOrder(other, tag) > 0) ?? tags[0] ?? null
}

export const forceNext = Effect.fnUntraced(function* (
  client: Pick<HostClient, "QueueForce">,
  status: Pick<SessionStatus, "queue"> | null
) {
  const next = status?.queue.find((message) => message.status === "queued" || message.status === "held")
  if (next === undefined) return false
  yield* client.QueueForce({ id: next.id })
  return true
})

export const attachedActions = Effect.fnUntraced(function* (options: AttachedActionsOptions) {
  const { behind, client, end, statuses, tag, tell, viewer } = options
  const saved = yield* savedMessages(tag)
  const clipboard = yield* Clipboard
  const { dir } = (yield* Paths).session(tag)
  const drafts = yield* keptDrafts(tag)
  const { env } = yield* System
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof allStatuses>>>()
  const sessions = Effect.provideContext(allStatuses(), context)
  const asked = <A, E>(call: Effect.Effect<A, E>) => Effect.provideContext(unlessStopped(tag, call), context)

  const inOrder = (request: Effect.Effect<void>) => Effect.sync(() => behind(request))
  const tellSaved = <E, R>(saving: Effect.Effect<ReadonlyArray<string>, E, R>, left = false) =>
    Effect.flatMap(saving, (all) => tell({ _tag: "Saved", saved: all, ...(left ? { left } : {}) }))
  const menuNote = (note: string) => tell({ _tag: "Failed", back: { ...Menu.menu, note } })
  const orSay = <A, E extends { readonly message: string }>(
    call: Effect.Effect<A, E>,
    say: (why: string) => Effect.Effect<unknown>
  ): Effect.Effect<void, never, Scope.Scope> =>
    call.pipe(
      Effect.catch((error) => say(error.message)),
      Effect.forkScoped,
      Effect.asVoid
    )

  const act: AttachedInputOptions["act"] = (doing, status) => {
    switch (doing._tag) {
      case "Do": {
        const { call } = doing
        // stores a text that was not accepted
        const kept = call._tag === "QueueEdit" ? Effect.ignore(tellSaved(saved.keep(call.text))) : Effect.void
        return orSay(
          Effect.flatMap(asked(callHost(client, call)), ({ about, done }) =>
            tell({ _tag: "Told", note: doneLine(done, about) })
          ),
          (why) => Effect.andThen(kept, menuNote(why))
        )
      }
      case "Ask":
        return orSay(
          Effect.flatMap(asked(callHost(client, doing.call)), ({ text }) => tell({ _tag: "Read", text: text ?? "" })),
          (why) => tell({ _tag: "Read", text: why })
        )
      case "Send": {
        const { force, images = [], text } = doing
        return orSay(
          drafts
            .send(text, (id) => asked(client.Send({ id, text, images, front: false, force })))
            .pipe(Effect.tap(() => saved.sent(text))),
          (why) => tell({ _tag: "Failed", back: Capture.again(text, force, why, images) })
        )
      }
      case "ForceNext":
        return orSay(
          Effect.flatMap(asked(forceNext(client, status)), (found) =>
            found ? Effect.void : menuNote("no message waits")
          ),
          menuNote
        )
      case "Save":
        return orSay(tellSaved(saved.add(doing.text)), (why) =>
          tell({ _tag: "Failed", back: Capture.again(doing.text, false, `not saved: ${why}`) })
        )
      case "Keep":
        return orSay(tellSaved(saved.keep(doing.text)), (why) =>
          tell({ _tag: "Failed", back: Capture.again(doing.text, false, `not kept: ${why}`) })
        )
      case "TakeImage":
        return orSay(
          Effect.flatMap(clipboard.image(`${dir}/images`), (path) => tell({ _tag: "Pictured", path })),
          (why) => tell({ _tag: "Failed", back: { ...Capture.start, note: why } })
        )
      case "PutBack": {
        const { text } = doing
        return inOrder(
          client.PutDraft({ text }).pipe(
            Effect.catch(({ message }) =>
              Effect.andThen(
                tellSaved(saved.add(text), true),
                menuNote(`what stood in the CLI's box could not go back there (${message}): it is saved`)
              )
            ),
            Effect.andThen(drafts.coming("")),
            Effect.ignore
          )
        )
      }
      case "Detach":
        return end({ _tag: "Detached" })
      case "Suspend":
        return end({ _tag: "Suspended" })
      case "Next":
        return orSay(
          Effect.flatMap(sessions, (all) => {
            const next = nextOf(all, tag, env["LEAP_TAG"])
            return next === null ? menuNote("no other session is running") : end({ _tag: "Next", tag: Tag.make(next) })
          }),
          menuNote
        )
    }
  }

  const opened = statuses.pipe(
    Stream.runForEach((status) => tell({ _tag: "Status", status })),
    Effect.forkScoped,
    Effect.asVoid
  )
  /** Moves the text in the CLI's box into the message, once all earlier input has shown there. */
  const takeOver = Effect.gen(function* () {
    const sent = yield* Deferred.make<void>()
    yield* inOrder(Effect.asVoid(Deferred.succeed(sent, undefined)))
    yield* Deferred.await(sent)
    const { text } = yield* client.Draft()
    if (text === null) return
    yield* drafts.coming(text)
    const { outcome } = yield* client.TakeDraft({ text })
    if (outcome === "taken") {
      yield* tell({ _tag: "Taken", text })
      return
    }
    // the text may still disappear from the box
    if (outcome === "doubt") yield* tellSaved(saved.add(text), true)
    yield* drafts.coming("")
  })
  const queued = Effect.map(
    client.Queue(),
    ({ queue, recent }) => new Set([...queue, ...recent].map((message) => message.id))
  )
  const takeLeft = drafts.takeLeft(queued, saved.add).pipe(Effect.orElseSucceed(() => 0))
  const onlyOne = yield* Semaphore.make(1)
  const capturing = takeLeft.pipe(
    Effect.flatMap((left) => tellSaved(saved.read, left > 0)),
    Effect.andThen(onlyOne.withPermits(1)(Effect.ignore(takeOver))),
    Effect.forkScoped,
    Effect.asVoid
  )
  /** Saves the box's text if a history entry could not replace it and the text could not be restored. */
  const recalledOver = (text: string) =>
    tellSaved(saved.add(text), true).pipe(
      Effect.andThen(menuNote("what stood in the CLI's box could not be kept there: it is saved")),
      Effect.ignore
    )
  const recall: AttachedInputOptions["recall"] = ({ data, older }) =>
    behind(
      client.Recall({ viewer, data: toBase64(data), older }).pipe(
        Effect.flatMap(({ lost }) => (lost === null ? Effect.void : recalledOver(lost))),
        Effect.ignore
      )
    )
  return { act, recall, opened, capturing, draft: drafts.keep }
})

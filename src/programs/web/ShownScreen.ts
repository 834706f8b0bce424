import { Cause, Effect, Exit, FiberHandle, Option, Stream } from "effect"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { toBase64, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import type { ServerFrame } from "../../domain/surfaces/web/Frames.ts"
import { plainText } from "../../domain/surfaces/web/plainText.ts"
import { exitText } from "../../domain/words/session/exitText.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import type { PtySize } from "../../services/Pty.ts"
import { System } from "../../services/System.ts"
import { connectTo } from "../client/client.ts"
import { describe } from "../exit.ts"
import type { PageLostError } from "./Window.ts"

const timeout = "5 seconds"

interface Shown {
  readonly tag: Tag
  readonly client: HostClient
  readonly viewer: string
  /** The page's terminal size that the host knows. */
  told: PtySize
}

/** The session whose screen a page shows. Only `fit` changes the session's size. */
export const makeShownScreen = Effect.fnUntraced(function* <E>(
  send: (frame: ServerFrame) => Effect.Effect<void, E | PageLostError>
) {
  const system = yield* System
  const running = yield* FiberHandle.make()
  let typingIn: Shown | null = null

  const follow = Effect.fnUntraced(function* (tag: Tag, typing: boolean) {
    const client = yield* connectTo(tag)
    const viewer = yield* system.newId
    const sizeNow = Effect.map(client.Screen(), ({ cols, rows }): PtySize => ({ cols, rows }))
    const shown: Shown = { tag, client, viewer, told: yield* sizeNow }
    if (typing) {
      typingIn = shown
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (typingIn === shown) typingIn = null
        })
      )
    }
    yield* send({ _tag: "Shown", tag, typing, ...shown.told })
    const ended = yield* client.Attach({ viewer, ...shown.told, readOnly: !typing, programStatus: false }).pipe(
      Stream.mapEffect(
        Effect.fnUntraced(function* (frame) {
          if (frame._tag === "Exited") return Option.some(exitText(frame.exit))
          // only terminals ask for notices
          if (frame._tag === "Notice") return Option.none<string>()
          if (frame._tag === "Repaint") {
            // another viewer changed the session's size: the page's terminal follows
            const now = yield* sizeNow
            if (now.cols !== shown.told.cols || now.rows !== shown.told.rows) {
              shown.told = now
              yield* client.Resize({ viewer, ...now })
            }
            yield* send({ _tag: "Shown", tag, typing, ...now })
          }
          yield* send({ _tag: frame._tag, data: frame.data })
          return Option.none<string>()
        })
      ),
      Stream.filter(Option.isSome),
      Stream.runHead
    )
    return Option.isSome(ended) ? `its CLI has ended: ${ended.value.value}` : "its host has ended"
  }, Effect.scoped)

  /** Shows a session, and tells the page why it ends, unless another one replaces it. */
  const show = (tag: Tag, typing: boolean) =>
    follow(tag, typing).pipe(
      Effect.catch((error) => Effect.succeed(plainText(describe(error).message, 500))),
      Effect.exit,
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) return send({ _tag: "Unshown", tag, why: exit.value })
        return Cause.hasInterruptsOnly(exit.cause)
          ? send({ _tag: "Unshown", tag, why: "its host has ended" })
          : Effect.andThen(
              Effect.logWarning(exit.cause),
              send({ _tag: "Unshown", tag, why: "this is a bug in leap; its terminal tells more" })
            )
      }),
      Effect.ignore
    )

  /** Sends a request to the host of the screen with the keyboard; a host that does not answer is no longer shown. */
  const ask = (request: (shown: Shown) => Effect.Effect<void, unknown>) =>
    Effect.suspend(() => {
      if (typingIn === null) return Effect.void
      const { tag } = typingIn
      return Effect.timeoutOrElse(Effect.ignore(request(typingIn)), {
        duration: timeout,
        orElse: () =>
          Effect.andThen(FiberHandle.clear(running), send({ _tag: "Unshown", tag, why: "its host does not answer" }))
      })
    })

  return {
    show: (tag: Tag, typing: boolean) => Effect.asVoid(FiberHandle.run(running, show(tag, typing))),
    hide: FiberHandle.clear(running),
    type: (text: string) => ask(({ client, viewer }) => client.Input({ viewer, data: toBase64(utf8ToLatin1(text)) })),
    fit: (size: PtySize) =>
      ask((shown) => {
        shown.told = size
        return shown.client.Resize({ viewer: shown.viewer, ...size })
      })
  }
})

import { Effect } from "effect"
import type { Call, Done } from "../../domain/surfaces/operations/calls.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { System } from "../../services/System.ts"
import { callHost, type CallDone } from "../client/callHost.ts"
import { connectTo } from "../client/client.ts"
import { sendMessage } from "../client/sendMessage.ts"
import { dismissEnded } from "./dismissEnded.ts"
import { sessionModes } from "./sessionModes.ts"
import { endSession } from "./stopSession.ts"

/** `note`: what is to be said beside what was done; null for nothing. */
export interface SessionCallDone extends CallDone {
  readonly note: string | null
}

const saying = (done: Done, note: string | null = null): SessionCallDone => ({
  done,
  about: undefined,
  text: null,
  note
})

const asked = (client: HostClient, call: Call) =>
  Effect.map(callHost(client, call), (done): SessionCallDone => ({ ...done, note: null }))

/**
 * Does with a session what any surface asks for. What a host's death must not leave half done is done as commands do
 * it: a message is queued once however often it is sent, a host that hangs can be stopped, the modes of a session that
 * does not run are those of its next start.
 */
export const callSession = Effect.fn("callSession")(function* (tag: Tag, call: Call) {
  switch (call._tag) {
    case "Send": {
      const id = call.id ?? (yield* (yield* System).newId)
      const { _tag, ...message } = call
      yield* sendMessage(tag, yield* connectTo(tag), { ...message, id })
      return saying({ _tag, call, result: { id } })
    }
    case "Stop": {
      const { exit, note } = yield* endSession(tag, call.force)
      return saying({ _tag: call._tag, call, result: exit ?? { code: null, signal: null } }, note)
    }
    case "SetModes":
      return saying({ _tag: call._tag, call, result: yield* sessionModes(tag, call.modes) })
    case "Dismiss":
      return yield* connectTo(tag).pipe(
        Effect.flatMap((client) => asked(client, call)),
        Effect.catchTag(
          "NoSessionError",
          Effect.fnUntraced(function* (error) {
            if (!error.ended) return yield* error
            const dismissed = yield* dismissEnded(tag, call.needs)
            return saying({ _tag: call._tag, call, result: { dismissed } })
          })
        )
      )
    default:
      return yield* asked(yield* connectTo(tag), call)
  }
}, Effect.scoped)

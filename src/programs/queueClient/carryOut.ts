import { Effect, Option, Ref, Result } from "effect"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { doneLine } from "../../domain/surfaces/operations/doneWords.ts"
import type { ClientCommand, ClientEvent } from "../../domain/surfaces/queueClient/QueueClient.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { setModes } from "../../domain/store/settings/editSettings.ts"
import { Clipboard } from "../../services/Clipboard.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { Paths } from "../../services/Paths.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { callHost, callTimeout } from "../client/callHost.ts"
import { unlessStopped, whileHostLives } from "../client/client.ts"
import { isInDoubt, sendMessage } from "../client/sendMessage.ts"
import { describe } from "../exit.ts"
import type { EntryStore } from "./entryStore.ts"
import type { NameSource } from "./nameSource.ts"

const said = (text: string, bad = false): ClientEvent => ({ _tag: "Said", text, bad })

export interface ClientTools {
  readonly tag: Tag
  readonly current: Ref.Ref<Option.Option<HostClient>>
  readonly entries: EntryStore
  readonly names: NameSource
}

/** Carries out one command, and returns the event with its result; null for none. */
export const carryOut = Effect.fn("carryOut")(function* (tools: ClientTools, command: ClientCommand) {
  const system = yield* System
  const ask = <A, E extends { readonly _tag: string }, R>(
    use: (client: HostClient) => Effect.Effect<A, E, R>,
    then: (result: A) => ClientEvent | null
  ) =>
    Effect.gen(function* () {
      const client = yield* Ref.get(tools.current)
      if (Option.isNone(client)) return said("there is no connection to its host now", true)
      const result = yield* unlessStopped(tools.tag, use(client.value)).pipe(
        whileHostLives,
        Effect.timeoutOption(callTimeout),
        Effect.result
      )
      if (Result.isFailure(result)) return said(describe(result.failure).message, true)
      const answer = Option.flatten(result.success)
      return Option.isNone(answer) ? said("the session's host does not answer, or has ended", true) : then(answer.value)
    })
  switch (command._tag) {
    case "Send": {
      const { _tag, ref, ...message } = command
      const client = yield* Ref.get(tools.current)
      const not = (why: string, inDoubt: boolean): ClientEvent => ({ _tag: "NotSent", ref, why, inDoubt })
      if (Option.isNone(client)) return not("there is no connection to its host now", false)
      return yield* sendMessage(tools.tag, client.value, { ...message, id: yield* system.newId }).pipe(
        Effect.scoped,
        Effect.match({
          onSuccess: ({ id }): ClientEvent => ({ _tag: "Sent", ref, id }),
          onFailure: (error): ClientEvent => not(describe(error).message, isInDoubt(error))
        })
      )
    }
    case "Do": {
      const { call } = command
      const event = yield* ask(
        (client) => callHost(client, call),
        ({ about, done }) => said(doneLine(done, about))
      )
      if (call._tag !== "SetModes" || command.everywhere !== true) return event
      const settings = yield* UserSettings
      return yield* settings.change(setModes(call.modes)).pipe(
        Effect.match({
          onSuccess: () => said(`${event?._tag === "Said" ? event.text : ""}; new sessions too`),
          onFailure: (error) => said(error.message, true)
        })
      )
    }
    case "Ask": {
      const event = yield* ask(
        (client) => client.Response({ id: command.id }),
        ({ failure = null, text }) => ({ _tag: "Answered", id: command.id, text, failure })
      )
      const none: ClientEvent = { _tag: "Answered", id: command.id, text: null, failure: null }
      return event?._tag === "Answered" ? event : none
    }
    case "Complete":
      return {
        _tag: "Found",
        ref: command.ref,
        items: yield* tools.names(command.kind, command.word)
      } satisfies ClientEvent
    case "Remember":
      return Option.getOrNull(Option.map(yield* tools.entries.add(command.entry), (why) => said(why, true)))
    case "TakeImage": {
      const { line } = command
      const { dir } = (yield* Paths).session(tools.tag)
      return yield* (yield* Clipboard).image(`${dir}/images`).pipe(
        Effect.match({
          onSuccess: (path): ClientEvent => ({ _tag: "Pictured", path, text: "", line, why: "" }),
          onFailure: (error): ClientEvent => ({ _tag: "Pictured", path: null, text: "", line, why: error.message })
        })
      )
    }
    case "FindImage": {
      const path = fromTilde(command.path, system.env["HOME"] ?? "")
      const found = Option.getOrNull(yield* system.file(path))
      return {
        _tag: "Pictured",
        path: found,
        text: command.text,
        line: command.line,
        why: `there is no file ${command.path}`
      } satisfies ClientEvent
    }
  }
})

import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AutoSendMode, ChurnMode, type Modes } from "../../domain/Session.ts"
import { setModes } from "../../domain/settings/editSettings.ts"
import { warningLine } from "../../domain/settings/warningLine.ts"
import type { Tag } from "../../domain/Tag.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { Output } from "../../services/Output.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { type NoSessionError } from "../client.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print, tagArgument, withSession } from "./common.ts"

const isNothing = (change: Partial<Modes>): boolean => Object.keys(change).length === 0

const onHost = (tag: Tag, change: Partial<Modes>) =>
  withSession(tag, (client) => isNothing(change) ? Effect.map(client.Status(), ({ modes }) => modes) : client.SetModes({ modes: change }))

/** The modes of a session that does not run: what it is to start with. */
const stored = Effect.fn("mode.stored")(function*(tag: Tag, change: Partial<Modes>, error: NoSessionError) {
  if (!error.ended) return yield* error
  const store = yield* ModesStore
  const defaults = (yield* (yield* UserSettings).read).settings.modes
  if (isNothing(change)) return { ...defaults, ...yield* store.read(tag) }
  const modes = yield* store.change(tag, change, defaults)
  // a host that came up meanwhile may have read the file before it was changed
  return yield* Effect.catchTag(onHost(tag, change), "NoSessionError", () => Effect.succeed(modes))
})

const ofSession = (tag: Tag, change: Partial<Modes>) =>
  Effect.catchTag(onHost(tag, change), "NoSessionError", (error) => stored(tag, change, error))

const globalDefault = Effect.fn("mode.default")(function*(change: Partial<Modes>) {
  const settings = yield* UserSettings
  if (!isNothing(change)) yield* settings.change(setModes(change))
  const { settings: { modes }, warnings } = yield* settings.read
  const warning = warningLine(settings.file, warnings)
  if (warning !== null) yield* (yield* Output).note(`leap: ${warning}`)
  return modes
})

export const mode = Command.make("mode", {
  tag: tagArgument.pipe(Argument.optional),
  autoSend: Flag.Literals("auto-send", AutoSendMode.literals).pipe(
    Flag.withDescription("pause: a permission dialog waits for you; always: it is answered by policy"),
    Flag.optional
  ),
  churn: Flag.Literals("churn", ChurnMode.literals).pipe(
    Flag.withDescription("Whether queued messages go out while background work lives"),
    Flag.optional
  ),
  default: Flag.Boolean("default").pipe(
    Flag.withDescription("The modes that new sessions start with, instead of a session's"),
    Flag.withDefault(false)
  ),
  json: jsonFlag
}, Effect.fn(function*({ autoSend, churn, default: ofAll, json, tag }) {
  if (Option.isSome(tag) === ofAll) {
    return yield* fail("usage", ofAll ? "a session's modes, or with --default those of new sessions, not both" : "whose modes? 'leap mode <tag>' shows a session's, 'leap mode --default' those of new sessions")
  }
  const change: Partial<Modes> = {
    ...(Option.isSome(autoSend) ? { autoSend: autoSend.value } : {}),
    ...(Option.isSome(churn) ? { churn: churn.value } : {})
  }
  const modes = yield* (Option.isSome(tag) ? ofSession(tag.value, change) : globalDefault(change))
  yield* print(json, { schema: 1, tag: Option.getOrNull(tag), modes }, () => `auto-send ${modes.autoSend}\nchurn     ${modes.churn}`)
})).pipe(Command.withDescription("Show or change a session's modes, or those that new sessions start with"))

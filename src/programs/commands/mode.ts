import { runs } from "../../domain/words/session/states.ts"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { AutoSendMode, ChurnMode, type Modes, NightMode } from "../../domain/words/session/Session.ts"
import { setModes } from "../../domain/store/settings/editSettings.ts"
import { modesText } from "../../domain/words/wording/modesText.ts"
import { warningLine } from "../../domain/store/settings/warningLine.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"
import { isNothing, sessionModes } from "../sessions/sessionModes.ts"
import { choiceFlag, jsonFlag, print, toggle } from "./shared/common.ts"
import { allFlag, chooseTags, forChosen, tagsArgument } from "./shared/many.ts"

const newSessionModes = Effect.fn("mode.default")(function* (change: Partial<Modes>) {
  const settings = yield* UserSettings
  if (!isNothing(change)) yield* settings.change(setModes(change))
  const {
    settings: { modes },
    warnings
  } = yield* settings.read
  const warning = warningLine(settings.file, warnings)
  if (warning !== null) yield* (yield* Output).note(`leap: ${warning}`)
  return modes
})

export const mode = Command.make(
  "mode",
  {
    tags: tagsArgument,
    all: allFlag,
    autoSend: choiceFlag(
      "auto-send",
      AutoSendMode.literals,
      "pause: a permission dialog waits for you; always: it is answered by policy"
    ),
    churn: choiceFlag("churn", ChurnMode.literals, "Whether queued messages go out while background work lives"),
    night: choiceFlag("night", NightMode.literals, "on: it goes on by itself when its usage limit is over"),
    default: toggle("default", "The modes that new sessions start with, instead of a session's"),
    json: jsonFlag
  },
  Effect.fn(function* ({ all, autoSend, churn, default: isDefault, json, night, tags }) {
    if ((tags.length > 0 || all) === isDefault) {
      return yield* fail(
        "usage",
        isDefault
          ? "a session's modes, or with --default those of new sessions, not both"
          : "whose modes? 'leap mode <tag>' shows a session's, 'leap mode --default' those of new sessions"
      )
    }
    const change: Partial<Modes> = {
      ...(Option.isSome(autoSend) ? { autoSend: autoSend.value } : {}),
      ...(Option.isSome(churn) ? { churn: churn.value } : {}),
      ...(Option.isSome(night) ? { night: night.value } : {})
    }
    const said = (tag: Tag | null, modes: Modes) => ({
      document: { tag, modes },
      text: modesText(modes)
    })
    if (isDefault) {
      const { document, text } = said(null, yield* newSessionModes(change))
      return yield* print(json, { schema: 1, ...document }, () => text)
    }
    const chosen = yield* chooseTags(tags, all, runs)
    yield* forChosen(chosen, json, (tag) => Effect.map(sessionModes(tag, change), (modes) => said(tag, modes)))
  })
).pipe(Command.withDescription("Show or change a session's modes, or those that new sessions start with"))

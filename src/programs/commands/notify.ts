import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import { noticeForm, terminalNotice } from "../../domain/surfaces/notify/terminalNotice.ts"
import { warningLine } from "../../domain/store/settings/warningLine.ts"
import { latin1ToText } from "../../domain/words/text/Bytes.ts"
import { printable } from "../../domain/words/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { giveNotice, type Given, reachesNobody } from "../client/giveNotice.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print } from "./shared/common.ts"

const sample: Notice = {
  kind: "test",
  tag: "leap",
  title: "leap notify test",
  text: "This is what a notice looks like.",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "No" }
  ]
}

const test = Command.make(
  "test",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const output = yield* Output
    const { env } = yield* System
    const userSettings = yield* UserSettings
    const { settings, warnings } = yield* userSettings.read
    const warning = warningLine(userSettings.file, warnings)
    if (warning !== null) yield* output.note(`leap: ${warning}`)
    const { notify } = settings
    const form = notify.terminal === "auto" ? noticeForm(env) : notify.terminal
    const results: Array<Given> = []
    if (form !== "off") {
      const channel = `terminal (${form})`
      if (output.isTerminal) yield* output.raw(latin1ToText(terminalNotice(sample, notify.terminal, env)))
      results.push({ channel, why: output.isTerminal ? null : "standard output is not a terminal" })
    }
    results.push(...(yield* giveNotice(sample, notify)))
    yield* print(json, { schema: 1, results }, () =>
      results.map(({ channel, why }) => printable(`${channel}: ${why ?? "sent"}`)).join("\n")
    )
    const nobody = yield* reachesNobody(notify)
    if (!json && nobody !== null) yield* output.note(`leap: ${nobody}`)
    const failed = results.filter(({ channel, why }) => why !== null && !channel.startsWith("terminal"))
    if (failed.length > 0) return yield* fail("failed", failed.length === 1 ? "one of them failed" : "some failed")
  })
).pipe(Command.withDescription("Send one notice of each kind that is set up, and say what became of it"))

export const notify = Command.make("notify").pipe(
  Command.withDescription("How you are told that a session needs you; the rules are in the settings"),
  Command.withSubcommands([test])
)

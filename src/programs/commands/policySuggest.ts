import { Clock, DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { type Suggestion, suggestRules } from "../../domain/engine/approvals/suggestRules.ts"
import { sinceTime } from "../../domain/words/arguments/since.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { AuditLog } from "../../services/AuditLog.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { NoSessionError } from "../client/client.ts"
import { fail } from "../exit.ts"
import { countFlag, jsonFlag, optionalTag, print, textFlag } from "./shared/common.ts"

const mostShown = 25

const noAsks =
  "the audit log knows of nothing that you were asked: it holds what is asked beside rules, and answered through leap"
const once = "; '--least 1' also looks at what was asked once"
const times = (count: number): string => (count === 1 ? "1 ask" : `${count} asks`)

const lines = ({ allowed, examples, rules, spares }: Suggestion): ReadonlyArray<string> => {
  const known = allowed === 0 ? "" : allowed === spares ? ", which you allowed" : `, ${allowed} of which you allowed`
  return [
    ...rules.map((rule, i) => `${JSON.stringify(rule)}${i < rules.length - 1 ? ", with" : ""}`),
    `    would have spared ${times(spares)}${known}: ${examples.map((one) => oneLine(one, 100)).join(" · ")}`
  ]
}

export const suggest = Command.make(
  "suggest",
  {
    tag: optionalTag("Only what this session asked (default: all sessions)"),
    since: textFlag("since", "Only what was asked since then: 12h, 3d, 2w, or a date (default: all of the log)"),
    least: countFlag("least", "Only rules that would have spared so many asks (default: 2)").pipe(Flag.withDefault(2)),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, least, since, tag }) {
    const paths = yield* Paths
    const log = yield* AuditLog
    const store = yield* StatusStore
    const system = yield* System
    const { file, read } = yield* UserSettings
    const { policy } = (yield* read).settings
    const clis = (yield* Providers).all
    const now = yield* Clock.currentTimeMillis
    const from = Option.match(since, { onNone: () => -Infinity, onSome: (text) => sinceTime(text, now) })
    if (from === null) {
      const given = oneLine(
        Option.getOrElse(since, () => ""),
        40
      )
      return yield* fail("usage", `'${given}' is no time: write 12h, 3d or 2w for so long ago, or a date (2026-11-30)`)
    }
    const all = yield* paths.tags
    if (Option.isSome(tag) && !all.includes(tag.value))
      return yield* new NoSessionError({ tag: tag.value, ended: false })
    const tags = Option.match(tag, { onNone: () => all, onSome: (one) => [one] })
    const logs = yield* Effect.forEach(tags, (one) => log.read(one), { concurrency: 8 })
    const entries = logs
      .flatMap(({ entries }) => entries)
      .filter(({ at }) => !(Date.parse(at) < from))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    const directories = new Map<string, string>()
    yield* Effect.forEach(tags, (one) =>
      Effect.map(store.read(paths.session(one).status), (status) => {
        if (Option.isSome(status)) directories.set(one, status.value.cwd)
      })
    )
    const place = ({ cli, tag }: { readonly cli: string; readonly tag: string }) => {
      const directory = directories.get(tag)
      const base = clis.find(({ id }) => id === cli)?.base
      return directory === undefined ? null : { directory, ...(base === undefined ? {} : { base }) }
    }
    const found = suggestRules(entries, { policy, home: system.env["HOME"] ?? "", place, least })
    const suggestions = found.suggestions.map(({ allowed, examples, last, rules, spares, width }) => ({
      rules,
      width,
      spares,
      allowed,
      examples,
      last
    }))
    const document = {
      schema: 1,
      file,
      since: from === -Infinity ? null : DateTime.formatIso(DateTime.makeUnsafe(from)),
      asks: found.asks,
      suggestions
    }
    yield* print(json, document, () => {
      if (found.asks === 0) return noAsks
      if (suggestions.length === 0) return `${times(found.asks)}, and no rule to suggest${least > 1 ? once : ""}`
      const shown = found.suggestions.slice(0, mostShown)
      const more = suggestions.length - shown.length
      return [
        ...shown.flatMap(lines),
        ...(more > 0 ? [`and ${more} more; '--json' has all of them`] : []),
        `of ${times(found.asks)} in all. Nothing is changed: put what you want into "allow" of "policy" in ${file}`
      ].join("\n")
    })
  })
).pipe(
  Command.withDescription(
    "Rules that would have spared you questions, from the audit log, narrow first. Nothing is changed"
  )
)

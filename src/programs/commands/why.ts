import { Effect } from "effect"
import { Command } from "effect/cli"
import { oneLine, table } from "../../domain/StateLine.ts"
import { jsonFlag, print, tagArgument, withSession } from "./common.ts"

/** How long ago, as people say it. */
const ago = (now: number, since: number | null): string => {
  if (since === null) return ""
  const seconds = Math.max(0, (now - since) / 1000)
  if (seconds < 10) return `${seconds.toFixed(1)} s ago`
  if (seconds < 120) return `${Math.round(seconds)} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}

export const why = Command.make("why", { tag: tagArgument, json: jsonFlag }, Effect.fn(function*({ json, tag }) {
  const found = yield* withSession(tag, (client) => client.Why())
  const iso = (at: number | null) => at === null ? null : new Date(at).toISOString()
  const document = {
    schema: 1,
    tag,
    ...found,
    now: iso(found.now),
    since: iso(found.since),
    evidence: found.evidence.map((one) => ({ ...one, since: iso(one.since) }))
  }
  yield* print(json, document, () =>
    table([
      [found.decided.state, `${oneLine(found.decided.reason, 120)} (rule ${found.decided.rule}, since ${ago(found.now, found.since)})`],
      ...found.overruled.map(({ reason, rule, state }) => ["overruled", `${state}: ${oneLine(reason, 100)} (rule ${rule})`]),
      ["ready", found.ready ? "yes" : "no"],
      ...found.holds.map(({ name, why }) => ["held by", `${why} (${name})`]),
      ...found.evidence.map(({ says, since, source }) => [source, `${oneLine(says, 100)}${since === null ? "" : `, ${ago(found.now, since)}`}`])
    ]))
})).pipe(Command.withDescription("Why a session is in its state: the rule that decided, and what is known"))

import type { Need, NeedKind } from "../../words/attention/Need.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { shownName } from "../../store/worktrees/changesText.ts"
import { tilde } from "../picker/Rows.ts"
import type { FeedEvent, FeedSession } from "../../words/session/Feed.ts"
import type { Proposal } from "../../words/session/Proposal.ts"
import type { Question, SessionStatus } from "../../words/session/Session.ts"
import { contextShort, costText } from "../../words/wording/Format.ts"
import { exitText } from "../../words/session/exitText.ts"
import { nowText } from "../../words/wording/nowText.ts"
import { pauseEnd } from "../../words/session/queuePause.ts"
import { blockedText } from "../../words/wording/StateLine.ts"
import { troublesOf } from "../../words/wording/troublesOf.ts"
import type { WebSession } from "./Frames.ts"
import { plainText } from "./plainText.ts"

/** The most characters of a session's texts, and of its messages, that a page gets. */
const lineMost = 300
const textMost = 4000
const messagesMost = 200

const isWhole = (text: string): boolean => plainText(text, textMost) === text
const line = (text: string): string => plainText(text, lineMost)
const lineOrNull = (text: string | null | undefined): string | null => (text == null ? null : line(text))
const whole = (text: string | null): string | null => (text === null ? null : plainText(text, textMost))

/** A dialog as a page shows it. */
export const webQuestion = ({ options, subject, title }: Question): Question => ({
  title: plainText(title, textMost),
  ...(subject === undefined ? {} : { subject: plainText(subject, textMost) }),
  options: options.map(({ label, number }) => ({ number, label: line(label) }))
})

/** What a dialog asks for, as a page shows it. Its texts are bounded already. */
const webProposal = ({ command, edit }: Proposal): Proposal => ({
  command: command === null ? null : plainText(command, command.length),
  edit:
    edit === null
      ? null
      : {
          ...edit,
          files: edit.files.map((file) => ({
            ...file,
            path: plainText(shownName(file.path), textMost),
            from: file.from === null ? null : plainText(shownName(file.from), textMost),
            lines: file.lines.map((text) => plainText(text, text.length))
          }))
        }
})

const momentOf = (iso: string): number | null => {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? null : at
}

/** Needs that describe the session's problem. */
const saying: ReadonlySet<NeedKind> = new Set(["stuck", "failed", "limit", "ended"])

/** The problem, if it is not among the needs, and the session's troubles; null for none. */
const problemText = (status: SessionStatus, needs: ReadonlyArray<Need>): string | null => {
  const problem = needs.some(({ kind }) => saying.has(kind)) ? null : status.problem?.message
  const found = [problem, ...troublesOf(status).map(({ text }) => text)].filter((text) => text != null)
  return found.length === 0 ? null : line(found.join("; "))
}

/** Its figures as numbers: whole percents, because a chart shows no less. */
export const figuresOf = ({ context, cost }: SessionStatus): WebSession["figures"] => ({
  context: context === null || context.percent === null ? null : Math.round(context.percent),
  usd: cost?.usd ?? null
})

/** A session as a page shows it. `home`: the user's home directory, shown as `~`. */
export const webSession = ({ link, status }: FeedSession, home = ""): WebSession => {
  const needs = needsOf(status)
  return {
    tag: status.tag,
    link,
    cli: line(status.displayName),
    state: status.state,
    reason: line(blockedText(status) ?? status.reason),
    since: Date.parse(status.since),
    cwd: line(tilde(status.cwd, home)),
    branch: lineOrNull(status.branch),
    attached: status.attached,
    now: line(nowText(status)),
    question: status.question == null ? null : webQuestion(status.question),
    proposal: status.proposal == null ? null : webProposal(status.proposal),
    problem: problemText(status, needs),
    needs: needs.map(({ id, kind, since, text, until }) => ({
      kind,
      since,
      id,
      until: until === null ? null : momentOf(until),
      text
    })),
    pause: status.pause == null ? null : { text: line(status.pause.text), end: pauseEnd(status) },
    modes: status.modes,
    queue: status.queue.slice(0, messagesMost).map(({ id, outcome, status, text, why }) => ({
      id,
      text: plainText(text, textMost),
      status,
      whole: isWhole(text),
      outcome: outcome ?? null,
      why: lineOrNull(why)
    })),
    writes: (status.writes ?? []).map(({ at, path }) => ({ path: plainText(tilde(path, home), textMost), at })),
    context: contextShort(status),
    cost: costText(status.cost),
    figures: figuresOf(status),
    lastMessage: whole(status.lastMessage),
    lastResponse: whole(status.lastResponse),
    exit: status.state === "exited" && status.exit !== null ? exitText(status.exit) : null
  }
}

/** Whether the dialog of a session now is the one that a page showed. */
export const isSameQuestion = (now: Question, shown: Question): boolean =>
  JSON.stringify(webQuestion(now)) === JSON.stringify(webQuestion(shown))

/** The answer for the present dialog, by its number, or by its label as the page showed it. */
export const answerFor = (now: Question, answer: string): string =>
  now.options.find(({ label, number }) => number === null && line(label) === answer)?.label ?? answer

/** Of several steps of the feed the useful ones: the last one of each session. */
export const latest = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<FeedEvent> => {
  const kept = new Map<string, FeedEvent>()
  for (const event of events) {
    if (event._tag === "Snapshot") kept.clear()
    const key = event._tag === "Snapshot" ? "" : event._tag === "Gone" ? event.tag : event.session.status.tag
    kept.delete(key)
    kept.set(key, event)
  }
  return [...kept.values()]
}

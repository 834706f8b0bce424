import type { MessageStatus } from "../Message.ts"
import { type SessionStatus, turnOver } from "../Session.ts"
import { oneLine, stateLine } from "../StateLine.ts"

/** What the show queues: the second needs a permission, which holds the third. */
export const demoMessages = [
  "Look around first (tool 2), please",
  "Now write a file with three notes",
  "Thank you. What did you do?"
] as const

/** Milliseconds at normal pace: how long the dialog is left to the user, and after how long the show gives up. */
const patience = 4_000
const bound = 120_000

interface Receipt {
  readonly text: string
  readonly id: string | null
  /** Each step that was seen, with its time. */
  readonly steps: ReadonlyArray<{ readonly status: MessageStatus; readonly at: number }>
}

/** What the show remembers. Times are milliseconds on the program's clock. */
export interface DemoShow {
  readonly tag: string
  /** The command line that runs leap on this session from another terminal. */
  readonly leap: string
  readonly startedAt: number
  readonly pace: number
  readonly receipts: ReadonlyArray<Receipt>
  readonly state: string
  /** A dialog is up since then, and whether somebody answered it. */
  readonly dialog: { readonly since: number; readonly answered: "show" | "user" | null } | null
  /** Exit code, once the show is over. */
  readonly over: number | null
}

export type ShowEvent =
  | { readonly _tag: "Sent"; readonly at: number; readonly index: number; readonly id: string }
  | { readonly _tag: "Status"; readonly at: number; readonly status: SessionStatus }
  /** A key pressed in the show's own terminal. */
  | { readonly _tag: "Key"; readonly at: number; readonly key: string }
  /** The answer was refused: the dialog had changed. */
  | { readonly _tag: "Refused"; readonly at: number; readonly why: string }
  | { readonly _tag: "Failed"; readonly at: number; readonly why: string }
  | { readonly _tag: "Tick"; readonly at: number }

export type ShowAction =
  | { readonly _tag: "Send"; readonly index: number; readonly text: string }
  | { readonly _tag: "Answer"; readonly answer: string }

/** What happens now: lines to print, and what to do. */
export interface ShowStep {
  readonly show: DemoShow
  readonly lines: ReadonlyArray<string>
  readonly actions: ReadonlyArray<ShowAction>
}

/** The beginning: all messages are queued at once, before the CLI is ready for the first. */
export const beginShow = (tag: string, leap: string, at: number, pace: number): ShowStep => ({
  show: {
    tag, leap, pace, startedAt: at, state: "", dialog: null, over: null,
    receipts: demoMessages.map((text) => ({ text, id: null, steps: [] }))
  },
  lines: [
    "leap demo: a scripted CLI, hosted the way a real one is. No account, no network.",
    "Three messages are queued at once; each goes out when the CLI is ready for it. From another terminal:",
    `  ${leap} send ${tag} "hello"`
  ],
  actions: demoMessages.map((text, index) => ({ _tag: "Send", index, text }))
})

/** When the show goes on by itself; null once it is over. */
export const wakesAt = (show: DemoShow): number | null =>
  show.over !== null
    ? null
    : show.dialog?.answered === null
    ? Math.min(show.dialog.since + patience * show.pace, show.startedAt + bound)
    : show.startedAt + bound

/** The show's whole script: one event, what it remembers next, what it prints and does. */
export const stepShow = (show: DemoShow, event: ShowEvent): ShowStep => {
  if (show.over !== null) return { show, lines: [], actions: [] }
  switch (event._tag) {
    case "Sent": {
      const step = { status: "queued" as const, at: event.at }
      const receipts = show.receipts.map((receipt, i) => i === event.index ? { ...receipt, id: event.id, steps: [step] } : receipt)
      return quiet({ ...show, receipts }, [line(show, event.at, `message ${event.index + 1} queued: ${receipts[event.index]?.text ?? ""}`)])
    }
    case "Status": return onStatus(show, event.status, event.at)
    case "Key":
      return show.dialog?.answered === null && /^[1-9]$/.test(event.key)
        ? answering(show, "user", event.key, event.at)
        : quiet(show, [])
    case "Refused":
      return quiet({ ...show, dialog: show.dialog === null ? null : { since: event.at, answered: null } }, [line(show, event.at, event.why)])
    case "Failed": return end(show, 1, event.at, event.why)
    case "Tick":
      if (event.at >= show.startedAt + bound) return end(show, 1, event.at, `gave up after ${bound / 1000} seconds`)
      return show.dialog?.answered === null && event.at >= show.dialog.since + patience * show.pace
        ? answering(show, "show", "1", event.at)
        : quiet(show, [])
  }
}

const quiet = (show: DemoShow, lines: ReadonlyArray<string>): ShowStep => ({ show, lines, actions: [] })

const seconds = (show: DemoShow, at: number): string => ((at - show.startedAt) / 1000).toFixed(1)
const line = (show: DemoShow, at: number, text: string): string => `${seconds(show, at).padStart(6)}s  ${text}`

const answering = (show: DemoShow, by: "show" | "user", answer: string, at: number): ShowStep => ({
  show: { ...show, dialog: show.dialog === null ? null : { ...show.dialog, answered: by } },
  lines: [line(show, at, `${by === "show" ? "answered for you" : "you answered"}: ${answer}`)],
  actions: [{ _tag: "Answer", answer }]
})

const onStatus = (show: DemoShow, status: SessionStatus, at: number): ShowStep => {
  const state = stateLine(status, false)
  const receipts = show.receipts.map((receipt) => follow(receipt, status, at))
  const open = status.state === "needs_permission"
  const opened = open && show.dialog === null
  const lines = [
    ...(state === show.state ? [] : [line(show, at, state)]),
    ...receipts.flatMap((receipt, i) => {
      const last = receipt.steps.at(-1)
      return last === undefined || receipt === show.receipts[i] ? [] : [line(show, at, `message ${i + 1} ${last.status}`)]
    }),
    ...(opened
      ? [
        "         nothing is typed into a dialog: the next message waits",
        `         it is answered in ${(patience * show.pace) / 1000} s, unless you do: 1, 2 or 3 here, or this elsewhere:`,
        `           ${show.leap} answer ${show.tag} 1`
      ]
      : show.dialog !== null && show.dialog.answered === null && !open
      ? [line(show, at, "somebody answered it elsewhere")]
      : [])
  ]
  const now: DemoShow = { ...show, receipts, state, dialog: open ? show.dialog ?? { since: at, answered: null } : null }
  const statuses = receipts.map((receipt) => receipt.steps.at(-1)?.status)
  const lost = statuses.findIndex((status) => status === "failed" || status === "held")
  const ended = lost >= 0
    ? end(now, 1, at, `message ${lost + 1} was not delivered (${statuses[lost]})`)
    : statuses.every((status) => status === "done") && turnOver.has(status.state)
    ? end(now, 0, at, "all three were delivered, each after the turn before it")
    : status.state === "exited"
    ? end(now, 1, at, `the CLI ended early (${status.reason})`)
    : quiet(now, [])
  return { ...ended, lines: [...lines, ...ended.lines] }
}

const follow = (receipt: Receipt, status: SessionStatus, at: number): Receipt => {
  const seen = status.queue.find((message) => message.id === receipt.id)?.status
  return seen === undefined || seen === receipt.steps.at(-1)?.status ? receipt : { ...receipt, steps: [...receipt.steps, { status: seen, at }] }
}

const end = (show: DemoShow, over: number, at: number, why: string): ShowStep => ({
  show: { ...show, over, dialog: null },
  lines: [line(show, at, why), "", ...summary(show)],
  actions: []
})

/** The receipts, with the seconds at which each step was seen. */
const summary = (show: DemoShow): ReadonlyArray<string> => [
  "Receipts (seconds since the start):",
  ...show.receipts.map((receipt, i) => {
    const steps = receipt.steps.map(({ at, status }) => `${status} ${seconds(show, at)}`).join("  ")
    return `  ${i + 1}  ${oneLine(receipt.text, 40)}\n     ${steps}`
  })
]

export interface StageRow {
  readonly text: string
  readonly style: "plain" | "faint" | "bold"
}

/** One picture for a terminal: the CLI's screen behind a margin, the state line under it, then what happened last. */
export const stage = (
  size: { readonly cols: number; readonly rows: number },
  screen: string,
  state: string,
  happened: ReadonlyArray<string>
): ReadonlyArray<StageRow> => {
  const row = (text: string, style: StageRow["style"] = "plain"): StageRow => ({ text: [...text].slice(0, size.cols).join(""), style })
  const { cols, rows } = screenSize(size)
  const shown = screen.split("\n").slice(0, rows).map((line) => row(`│ ${[...line].slice(0, cols).join("")}`))
  const picture = [
    row(`╭─ the hosted CLI ${"─".repeat(Math.max(0, size.cols - 18))}`, "faint"),
    ...shown, ...Array.from({ length: rows - shown.length }, () => row("│")),
    row(`╰${"─".repeat(Math.max(0, size.cols - 1))}`, "faint"),
    row(state, "bold"), row(""),
    ...happened.flatMap((text) => text.split("\n")).slice(-storyRows(size.rows)).map((text) => row(text, "faint"))
  ]
  return Array.from({ length: size.rows }, (_, y) => picture[y] ?? row(""))
}

const storyRows = (rows: number): number => Math.max(2, Math.min(8, Math.floor(rows / 3)))

/** The size of the hosted CLI's screen inside a terminal of this size. */
export const screenSize = (size: { readonly cols: number; readonly rows: number }) => ({
  cols: Math.max(20, size.cols - 2),
  rows: Math.max(6, size.rows - storyRows(size.rows) - 4)
})

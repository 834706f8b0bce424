import type { MessageStatus } from "../../words/session/Message.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { turnOver } from "../../words/session/states.ts"
import { oneLine } from "../../words/text/printable.ts"
import { stateLine } from "../../words/wording/StateLine.ts"

/** The queued messages of the show: the second needs a permission, and the third waits for it. */
export const demoMessages = [
  "Look around first (tool 2), please",
  "Now write a file with three notes",
  "Thank you. What did you do?"
] as const

/** The wait for the user's answer, at normal pace, and the show's time limit, at any pace. In milliseconds. */
const answerDelay = 4_000
const timeLimit = 120_000

interface Receipt {
  readonly text: string
  readonly id: string | null
  readonly steps: ReadonlyArray<{ readonly status: MessageStatus; readonly at: number }>
}

/** The show's state, with its observed steps; `over`: its exit code. Times: milliseconds on the program's clock. */
export interface DemoShow {
  readonly tag: string
  readonly leap: string
  readonly startedAt: number
  readonly pace: number
  readonly receipts: ReadonlyArray<Receipt>
  readonly state: string
  /** When the dialog opened, and who answered it; null: none is open. */
  readonly dialog: { readonly since: number; readonly answered: "show" | "user" | null } | null
  readonly over: number | null
}

export type ShowEvent =
  | { readonly _tag: "Sent"; readonly at: number; readonly index: number; readonly id: string }
  | { readonly _tag: "Status"; readonly at: number; readonly status: SessionStatus }
  | { readonly _tag: "Key"; readonly at: number; readonly key: string }
  /** The answer was refused: the dialog had changed. */
  | { readonly _tag: "Refused"; readonly at: number; readonly why: string }
  | { readonly _tag: "Failed"; readonly at: number; readonly why: string }
  | { readonly _tag: "Tick"; readonly at: number }

export type ShowAction =
  | { readonly _tag: "Send"; readonly index: number; readonly text: string }
  | { readonly _tag: "Answer"; readonly answer: string }

export interface ShowStep {
  readonly show: DemoShow
  readonly lines: ReadonlyArray<string>
  readonly actions: ReadonlyArray<ShowAction>
}

/** The first step: all messages are queued at once, before the CLI is ready for the first. */
export const beginShow = (tag: string, leap: string, at: number, pace: number): ShowStep => ({
  show: {
    tag,
    leap,
    pace,
    startedAt: at,
    state: "",
    dialog: null,
    over: null,
    receipts: demoMessages.map((text) => ({ text, id: null, steps: [] }))
  },
  lines: [
    "leap demo: a scripted CLI, hosted the way a real one is. No account, no network.",
    "Three messages are queued at once; each goes out when the CLI is ready for it. From another terminal:",
    `  ${leap} send ${tag} "hello"`
  ],
  actions: demoMessages.map((text, index) => ({ _tag: "Send", index, text }))
})

export const wakesAt = (show: DemoShow): number | null =>
  show.over !== null
    ? null
    : show.dialog?.answered === null
      ? Math.min(show.dialog.since + answerDelay * show.pace, show.startedAt + timeLimit)
      : show.startedAt + timeLimit

export const stepShow = (show: DemoShow, event: ShowEvent): ShowStep => {
  if (show.over !== null) return { show, lines: [], actions: [] }
  switch (event._tag) {
    case "Sent": {
      const step = { status: "queued" as const, at: event.at }
      const receipts = show.receipts.map((receipt, i) =>
        i === event.index ? { ...receipt, id: event.id, steps: [step] } : receipt
      )
      return quiet({ ...show, receipts }, [
        line(show, event.at, `message ${event.index + 1} queued: ${receipts[event.index]?.text ?? ""}`)
      ])
    }
    case "Status":
      return onStatus(show, event.status, event.at)
    case "Key":
      return show.dialog?.answered === null && /^[1-9]$/.test(event.key)
        ? answering(show, "user", event.key, event.at)
        : quiet(show, [])
    case "Refused":
      return quiet({ ...show, dialog: show.dialog === null ? null : { since: event.at, answered: null } }, [
        line(show, event.at, event.why)
      ])
    case "Failed":
      return end(show, 1, event.at, event.why)
    case "Tick":
      if (event.at >= show.startedAt + timeLimit)
        return end(show, 1, event.at, `gave up after ${timeLimit / 1000} seconds`)
      return show.dialog?.answered === null && event.at >= show.dialog.since + answerDelay * show.pace
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
      return last === undefined || receipt === show.receipts[i]
        ? []
        : [line(show, at, `message ${i + 1} ${last.status}`)]
    }),
    ...(opened
      ? [
          "         nothing is typed into a dialog: the next message waits",
          `         answered in ${(answerDelay * show.pace) / 1000} s, unless you do: 1, 2 or 3 here, ` +
            "or this elsewhere:",
          `           ${show.leap} answer ${show.tag} 1`
        ]
      : show.dialog !== null && show.dialog.answered === null && !open
        ? [line(show, at, "somebody answered it elsewhere")]
        : [])
  ]
  const next: DemoShow = {
    ...show,
    receipts,
    state,
    dialog: open ? (show.dialog ?? { since: at, answered: null }) : null
  }
  const statuses = receipts.map((receipt) => receipt.steps.at(-1)?.status)
  const lost = statuses.findIndex((status) => status === "failed" || status === "held")
  const ended =
    lost >= 0
      ? end(next, 1, at, `message ${lost + 1} was not delivered (${statuses[lost]})`)
      : statuses.every((status) => status === "done") && turnOver.has(status.state)
        ? end(next, 0, at, "all three were delivered, each after the turn before it")
        : status.state === "exited"
          ? end(next, 1, at, `the CLI ended early (${status.reason})`)
          : quiet(next, [])
  return { ...ended, lines: [...lines, ...ended.lines] }
}

const follow = (receipt: Receipt, status: SessionStatus, at: number): Receipt => {
  const observed = status.queue.find((message) => message.id === receipt.id)?.status
  return observed === undefined || observed === receipt.steps.at(-1)?.status
    ? receipt
    : { ...receipt, steps: [...receipt.steps, { status: observed, at }] }
}

const end = (show: DemoShow, over: number, at: number, why: string): ShowStep => ({
  show: { ...show, over, dialog: null },
  lines: [line(show, at, why), "", ...summary(show)],
  actions: []
})

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

/** The rows of the show's terminal: the CLI's screen in a frame, the state line, then the latest events. */
export const stage = (
  size: { readonly cols: number; readonly rows: number },
  screen: string,
  state: string,
  recent: ReadonlyArray<string>
): ReadonlyArray<StageRow> => {
  const row = (text: string, style: StageRow["style"] = "plain"): StageRow => ({
    text: [...text].slice(0, size.cols).join(""),
    style
  })
  const { cols, rows } = screenSize(size)
  const screenRows = screen
    .split("\n")
    .slice(0, rows)
    .map((line) => row(`│ ${[...line].slice(0, cols).join("")}`))
  const stageRows = [
    row(`╭─ the hosted CLI ${"─".repeat(Math.max(0, size.cols - 18))}`, "faint"),
    ...screenRows,
    ...Array.from({ length: rows - screenRows.length }, () => row("│")),
    row(`╰${"─".repeat(Math.max(0, size.cols - 1))}`, "faint"),
    row(state, "bold"),
    row(""),
    ...recent
      .flatMap((text) => text.split("\n"))
      // A long line is wrapped, not cut: it may be a command to copy.
      .flatMap((text) => text.match(new RegExp(`.{1,${size.cols}}`, "gu")) ?? [""])
      .slice(-recentRows(size.rows))
      .map((text) => row(text, "faint"))
  ]
  return Array.from({ length: size.rows }, (_, y) => stageRows[y] ?? row(""))
}

const recentRows = (rows: number): number => Math.max(2, Math.min(8, Math.floor(rows / 3)))

export const screenSize = (size: { readonly cols: number; readonly rows: number }) => ({
  cols: Math.max(20, size.cols - 2),
  rows: Math.max(6, size.rows - recentRows(size.rows) - 4)
})

import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import type { Footage, Shows, Still } from "./footage.ts"
import { listOf, type RecordedCli } from "./recordings.ts"
import { cut, Cuts } from "../data/streams.ts"
import { isThorough } from "../run/thorough.ts"
import type { WholeSession } from "../WholeSession.ts"

/** How much further than usual to look: so many times the runs. */
const factor = Number(process.env["LEAP_LOOK_FURTHER"] ?? 1)
/** A quarter of the runs in the ordinary test command. */
export const runsOf = (runs: number) => ({
  arbitrary: {
    runs: factor === 1 && !isThorough ? Math.ceil(runs / 4) : runs * factor
  },
  timeout: 60_000 * factor
})

export const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** Milliseconds between two things that happen: about the bounds that state machines of this kind have. */
export const waits = [0, 50, 200, 500, 2_100, 5_010, 8_010, 10_010, 59_000, 60_010] as const

/** What a terminal sends, whole; scenes cut it. */
export const keystrokes = [
  "x",
  "hello",
  "é",
  "日本",
  "/",
  "\r",
  "\r",
  "\r",
  "\u001b",
  "\u001b",
  "\u0003",
  "\u0004",
  "\u0000",
  "\t",
  "\u007f",
  "\u0015",
  "\n",
  "1",
  "y",
  "?",
  "\u001b[A",
  "\u001b[B",
  "\u001b[C",
  "\u001bOA",
  "\u001bOB",
  "\u001b[1;2A",
  "\u001b[1;5C",
  "\u001bx",
  "\u001bb",
  "\u001b\r",
  "\u001b[27u",
  "\u001b[99;5u",
  "\u001b[13u",
  "\u001b[13;2u",
  "\u001b[27;5;99~",
  "\u001b[Z",
  "\u001b[3~",
  "\u001b[200~two\rlines\u001b[201~",
  "\u001b[200~word\u001b[201~",
  "\u001b[200~never ended\r",
  "\u001b[201~",
  "\u001b[I",
  "\u001b[O",
  "\u001b[<0;10;5M",
  "\u001b[<0;10;5m",
  "\u001b[5;7R",
  "\u001b[?62;1c",
  "\u001b]11;rgb:0000/0000/0000\u0007"
] as const

const weights = {
  still: 24,
  clip: 8,
  key: 18,
  hook: 14,
  status: 5,
  report: 6,
  wait: 17,
  resize: 4,
  cursor: 2,
  queue: 2
} as const
type What = keyof typeof weights
const table = Object.entries(weights).flatMap(([what, weight]) => Array.from({ length: weight }, () => what as What))

/** One thing that happens: which, by weight; the other fields say how, where it matters. */
const Act = Schema.Struct({
  pick: int(table.length - 1),
  shows: Schema.Literals(["dialog", "dialog", "picker", "draft", "rest", "rest", "work", "other"]),
  n: int(9_999),
  how: Schema.Literals(["at once", "cut", "synchronized"]),
  cuts: Cuts,
  wait: Schema.Literals(waits)
})
export type Act = typeof Act.Type
export const Scene = Arbitrary.array(Arbitrary.schema(Act), { minLength: 8, maxLength: 30 })

/** A scene in a line, for people. */
export const tell = (footage: Footage, scene: ReadonlyArray<Act>): string =>
  scene
    .map((act) => {
      const what = table[act.pick] ?? "wait"
      switch (what) {
        case "still":
          return `still(${stillOf(footage, act)?.name}, ${act.how})`
        case "clip":
          return `clip(${clipOf(footage, act)?.to.name})`
        case "key":
          return `key(${JSON.stringify(keyOf(act))})`
        case "hook":
          return `hook(${hookOf(footage, act)?.event})`
        case "report":
          return `report(${JSON.stringify(footage.reports[act.n % footage.reports.length] ?? null)})`
        case "resize":
          return `resize(${sizeOf(act).join("x")})`
        default:
          return what
      }
    })
    .map((text, i) => `${scene[i]!.wait}: ${text}`)
    .join(" · ")

const kindsOf = new WeakMap<Footage, Map<Shows, ReadonlyArray<Still>>>()
const stillOf = (footage: Footage, { n, shows }: Act): Still | undefined => {
  const kinds = kindsOf.get(footage) ?? new Map(Map.groupBy(footage.stills, (still) => still.shows))
  kindsOf.set(footage, kinds)
  const of = kinds.get(shows) ?? footage.stills
  return of[n % of.length]
}
const clipOf = ({ clips }: Footage, { n }: Act) => clips[n % clips.length]
const keyOf = ({ n }: Act) => keystrokes[n % keystrokes.length]!
const hookOf = ({ hooks }: Footage, { n }: Act) => hooks[n % hooks.length]
const sizeOf = ({ n }: Act) =>
  (
    [
      [80, 24],
      [120, 40],
      [200, 60],
      [60, 20],
      [121, 41],
      [40, 12]
    ] as const
  )[n % 6]!

/**
 * What is on the user's screen now, as far as it was placed there; null while it is being drawn, and where a resize may
 * have hurt it.
 */
export interface Stage {
  still: Still | null
  /** The terminal has been resized, or its cursor shown or hidden, since this was drawn: the CLI would draw it anew. */
  touched: boolean
}

/** Makes one thing happen. */
const perform = (session: WholeSession, footage: Footage, stage: Stage, act: Act): void => {
  const draw = (bytes: string, cuts: ReadonlyArray<number>) => {
    for (const piece of cut(bytes, cuts)) session.output(piece)
  }
  const place = (still: Still) => {
    stage.still = null
    stage.touched = false
    const { cols, rows } = session.screenView()
    if (cols !== still.cols || rows !== still.rows) session.resize(still.cols, still.rows)
    const paint = session.undo() + still.paint
    draw(
      act.how === "synchronized" ? `\u001b[?2026h${paint}\u001b[?2026l` : paint,
      act.how === "at once" ? [] : act.cuts
    )
  }
  switch (table[act.pick]) {
    case "still": {
      const still = stillOf(footage, act)
      if (still === undefined) return
      place(still)
      stage.still = still
      return
    }
    case "clip": {
      const clip = clipOf(footage, act)
      if (clip === undefined) return
      place(clip.from)
      for (const { bytes, wait } of clip.chunks) {
        session.wait(wait)
        draw(bytes, act.how === "cut" ? act.cuts.slice(0, 2) : [])
      }
      stage.still = clip.to
      return
    }
    case "key":
      for (const piece of cut(utf8ToLatin1(keyOf(act)), act.how === "cut" ? act.cuts : [])) session.press(piece)
      return
    case "hook": {
      const hook = hookOf(footage, act)
      if (hook !== undefined) session.hook(hook.event, hook.payload)
      return
    }
    case "status":
      if (footage.statuses.length > 0) session.status(footage.statuses[act.n % footage.statuses.length])
      return
    case "report":
      // A report draws nothing.
      if (footage.reports.length > 0)
        draw(footage.reports[act.n % footage.reports.length]!, act.how === "cut" ? act.cuts : [])
      return
    case "resize": {
      const [cols, rows] = sizeOf(act)
      const { still } = stage
      stage.still = null
      stage.touched = true
      session.resize(cols, rows)
      stage.still = still !== null && cols >= still.cols && rows >= still.rows ? still : null
      return
    }
    case "cursor":
      stage.touched = true
      return session.output(act.n % 2 === 0 ? "\u001b[?25l" : "\u001b[?25h")
    case "queue":
      return session.queue(`m${session.now()}-${act.pick}-${act.n}`, `do ${act.n}.`, act.n % 3 === 0)
    default:
  }
}

/** Plays a scene. `stage` says at every moment what was put on the screen. */
export const playScene = (session: WholeSession, footage: Footage, stage: Stage, scene: ReadonlyArray<Act>): void => {
  for (const act of scene) {
    perform(session, footage, stage, act)
    session.wait(act.wait)
  }
}

/** Small ones with dialogs, pickers and drafts of every kind, and some without. */
const chosen: Readonly<Record<RecordedCli, ReadonlyArray<string>>> = {
  claude: [
    "claude/ask-esc",
    "claude/bash-yes",
    "claude/write-yes-80x24",
    "claude-psp/ask-single-80x24",
    "claude-psp/bash-yes-inline",
    "claude-psp/hook-allow-plan",
    "claude-psp/session-mixed-80x24",
    "claude/agents-view",
    "claude/picker-model-80x24",
    "claude-load/picker-config",
    "claude-psp/picker-config-inline",
    "claude-psp/picker-permissions-inline",
    "claude/first-idle-200x60",
    "claude/first-idle-inline",
    "claude-psp/first-idle-inline",
    "claude/bash-mode",
    "claude/quote-dialog",
    "claude-psp/auto-mode-blocked",
    "claude-psp/mode-footers-inline"
  ],
  codex: [
    "codex/approve-ctrl-c",
    "codex/nodaemon-turns",
    "codex/question-plan",
    "codex-more/approve-twice",
    "codex-more/narrow",
    "codex-more/plan-approve-inline",
    "codex-more/resume-other-cwd-80x24",
    "codex/ctrl-c-background",
    "codex/picker-model",
    "codex-more/interrupt-ctrl-c",
    "codex-more/picker-slash-popup",
    "codex-more/x-rename-shortcuts",
    "codex/paste-multiline",
    "codex-more/compose-while-running",
    "codex-more/x-slow-typing-after-failure",
    "codex/error-400-fatal",
    "codex/nodaemon-ctrl-c",
    "codex-more/background-terminal",
    "codex-more/resume-other-cwd-dash-C-80x24"
  ],
  gemini: [
    "gemini/ask-choice-80x24",
    "gemini/ask-text",
    "gemini/edit-once-alt",
    "gemini/shell-once-80x24",
    "gemini/trust-dialog-alt",
    "gemini-more/dialog-resize-alt",
    "gemini-more/shell-once-60x20",
    "gemini/onboarding-auth",
    "gemini/picker-model",
    "gemini/picker-theme",
    "gemini-more/at-menu-alt",
    "gemini-more/picker-resume-80x24",
    "gemini/picker-theme-80x24",
    "gemini/unicode",
    "gemini-more/short-paste",
    "gemini/cmd-help",
    "gemini/first-idle-80x24",
    "gemini/resume-1-latest",
    "gemini-more/error-then-prompt"
  ],
  copilot: [
    "copilot/ask-choice-80x24",
    "copilot/edit-once",
    "copilot/shell-once-80x24",
    "copilot/write-once",
    "copilot/trust-dialog",
    "copilot-more/load-ask-choice",
    "copilot-more/shell-no-80x24",
    "copilot/at-menu",
    "copilot/picker-theme",
    "copilot-more/ask-aside",
    "copilot-more/slash-menu-80x24",
    "copilot/unicode-80x24",
    "copilot/compose-idle",
    "copilot/cmd-clear",
    "copilot/hook-stop-block",
    "copilot/stalled-stream",
    "copilot-more/error-429-for-good"
  ],
  opencode: [
    "opencode/external-directory",
    "opencode/permission-once",
    "opencode-more/always-cancel",
    "opencode-more/mini-simple-80x24",
    "opencode-more/permission-reject",
    "opencode-more/question-tabs",
    "opencode/onboarding-no-provider",
    "opencode/picker-models",
    "opencode-more/picker-others-80x24",
    "opencode-more/picker-palette",
    "opencode/compose-while-running",
    "opencode/auto-approve",
    "opencode/resume-0-first-session",
    "opencode-more/compact",
    "opencode-more/simple-reply-200x60"
  ]
}

/** Recordings to cut up for scenes: always the same few; all of them when looking further. */
export const chosenRecordings = (cli: RecordedCli): ReadonlyArray<string> => (factor > 1 ? listOf(cli) : chosen[cli])

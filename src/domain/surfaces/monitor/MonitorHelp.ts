import { wrap } from "../tui/Cells.ts"
import { entryRows, hintsIn } from "../tui/List.ts"
import { filled, padLine, span, type StyledLine } from "../tui/Paint.ts"
import { emptyHint } from "./EmptyRows.ts"
import { mayRetry, type MonitorState, runs, selectedOf } from "./MonitorState.ts"

const keys: ReadonlyArray<readonly [string, string]> = [
  ["↑ ↓ j k", "select; PgUp PgDn Home End; a click selects, the wheel scrolls"],
  ["Enter", "attach: the session's screen in this terminal, until you detach; an ended one is resumed"],
  ["s", "send a message to it"],
  ["e", "its queue client: see and change what waits"],
  ["E", "its directory in your editor: the setting 'editor', VISUAL, EDITOR, or the desktop's own"],
  ["a", "answer its dialog: an option, or a text with t"],
  ["i", "interrupt its turn"],
  ["t", "try its failed messages again, and let go what waits behind them"],
  ["m", "its modes: answers by policy, messages while background work lives, going on after a limit"],
  ["u", "mute it, for an hour or until you unmute it; or unmute it"],
  ["z", "dismiss what it needs of you: no list shows or tells it again"],
  ["x", "stop it"],
  ["n", "start a session: its CLI, name, directory and first message are asked for"],
  ["r", "resume it, where it has ended; else pick an earlier conversation"],
  ["R", "resume all that a crash or a reboot ended; what is queued stays held"],
  ["v", "move it to another directory, and open that in your editor if you say so"],
  ["f", "forget it, where it has ended"],
  ["c", "what it has changed: Tab the next file, ↑ ↓ its patch, ← → sideways, r looks again, f finishes its worktree"],
  ["y", "copy its tag, directory, last message or answer to the clipboard"],
  ["Space", "mark it: s i t m u x r f are for all that are marked; * marks all that are listed, Esc none"],
  ["/", "filter as you type: tag, CLI, state, directory, branch; Esc shows all"],
  ["o", "order: what needs you first, by name, newest change first"],
  ["p", "show or hide the details and the screen"],
  ["?", "these keys (F1)"],
  ["Ctrl+L", "draw all again"],
  ["q", "leave (Ctrl+C); the sessions go on"]
]

const signs =
  "! permission, or trouble · ? question · ▶ running · ◎ background work · ○ idle · ◇ interrupted · … starting · " +
  "× ended · ~ its host does not answer"

const rowsOf = (cols: number): ReadonlyArray<StyledLine> => {
  const entry = (name: string, does: string) => entryRows(name, does, 10, cols)
  return [
    [span("Keys", "plain", true)],
    ...keys.flatMap(([name, does]) => entry(name, does)),
    [span("Signs", "plain", true)],
    ...wrap(signs, cols, Infinity).map((row): StyledLine => [span(row)]),
    [span("Columns", "plain", true)],
    ...entry("Q", "messages that wait, +h those that are held, +f those that are given up"),
    ...entry("CTX", "how full the context is; ! from 90 % on"),
    ...entry(
      "MODES",
      "auto: dialogs are answered by policy; send: messages go out while background work lives; " +
        "night: it goes on by itself after a limit; mute: nobody is told of it"
    ),
    ...entry("WHY", "≠ a file that other sessions were about to write, too, in the last ten minutes, and which"),
    ...entry("BRANCH", "with *n: n tracked files are changed")
  ]
}

/** The help from row `top` on, in exactly `rows` lines. */
export const helpLines = (cols: number, rows: number, top: number): ReadonlyArray<StyledLine> => {
  const all = rowsOf(cols)
  const first = Math.max(0, Math.min(top, all.length - rows))
  return filled(all.slice(first), cols, rows)
}

export const helpMost = (cols: number, rows: number): number => Math.max(0, rowsOf(cols).length - rows)

const hintOf = (state: MonitorState): string => {
  const { mode } = state
  switch (mode._tag) {
    case "List": {
      if (state.sessions.size === 0) return emptyHint(state)
      const session = selectedOf(state)
      if (session !== null && !runs(session))
        return "? keys · q leave · Enter r resume · R all that a crash ended · n new · f forget · / filter · Space mark"
      const again = session !== null && mayRetry(session) ? "t try again · " : ""
      return state.marked.size > 0
        ? `${state.marked.size} marked · ? keys · Esc unmark · s send · i interrupt · t try again · m modes · ` +
            "u mute · x stop · r resume · f forget"
        : `${again}Enter attach · ? keys · q leave · n new · s send · a answer · e queue · / filter · Space mark · ` +
            "c changes · i interrupt · m modes · u mute · x stop · y copy"
    }
    case "Filter":
      return "type to filter · ↑ ↓ select · Enter keeps the filter · Esc shows all"
    case "Write":
      return mode.purpose._tag === "Send"
        ? "Enter queues it · Alt+Enter line · Esc leaves"
        : "Enter answers · Esc leaves"
    case "Answer":
      return "↑ ↓ or its number marks an option · Enter answers · t a text · Esc leaves"
    case "Choose":
      return "a key chooses · Esc leaves"
    case "Changes":
      return [
        "↑ ↓ scroll · Tab next file",
        ...(mode.worktree ? ["f finish"] : []),
        "Esc back · ← → sideways · r look again · Shift+Tab file before"
      ].join(" · ")
    case "Help":
      return "↑ ↓ scroll · any other key goes back"
  }
}

/** As many hints as fit. In the list '? keys' is among the first, and leads to all keys. */
export const hintLine = (state: MonitorState, cols: number): StyledLine =>
  padLine([span(hintsIn(hintOf(state).split(" · "), cols), "faint")], cols)

import type { TerminalNotices } from "../../store/settings/NotifySettings.ts"
import { toBase64, utf8ToLatin1 } from "../../words/text/Bytes.ts"
import { oneLine } from "../../words/text/printable.ts"
import { bodyOf, type Notice } from "./Notice.ts"

type Environment = Readonly<Record<string, string | undefined>>
type Form = Exclude<TerminalNotices, "auto" | "off">

/** The sequence that this environment's terminal is known to read, else the bell. */
export const noticeForm = (env: Environment): Form => {
  const term = env["TERM"] ?? ""
  if (env["TMUX"] || env["STY"] || /^(?:tmux|screen)\b/.test(term)) return "bell"
  if (env["KITTY_WINDOW_ID"] || term === "xterm-kitty") return "osc99"
  const program = env["TERM_PROGRAM"] ?? ""
  if (/^(?:ghostty|WezTerm)$/i.test(program) || /^(?:foot|rxvt-unicode|xterm-ghostty|wezterm|contour)/.test(term))
    return "osc777"
  if (/^(?:iTerm\.app|WarpTerminal)$/.test(program) || env["LC_TERMINAL"] === "iTerm2") return "osc9"
  return "bell"
}

const st = "\x1b\\"
/** Without semicolons, which would end the parameter. */
const field = (text: string, limit: number): string => oneLine(text, limit).replaceAll(";", ",")

/** The bytes (latin1) of a notice for a terminal, "" for none. Its texts cannot end the sequence. */
export const terminalNotice = (notice: Notice, setting: TerminalNotices, env: Environment): string => {
  const form = setting === "auto" ? noticeForm(env) : setting
  const title = `leap: ${oneLine(notice.title, 100)}`
  const body = oneLine(bodyOf(notice).replaceAll("\n", " · "), 400)
  switch (form) {
    case "off":
      return ""
    case "bell":
      return "\x07"
    case "osc9":
      return utf8ToLatin1(`\x1b]9;${title}: ${body}${st}`)
    case "osc777":
      return utf8ToLatin1(`\x1b]777;notify;${field(title, 120)};${field(body, 400)}${st}`)
    case "osc99": {
      const part = (text: string): string => toBase64(utf8ToLatin1(text))
      return `\x1b]99;i=leap:d=0:e=1:p=title;${part(title)}${st}\x1b]99;i=leap:d=1:e=1:p=body;${part(body)}${st}`
    }
  }
}

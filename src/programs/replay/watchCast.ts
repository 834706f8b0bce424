import type { ScreenSample, WatchedPrompt } from "../../domain/cli/provider/proposePatterns.ts"
import type * as Cast from "../../domain/terminal/recording/Cast.ts"
import { stripControls } from "../../domain/engine/queue/MessageText.ts"
import type { ScreenHandle } from "../../services/Screen.ts"

/** The least time between two samples of a screen, in milliseconds: a spinner turns no faster. */
const sampleInterval = 60
const samplesAtMost = 5_000

/** What a recording showed, and what was typed and sent in it. `screen`: a fresh one of the recording's size. */
export const watchCast = (lines: ReadonlyArray<Cast.CastLine>, screen: ScreenHandle) => {
  const encoder = new TextEncoder()
  const samples: Array<ScreenSample> = []
  const prompts: Array<WatchedPrompt> = []
  let typed = { from: 0, text: "" }
  const sample = (at: number) => {
    const view = screen.view()
    const before = samples.at(-1)
    if (!view.whole || samples.length >= samplesAtMost) return
    // The last sample of a moment counts.
    if (before !== undefined && at - before.at < sampleInterval) samples.pop()
    samples.push({ at, lines: view.lines, title: view.title })
  }
  for (const [seconds, code, data] of lines) {
    const at = seconds * 1000
    if (code === "o") {
      screen.feed(encoder.encode(data))
      sample(at)
    } else if (code === "i") {
      // The text before the first carriage return is sent, that after the last begins the next; pastes send nothing.
      const [text = "", ...more] = data
        .replaceAll(/\u001b\[200~[^]*?\u001b\[201~/g, (paste) => paste.replaceAll("\r", "\n"))
        .split("\r")
      if (typed.text === "") typed = { from: at, text: "" }
      typed = { ...typed, text: edited(typed.text, text) }
      if (more.length === 0) continue
      prompts.push({ ...typed, at })
      typed = { from: at, text: edited("", more.at(-1) ?? "") }
    } else if (code === "r") {
      const [cols = 0, rows = 0] = data.split("x").map(Number)
      if (cols > 0 && rows > 0) screen.resize(cols, rows)
    }
  }
  return { samples, prompts }
}

/** Applies keys to a text, including those that delete. */
const edited = (text: string, keys: string): string => {
  let result = text
  for (const char of keys.replaceAll(/\u001b\[20[01]~/g, "")) {
    if (char === "\u007f" || char === "\b") result = result.slice(0, -1)
    else if (char === "\u0015" || char === "\u0003") result = ""
    else result += char
  }
  return stripControls(result)
}

import { anthropicKinds } from "./anthropic.ts"
import { anywhere, type Kind } from "./Kind.ts"
import { geminiKinds } from "./gemini.ts"
import { openaiKinds } from "./openai.ts"

/** Where a CLI tells one kind as another, the difference cannot be read. */
const toldAs: Readonly<Record<string, Readonly<Record<string, Kind["right"]>>>> = {
  // It waits for the network within the turn; and calls a plan without Codex a limit.
  codex: { refused: null, "usage-not-included": "rate_limited" },
  // What it runs on takes a 407 for a failed connection.
  gemini: { "gateway-407": "network" },
  // A refusal is no reply to it.
  copilot: { refusal: "unknown", "incomplete-filter": null },
  // It tries again with a status that it has no words for.
  opencode: { "gateway-520": "unknown" }
}

/** Replies without a fault of form. */
const whole = new Set(
  (
    "refusal refusal-after-text max-tokens context-window-exceeded incomplete-filter content-filter prompt-blocked " +
    "safety blocklist spii language other too-many-calls recitation malformed-call empty"
  ).split(" ")
)

/** The kinds of weather that this CLI can meet, each as it tells it. */
export const kindsOf = (cli: string): ReadonlyArray<Kind> =>
  [
    ...anywhere,
    ...(cli === "claude" ? anthropicKinds : cli === "gemini" ? geminiKinds : openaiKinds(cli === "opencode"))
  ].map((kind) => {
    const right = toldAs[cli]?.[kind.name]
    const told = right === undefined ? kind : { ...kind, right }
    // Gemini CLI ended such a turn behind a tool's result as if it were answered; whether it says so anywhere is open.
    const silent = cli === "gemini" && kind.name === "unavailable-in-stream"
    return silent || whole.has(kind.name) ? { ...told, ends: true } : told
  })

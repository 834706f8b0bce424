import type { Stage } from "../ScenarioStage.ts"
import * as claude from "./claude.ts"
import { codex } from "./codex.ts"
import { copilot } from "./copilot.ts"

interface Staged {
  readonly stage: Stage
  readonly transcript?: (entry: string, timestamp: string) => unknown
}

const all: Readonly<Record<string, Staged>> = {
  claude: { stage: claude.claude, transcript: claude.transcript },
  codex: { stage: codex, transcript: (entry, at) => claude.transcript(entry.replace(/^claude's /, ""), at) },
  copilot: { stage: copilot }
}

const of = (provider: string) => {
  const found = all[provider]
  if (found === undefined) throw new Error(`no stage for ${provider}`)
  return found
}

/** How the screens of a CLI look. */
export const stages = (provider: string): Stage => of(provider).stage

/** A record of a CLI's transcript, by the name that traces give it. */
export const transcripts = (provider: string, entry: string, at: Date): unknown => {
  const { transcript } = of(provider)
  if (transcript === undefined) throw new Error(`no transcript for ${provider}`)
  return transcript(entry, at.toISOString())
}

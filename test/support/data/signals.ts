import type { Signal } from "../../../src/domain/words/session/Signal.ts"

type Of<Tag extends Signal["_tag"]> = Extract<Signal, { readonly _tag: Tag }>

/** Signals as hooks give them, each said by what it holds. */
export const toolStarted = (
  tool: string,
  id: string | null = null,
  agent: string | null = null
): Of<"ToolStarted"> => ({ _tag: "ToolStarted", tool, id, agent })
export const toolEnded = (tool: string, id: string | null = null, agent: string | null = null): Of<"ToolEnded"> => ({
  _tag: "ToolEnded",
  tool,
  id,
  agent
})
export const asked = (kind: Of<"Asked">["kind"], tool: string | null, message: string): Of<"Asked"> => ({
  _tag: "Asked",
  kind,
  tool,
  message
})
export const turnStarted = (prompt: string | null, own = false): Of<"TurnStarted"> => ({
  _tag: "TurnStarted",
  prompt,
  own
})
export const turnEnded = (
  response: string | null = null,
  background: Of<"TurnEnded">["background"] = null
): Of<"TurnEnded"> => ({ _tag: "TurnEnded", response, background })

import { Result } from "effect"
import type { WiredFile } from "./HookWiring.ts"

/** The name of leap's hook script. Every file of leap's own mentions it, and is recognised by it. */
const marker = "leap-hook.sh"

/** A file that is leap's alone: it has leap's content and is deleted with leap's wiring. */
export const ownFile = (path: string, content: string): WiredFile => ({
  path,
  install: (text) =>
    text === null || text.includes(marker)
      ? Result.succeed(content)
      : Result.fail({
          line: null,
          column: null,
          why: "leap needs a file of this name, and one that is not leap's is there"
        }),
  remove: (text) => Result.succeed(text?.includes(marker) === true ? null : text),
  status: (text) => {
    if (text === content) return { state: "installed", details: [] }
    if (text === null) return { state: "missing", details: ["it is not there"] }
    return text.includes(marker)
      ? { state: "outdated", details: ["it is of another version of leap"] }
      : { state: "unreadable", details: ["a file of this name that is not leap's is there"] }
  }
})

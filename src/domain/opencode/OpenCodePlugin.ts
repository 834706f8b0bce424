/** What OpenCode's own events are called where they tell of a session's state. */
export const toldEvents = [
  "session.created", "session.deleted", "session.status", "session.idle", "session.error", "session.compacted", "permission.asked",
  "permission.replied", "question.asked", "question.replied", "question.rejected"
] as const

/** The plugin's other hooks, told of under `hook.` and their name. */
export const toldHooks = ["chat.message", "tool.execute.before", "tool.execute.after", "experimental.session.compacting"] as const

/** Told of once a text of the answer is whole; all that goes before is the same again, piece by piece. */
export const toldPart = "message.part.updated"

/**
 * The plugin that leap puts into OpenCode. It runs inside OpenCode's own process, so it writes what the hook script would
 * write: the event in a hidden file, and an empty one beside it when that is whole. It has no dependency, does nothing
 * outside leap, and keeps every failure to itself.
 */
export const openCodePlugin = `// leap's plugin for OpenCode: tells the leap host that runs this session what happens in it, as leap-hook.sh does for
// other CLIs. Put here by "leap hooks install", taken away by "leap hooks remove". Outside leap it does nothing.
import { readFileSync, writeFileSync } from "node:fs"

const told = new Set(${JSON.stringify(toldEvents)})
let count = 0

const tell = (event, payload) => {
  try {
    const dir = process.env.LEAP_SIGNAL_DIR
    if (!dir) return
    const body = JSON.stringify(payload)
    let caller = ""
    try {
      caller = readFileSync("/proc/" + process.pid + "/stat", "utf8")
    } catch {}
    const name = event + "," + process.pid + "," + process.pid + "," + count++
    const head = "leap-hook 1 " + event + " " + process.pid + "\\n"
    writeFileSync(dir + "/." + name, head + caller + body, { mode: 0o600, flag: "wx" })
    writeFileSync(dir + "/" + name, "", { mode: 0o600, flag: "wx" })
  } catch {}
}

const isWholeText = ({ properties, type }) => {
  const part = type === ${JSON.stringify(toldPart)} ? properties?.part : null
  return part?.type === "text" && typeof part.time?.end === "number"
}

export const LeapPlugin = async () => ({
  event: async ({ event } = {}) => {
    if (told.has(event?.type) || isWholeText(event ?? {})) tell(event.type, event.properties ?? null)
  },
  "chat.message": async (input, output) => tell("hook.chat.message", { input, output }),
  "tool.execute.before": async (input, output) => tell("hook.tool.execute.before", { input, output }),
  "tool.execute.after": async (input, output) => tell("hook.tool.execute.after", { input, output: { title: output?.title } }),
  "experimental.session.compacting": async (input) => tell("hook.experimental.session.compacting", { input, output: null })
})
`

import { textPartEvent, wiredEvents } from "./Hooks.ts"
import { decidedEvents } from "./Permissions.ts"

const told = wiredEvents.map(({ event }) => event).filter((it) => !it.startsWith("hook.") && it !== textPartEvent)

/** Reported when a message is complete, and when a session's totals change: the session's usage and cost. */
export const usageEvents = ["message.updated", "session.updated"] as const

/**
 * The plugin that leap installs in OpenCode. It runs in OpenCode's own process and writes what the hook script would:
 * the event in a hidden file, and then an empty file beside it, which marks the first as complete. For an event on
 * which the host decides it waits for the answer, under the script's conditions and time limit. It has no dependency,
 * does nothing outside leap, and never throws its own failures.
 */
export const opencodePlugin = `// leap's plugin for OpenCode: tells the leap host that runs this session what happens\
 in it, as leap-hook.sh does for
// other CLIs. Put here by "leap hooks install", taken away by "leap hooks remove". Outside leap it does nothing.
import { readFileSync, writeFileSync } from "node:fs"

const told = new Set(${JSON.stringify(told)})
const agents = new Map()
const explained = new Set()
let count = 0

const put = (path, text) => writeFileSync(path, text, { mode: 0o600, flag: "wx" })

const tell = (event, payload) => {
  try {
    const dir = process.env.LEAP_SIGNAL_DIR
    if (!dir) return null
    const body = JSON.stringify(payload)
    let caller = ""
    try {
      caller = readFileSync("/proc/" + process.pid + "/stat", "utf8")
    } catch {}
    const name = event + "," + process.pid + "," + process.pid + "," + count++
    const head = "leap-hook 1 " + event + " " + process.pid + "\\n"
    put(dir + "/." + name, head + caller + body)
    put(dir + "/" + name, "")
    return { dir, name }
  } catch {
    return null
  }
}

// The host that lists this event among those it decides on; null when there is none.
const decider = (dir, event) => {
  const [mark, version, host, ...events] = readFileSync(dir + "/decision", "utf8").split("\\n", 1)[0].split(" ")
  return mark === "leap-decision" && version === "2" && /^[1-9]\\d*$/.test(host) && events.includes(event) ?\
 Number(host) : null
}

// What the host left to be said of this event while it does not answer; null for nothing.
const unanswered = (event) => {
  try {
    return JSON.parse(readFileSync(process.env.LEAP_SIGNAL_DIR + "/silent," + event, "utf8"))
  } catch {
    return null
  }
}

// What the host answers; null to leave all as it is.
const decided = async (event, payload) => {
  const answer = await answered(event, payload)
  return answer === undefined ? unanswered(event) : answer
}

// The same; undefined where there is no answer: it does not decide on this, it is gone, or it takes too long.
const answered = async (event, payload) => {
  const written = tell(event, payload)
  if (written === null) return undefined
  const { dir, name } = written
  try {
    const host = decider(dir, event)
    for (let round = 0; host !== null && round < 60; round++) {
      let lines = []
      try {
        lines = readFileSync(dir + "/reply," + name, "utf8").split("\\n")
      } catch {}
      if (lines[0] === "leap-reply 1 " + name && lines[2] === "end") {
        const answer = lines[1] === "" ? null : JSON.parse(lines[1])
        put(dir + "/taken," + name, "")
        return answer
      }
      process.kill(host, 0)
      await new Promise((resolve) => setTimeout(resolve, round < 10 ? 3 : round < 22 ? 10 : 50))
    }
    if (host !== null) put(dir + "/gave-up," + name, "")
  } catch {}
  return undefined
}

// A rejection ends the turn, unless it says why: only the newer of the two ways takes that.
const reply = async (client, { id, sessionID }, { message, reply }) => {
  if (reply !== "once" && reply !== "reject") return
  try {
    if (reply === "reject") {
      explained.add(id)
      const done = await client._client.post({
        url: "/permission/{requestID}/reply",
        path: { requestID: id },
        body: { reply, message },
        headers: { "Content-Type": "application/json" }
      })
      if (done.response.ok) return
    }
  } catch {}
  explained.delete(id)
  try {
    await client.postSessionIdPermissionsPermissionId({ path: { id: sessionID, permissionID: id }, body: { response:\
 reply } })
  } catch {}
}

const note = ({ properties, type }) => {
  const info = properties?.info
  if (type === "session.created" && info?.parentID) agents.set(info.id, info.agent ?? "subagent")
  if (type === "session.deleted") agents.delete(info?.id)
}

const windows = new Map()
const latest = new Map()

// Whether this is news: messages have ids that grow, and sums are told at each step whether or not they changed.
const isNew = (key, value, newer) => {
  const before = latest.get(key)
  if (before !== undefined && !newer(value, before)) return false
  if (latest.size > 500) latest.clear()
  latest.set(key, value)
  return true
}

const tellUsage = ({ properties, type }) => {
  const info = properties?.info
  if (type === ${JSON.stringify(usageEvents[0])} && info?.role === "assistant" &&\
 typeof info.time?.completed === "number") {
    const { cost, id, modelID, providerID, role, sessionID, tokens } = info
    if (!isNew("message " + sessionID, id, (a, b) => a > b)) return
    tell(type, { sessionID, info: { id, sessionID, role, providerID, modelID, cost, tokens }, window:\
 windows.get(providerID + "/" + modelID) ?? null })
  } else if (type === ${JSON.stringify(usageEvents[1])} && info?.tokens?.output > 0) {
    const { cost, id, model, parentID, tokens } = info
    if (isNew("session " + id, JSON.stringify([cost, tokens]), (a, b) => a !== b)) tell(type, { sessionID: id, info:\
 { id, parentID, model, cost, tokens } })
  }
}

const isWholeText = ({ properties, type }) => {
  const part = type === ${JSON.stringify(textPartEvent)} ? properties?.part : null
  return part?.type === "text" && typeof part.time?.end === "number"
}

export const LeapPlugin = async ({ client, directory, worktree } = {}) => {
  const where = (session) => ({ agent: agents.get(session), cwd: directory, worktree })
  return {
    event: async ({ event } = {}) => {
      if (event?.type === ${JSON.stringify(decidedEvents.permission)}) {
        const asked = event.properties
        // Nothing waits for this, so that the events behind it are not kept.
        void decided(event.type, { ...asked, ...where(asked?.sessionID) }).then((answer) => answer === null ? null :\
 reply(client, asked, answer))
      } else if (told.has(event?.type) || isWholeText(event ?? {})) {
        note(event)
        tell(event.type, explained.delete(event.properties?.requestID) ? { ...event.properties, explained: true } :\
 event.properties ?? null)
      } else tellUsage(event ?? {})
    },
    // How much a model takes is told nowhere else.
    "chat.params": async (input) => {
      const model = input?.model
      windows.set(model?.providerID + "/" + model?.id, model?.limit?.context)
    },
    "chat.message": async (input, output) => void tell("hook.chat.message", { input, output }),
    "tool.execute.before": async (input, output) => {
      const answer = await decided(${JSON.stringify(decidedEvents.tool)}, { input, output,\
 ...where(input?.sessionID) })
      // The model is told so, and the turn goes on.
      if (typeof answer?.refuse === "string") throw new Error(answer.refuse)
    },
    "tool.execute.after": async (input, output) => void tell("hook.tool.execute.after", { input, output: { title:\
 output?.title } }),
    "experimental.session.compacting": async (input) => void tell("hook.experimental.session.compacting", { input,\
 output: null })
  }
}
`

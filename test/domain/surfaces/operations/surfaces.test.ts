// Which surface offers which operation of a session: an operation that is added stands here for each of them, offered or
// with why not. What a surface offers is found in its own source, and in the actions that it shows.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import {
  type Action,
  type ActionFacts,
  messageActions,
  modeActions,
  muteActions,
  needActions,
  queueActions,
  stopActions,
  turnActions
} from "../../../../src/domain/surfaces/operations/actions.ts"
import { callCommands } from "../../../../src/domain/surfaces/operations/callCommands.ts"
import { Call, callNames } from "../../../../src/domain/surfaces/operations/calls.ts"
import {
  changes,
  type OperationName,
  operations,
  repeats,
  rightOf
} from "../../../../src/domain/surfaces/operations/operations.ts"
import { commandNames } from "../../../../src/domain/words/session/tagRules.ts"
import { toolOperation } from "../../../../src/programs/mcp/tools.ts"
import { HostRpc } from "../../../../src/services/HostRpc.ts"

const names = Object.keys(operations) as ReadonlyArray<OperationName>

const surfaces = [
  "command",
  "quick",
  "page",
  "monitor",
  "queue client",
  "menu",
  "MCP",
  "ACP",
  "Slack",
  "library"
] as const
type Surface = (typeof surfaces)[number]

const offered = "offered"
const frames = "by its own frames"
const terminal = "a terminal is not an agent's"
const usersQueue = "an agent has no say over the user's queue"
const shown = "it is shown all the time"
const whole = "what goes on, or ends a host that hangs, the whole program does"
const told = "'leap doctor --json' tells them, and a collector"
const ownViewer = "a viewer's own, which it is not"
const typed = "typed into the screen itself"
const editors = "an editor has its own box, queue and screen"
const thread = "a thread tells, sends, takes back and answers; nobody leaves a terminal for the rest"
const connects = "a program has the host's client for it (ControlSocket.connect)"
const agents = "it is leave for an agent"
const attached = "Enter attaches, and its menu does it"
const queues = "e opens the queue client, which does it"
const inBox = "the box is the attached terminal's"
const toFile = "it makes a file: 'leap record'"

/** In the order of `surfaces`. */
const cells: Readonly<Record<OperationName, ReadonlyArray<string>>> = {
  Hello: [
    offered,
    "with each connection",
    frames,
    "by its feed",
    "when it connects",
    offered,
    "by its handshake",
    "by its handshake",
    "when it connects",
    "when it connects"
  ],
  Status: [offered, offered, frames, "by its feed", shown, offered, offered, offered, "by its feed", offered],
  Why: [
    offered,
    offered,
    offered,
    attached,
    "its list says the reason",
    offered,
    "its reason is in the status",
    editors,
    thread,
    connects
  ],
  Changes: [
    offered,
    offered,
    offered,
    offered,
    "its screen's menu shows them",
    offered,
    "an agent asks git",
    editors,
    thread,
    connects
  ],
  Finish: [
    offered,
    whole,
    offered,
    offered,
    "the monitor and the command do it",
    "the monitor and the command do it",
    "what becomes of its work is the user's word",
    editors,
    thread,
    connects
  ],
  Watch: [offered, whole, frames, "by its feed", offered, offered, offered, offered, "by its feed", offered],
  Send: [offered, offered, offered, offered, offered, offered, offered, offered, offered, offered],
  Post: [agents, agents, agents, agents, agents, agents, "asked for by sending", agents, agents, agents],
  Receipt: [
    offered,
    whole,
    frames,
    "by its feed",
    shown,
    shown,
    "by looking again",
    "by its turn",
    "by reactions",
    offered
  ],
  Response: [
    offered,
    whole,
    frames,
    "by its feed",
    offered,
    "on the screen",
    offered,
    "by its turn",
    "by its feed",
    connects
  ],
  Queue: [offered, offered, frames, "by its feed", shown, offered, offered, editors, thread, connects],
  QueueEdit: [offered, offered, offered, queues, offered, offered, usersQueue, editors, offered, connects],
  QueueMove: [offered, offered, offered, queues, offered, offered, usersQueue, editors, thread, connects],
  QueueRemove: [offered, offered, offered, queues, offered, offered, usersQueue, offered, offered, connects],
  QueueClear: [offered, offered, offered, queues, offered, offered, usersQueue, editors, thread, connects],
  QueueRelease: [offered, offered, offered, queues, offered, offered, usersQueue, editors, thread, connects],
  QueueRetry: [offered, offered, offered, offered, offered, offered, usersQueue, editors, thread, connects],
  QueueHold: [offered, offered, offered, queues, offered, offered, usersQueue, editors, thread, connects],
  QueueForce: [offered, offered, offered, queues, offered, offered, usersQueue, editors, thread, connects],
  Answer: [offered, offered, offered, offered, offered, offered, offered, offered, offered, offered],
  Keys: [offered, offered, typed, attached, offered, typed, terminal, editors, thread, connects],
  Interrupt: [
    offered,
    offered,
    offered,
    offered,
    offered,
    offered,
    "it would take the user's turn",
    offered,
    thread,
    offered
  ],
  Draft: [inBox, inBox, offered, attached, inBox, offered, terminal, editors, thread, connects],
  TakeDraft: [inBox, inBox, offered, attached, inBox, offered, terminal, editors, thread, connects],
  PutDraft: [inBox, inBox, offered, attached, inBox, offered, terminal, editors, thread, connects],
  Recall: [ownViewer, ownViewer, typed, ownViewer, ownViewer, offered, terminal, editors, ownViewer, ownViewer],
  Stop: [
    offered,
    whole,
    offered,
    offered,
    "it is left: the session goes on",
    offered,
    offered,
    "the editor's end is not the session's",
    thread,
    offered
  ],
  SetModes: [
    offered,
    offered,
    offered,
    offered,
    offered,
    offered,
    "the user's policy is not an agent's",
    offered,
    thread,
    connects
  ],
  Dismiss: [
    offered,
    offered,
    offered,
    offered,
    offered,
    offered,
    "the user's attention is not an agent's",
    editors,
    thread,
    connects
  ],
  Seen: [
    "who prints does not look",
    "who prints does not look",
    offered,
    offered,
    offered,
    "its keys tell",
    "an agent is not the user",
    "an editor may be left open",
    "a thread may be left open",
    connects
  ],
  Figures: [offered, told, told, told, told, told, told, told, told, connects],
  Screen: [offered, offered, frames, offered, "it has its CLI beside it", typed, offered, editors, thread, offered],
  Attach: [
    "'leap attach' is the attached terminal",
    whole,
    frames,
    attached,
    ownViewer,
    offered,
    terminal,
    editors,
    ownViewer,
    connects
  ],
  Record: [offered, whole, toFile, offered, toFile, toFile, "it is not for an agent", offered, toFile, connects],
  Input: [ownViewer, ownViewer, frames, ownViewer, ownViewer, offered, terminal, editors, ownViewer, connects],
  Resize: [ownViewer, ownViewer, frames, ownViewer, ownViewer, offered, terminal, editors, ownViewer, connects]
}

const src = new URL("../../../../src/", import.meta.url).pathname
const files = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((file) => files(join(path, file))) : [path]

/** The monitor's command is the monitor, and so is what serves a monitor on another machine. */
const monitorsOwn = ["programs/commands/monitor.ts", "programs/commands/shared/serveHosts.ts"]

/** The operations that the source of a surface calls: by its client, or as a call. */
const called = (...parts: ReadonlyArray<string>): ReadonlyArray<OperationName> => {
  const text = parts
    .flatMap((part) => files(join(src, part)))
    .filter((file) => monitorsOwn.some((own) => parts.includes(own)) || !monitorsOwn.some((own) => file.endsWith(own)))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
  const calls = [/\bclient(?:\.value)?\s*\.\s*(\w+)\(/g, /_tag: "(\w+)"/g, /\bhost\.call\("(\w+)"/g]
  const found = new Set(calls.flatMap((call) => [...text.matchAll(call)].map(([, name]) => name)))
  return names.filter((name) => found.has(name))
}

const message = (id: string, status: string, outcome: string | null = null) => ({ id, status, outcome })
const facts: ActionFacts = {
  tag: "one",
  state: "running",
  queue: [message("A", "done", "failed"), message("B", "queued"), message("C", "held")],
  pauseEnd: null,
  modes: { autoSend: "pause", churn: "wait" }
}
const all = (actions: ReadonlyArray<Action>): ReadonlyArray<OperationName> => actions.map(({ call }) => call._tag)
const turn = all(turnActions(facts))
const modes = all([...modeActions(null), ...muteActions(null, 0), ...stopActions("one")])
const needs = all(needActions([{ kind: "held", since: "", text: "" }]))
const queue = all([...queueActions(facts), ...facts.queue.flatMap((one) => messageActions(facts, one))])

/** What the commands call whose work is one call: for the parser and the quick way alike. */
const oneCall = callCommands.flatMap((command) =>
  [{}, { id: "1", text: "x", position: "1", answer: "1" }].map((given) => command.call(given, 0)._tag)
)

const offers: Readonly<Record<Surface, ReadonlyArray<OperationName>>> = {
  command: [...oneCall, ...called("programs/commands", "programs/sessions", "programs/client")],
  quick: [...oneCall, ...called("quick")],
  page: [...turn, ...modes, ...queue, ...needs, ...called("page")],
  monitor: [
    ...turn,
    ...modes,
    ...needs,
    // the monitor's visit asks as the command does
    ...called("domain/surfaces/monitor", "programs/monitor", ...monitorsOwn, "programs/commands/finish.ts")
  ],
  "queue client": [...needs, ...called("domain/surfaces/queueClient", "programs/queueClient")],
  menu: [...turn, ...modes, ...queue, ...needs, ...called("domain/surfaces/overlay", "programs/attach")],
  MCP: Object.values(toolOperation),
  ACP: called("programs/acp"),
  Slack: called("programs/outgoing"),
  library: called("programs/embed")
}
/** Done through what all who send share. */
const bySendMessage: ReadonlyArray<Surface> = ["ACP", "Slack"]

/** Commands for whole sessions, and whether who sees all of them can do the same there. */
const wholeSessions: Readonly<Record<string, { readonly page: string; readonly monitor: string }>> = {
  start: { page: offered, monitor: offered },
  resume: { page: offered, monitor: offered },
  hand: { page: offered, monitor: offered },
  move: { page: offered, monitor: offered },
  forget: { page: offered, monitor: offered },
  edit: { page: offered, monitor: offered }
}
/** Those that the source of a surface asks for. A page wishes; the monitor has commands, and programs that it visits. */
const asked = (...paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = paths
    .flatMap((path) => files(join(src, path)))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
  const found = [...text.matchAll(/(?:_tag: |what: |visit\(state, )"(\w+)"/g)].map(([, name = ""]) =>
    name.toLowerCase()
  )
  return Object.keys(wholeSessions).filter(
    (name) => found.includes(name) || found.includes(name.replace("edit", "editor"))
  )
}

describe("a command for whole sessions", () => {
  it.each([
    ["page", ["page"]],
    ["monitor", ["domain/surfaces/monitor/actions.ts", "domain/surfaces/monitor/MonitorKeys.ts"]]
  ] as const)("is offered, or there is a reason why not: %s", (surface, paths) => {
    const promised = Object.entries(wholeSessions).filter(([, cells]) => cells[surface] === offered)
    assert.sameMembers(
      [...asked(...paths)],
      promised.map(([name]) => name)
    )
    for (const name of Object.keys(wholeSessions)) assert.include(commandNames, name)
  })
})

describe("an operation of a session", () => {
  it("is a procedure of its host", () => {
    assert.sameMembers([...HostRpc.requests.keys()], [...names])
  })

  it.each(surfaces.map((surface, column) => [surface, column] as const))(
    "is offered, or there is a reason why not: %s",
    (surface, column) => {
      for (const name of names) assert.lengthOf(cells[name], surfaces.length, name)
      const promised = names.filter((name) => cells[name][column] === offered)
      const shared: ReadonlyArray<OperationName> = bySendMessage.includes(surface) ? ["Send"] : []
      assert.sameMembers([...new Set([...offers[surface], ...shared])], promised)
    }
  )

  it("is a call, unless it tells again and again; what is none is refused", () => {
    assert.deepStrictEqual(
      names.filter((name) => !(callNames as ReadonlyArray<string>).includes(name)),
      ["Watch", "Receipt", "Attach", "Record"]
    )
    const isCall = Schema.is(Call)
    assert.isTrue(isCall({ _tag: "QueueHold", id: null }))
    assert.isTrue(isCall({ _tag: "Interrupt" }))
    for (const wrong of [{ _tag: "QueueHold" }, { _tag: "Watch" }, { _tag: "constructor" }, { _tag: "Stop", force: 1 }])
      assert.isFalse(isCall(wrong), JSON.stringify(wrong))
  })

  it("changes something, or takes no more than leave to read, and may be asked again then", () => {
    const of = (is: (name: OperationName) => boolean) => names.filter(is)
    assert.includeMembers(
      of((name) => !changes(name)),
      ["Status", "Queue", "Screen", "Draft"]
    )
    assert.deepStrictEqual(
      of((name) => !repeats(name)),
      ["Finish", "Send", "Post", "QueueRetry", "Answer", "Keys", "Interrupt", "PutDraft", "Recall", "Input"]
    )
    assert.deepStrictEqual(
      of((name) => rightOf(name) === "manage"),
      ["Finish", "Stop", "SetModes"]
    )
    for (const name of of((name) => !changes(name))) assert.notProperty(operations[name], "repeats", name)
  })
})

import { assert, describe, it } from "@effect/vitest"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach } from "vitest"
import { dataName, parseFile, parseName } from "../../../../src/domain/store/hookSpool/HookFile.ts"
import { textPartEvent, wiredEvents } from "../../../../src/domain/providers/opencode/Hooks.ts"
import { opencodePermissions } from "../../../../src/domain/providers/opencode/Permissions.ts"
import { opencodePlugin } from "../../../../src/domain/providers/opencode/WiringPlugin.ts"

const observedHooks = wiredEvents.flatMap(({ event }) => (event.startsWith("hook.") ? [event.slice(5)] : []))
const observedEvents = wiredEvents
  .map(({ event }) => event)
  .filter((event) => !event.startsWith("hook.") && event !== textPartEvent)

type Hook = (...args: ReadonlyArray<unknown>) => Promise<void>

let dir = ""
let loads = 0
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "leap plugin "))
  mkdirSync(join(dir, "spool"))
  process.env["LEAP_SIGNAL_DIR"] = join(dir, "spool")
})
afterEach(() => {
  delete process.env["LEAP_SIGNAL_DIR"]
  rmSync(dir, { recursive: true, force: true })
})

/** The plugin as OpenCode loads it: a module whose every export is called. */
const load = async (context: unknown = {}): Promise<Record<string, Hook>> => {
  const file = join(dir, `leap${loads++}.mjs`)
  writeFileSync(file, opencodePlugin)
  const module = (await import(pathToFileURL(file).href)) as Record<
    string,
    (context: unknown) => Promise<Record<string, Hook>>
  >
  const plugins = Object.values(module)
  assert.strictEqual(plugins.length, 1)
  return (await plugins[0]?.(context)) ?? {}
}

const files = () => {
  const spool = join(dir, "spool")
  const marks = readdirSync(spool)
    .filter((name) => !name.startsWith("."))
    .map((mark) => ({ mark, name: parseName(mark) }))
  return marks
    .flatMap(({ mark, name }) =>
      name === null ? [] : [{ name, file: parseFile(name, readFileSync(join(spool, dataName(mark)), "utf8")) }]
    )
    .sort((a, b) => a.name.count - b.name.count)
}

describe("the plugin", () => {
  it("writes what the hook script writes, with its own process as the caller", async () => {
    const hooks = await load()
    await hooks["event"]?.({
      event: { type: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } }
    })
    const [only] = files()
    assert.strictEqual(files().length, 1)
    assert.deepStrictEqual(only?.name, { event: "session.status", writer: process.pid, parent: process.pid, count: 0 })
    assert.deepStrictEqual(only?.file.payload, { sessionID: "ses_1", status: { type: "busy" } })
    if (process.platform === "linux") assert.strictEqual(only?.file.caller?.pid, process.pid)
    for (const name of readdirSync(join(dir, "spool")))
      assert.strictEqual(statSync(join(dir, "spool", name)).mode & 0o777, 0o600)
  })

  it("tells of every event that leap is promised, in order, and of no other", async () => {
    const hooks = await load()
    const events = [...observedEvents, "message.part.delta", "message.updated", "session.diff", "server.connected"]
    for (const type of events) await hooks["event"]?.({ event: { type, properties: { type } } })
    await hooks["event"]?.({
      event: { type: textPartEvent, properties: { part: { type: "text", text: "Half", time: { start: 1 } } } }
    })
    await hooks["event"]?.({
      event: { type: textPartEvent, properties: { part: { type: "tool", time: { start: 1, end: 2 } } } }
    })
    await hooks["event"]?.({
      event: { type: textPartEvent, properties: { part: { type: "text", text: "Whole.", time: { start: 1, end: 2 } } } }
    })
    for (const name of observedHooks) await hooks[name]?.({ name }, { title: "t", output: "x".repeat(10) })
    assert.deepStrictEqual(
      files().map(({ name }) => name.event),
      [...observedEvents, textPartEvent, ...observedHooks.map((name) => `hook.${name}`)]
    )
    assert.deepStrictEqual(files().at(-3)?.file.payload, {
      input: { name: "tool.execute.before" },
      output: { title: "t", output: "xxxxxxxxxx" }
    })
    // What a tool printed is nothing that leap asks for.
    assert.deepStrictEqual(files().at(-2)?.file.payload, {
      input: { name: "tool.execute.after" },
      output: { title: "t" }
    })
    // of these it only takes notice
    const silent = new Set(["event", "chat.params"])
    assert.deepStrictEqual(
      Object.keys(hooks)
        .filter((name) => !silent.has(name))
        .toSorted(),
      [...observedHooks].toSorted()
    )
  })

  it("tells of usage once for each message that is whole, with the model's window, and once for each change of a session's sums", async () => {
    const hooks = await load()
    const tell = async (type: string, info: unknown) =>
      hooks["event"]?.({ event: { type, properties: { sessionID: "ses_1", info } } })
    const tokens = { input: 876, output: 80, reasoning: 0, cache: { read: 1024, write: 0 } }
    const message = {
      id: "msg_2",
      sessionID: "ses_1",
      role: "assistant",
      providerID: "lab",
      modelID: "large",
      cost: 0.5,
      tokens,
      path: { cwd: "/p" }
    }
    const whole = { ...message, time: { created: 1, completed: 2 } }
    await hooks["chat.params"]?.({ model: { providerID: "lab", id: "large", limit: { context: 200_000 } } }, {})
    await tell("message.updated", { ...message, role: "user", time: { created: 1, completed: 2 } })
    await tell("message.updated", { ...message, time: { created: 1 } })
    await tell("message.updated", whole)
    await tell("message.updated", whole)
    await tell("message.updated", { ...whole, id: "msg_1" })
    const sums = { id: "ses_1", model: { id: "large", providerID: "lab" }, cost: 0.5, tokens, title: "t" }
    await tell("session.updated", { ...sums, cost: 0, tokens: { input: 0, output: 0 } })
    await tell("session.updated", sums)
    await tell("session.updated", { ...sums, title: "another" })
    await tell("session.updated", { ...sums, cost: 0.75 })
    await tell("message.updated", undefined)
    await hooks["chat.params"]?.(undefined, undefined)
    const { path: _, ...told } = message
    const summed = { id: "ses_1", model: sums.model, tokens }
    assert.deepStrictEqual(
      files().map(({ file, name }) => [name.event, file.payload]),
      [
        ["message.updated", { sessionID: "ses_1", info: told, window: 200_000 }],
        ["session.updated", { sessionID: "ses_1", info: { ...summed, cost: 0.5 } }],
        ["session.updated", { sessionID: "ses_1", info: { ...summed, cost: 0.75 } }]
      ]
    )
  })

  it("changes nothing of what OpenCode hands it", async () => {
    const hooks = await load()
    for (const name of observedHooks) {
      const input = Object.freeze({ tool: "bash" })
      const output = Object.freeze({ args: Object.freeze({ a: 1 }), parts: Object.freeze([]) })
      assert.isUndefined(await hooks[name]?.(input, output))
    }
  })

  it("does nothing outside leap, and never throws", async () => {
    const hooks = await load()
    const circular: Record<string, unknown> = {}
    circular["self"] = circular
    const event = { event: { type: "session.idle", properties: circular } }
    await hooks["event"]?.(event)
    await hooks["event"]?.(undefined)
    await hooks["event"]?.({})
    await hooks["event"]?.({ event: { type: "session.idle" } })
    assert.deepStrictEqual(
      files().map(({ file }) => file.payload),
      [null]
    )
    process.env["LEAP_SIGNAL_DIR"] = join(dir, "gone")
    await hooks["event"]?.({ event: { type: "session.idle", properties: {} } })
    process.env["LEAP_SIGNAL_DIR"] = join(dir, "spool")
    chmodSync(join(dir, "spool"), 0o500)
    await hooks["event"]?.({ event: { type: "session.error", properties: {} } })
    chmodSync(join(dir, "spool"), 0o700)
    delete process.env["LEAP_SIGNAL_DIR"]
    await hooks["event"]?.({ event: { type: "session.idle", properties: {} } })
    assert.deepStrictEqual(
      files()
        .map(({ name }) => name.event)
        .filter((name) => name === "session.idle"),
      ["session.idle"]
    )
    assert.notInclude(readdirSync(dir), "gone")
  })
})

const spool = () => join(dir, "spool")
const decide = (host: number, ...events: ReadonlyArray<string>) =>
  writeFileSync(join(spool(), "decision"), `leap-decision 2 ${host} ${events.join(" ")}\n`)
const before = "hook.tool.execute.before"

/** Waits for the plugin's next event, the host's part, and answers it. */
const answer = async (event: string, line: string, head = "leap-reply 1 ") => {
  const mark = await until(() => readdirSync(spool()).find((name) => name.startsWith(`${event},`)))
  writeFileSync(join(spool(), "reply.part"), `${head}${mark}\n${line}\nend\n`)
  renameSync(join(spool(), "reply.part"), join(spool(), `reply,${mark}`))
  return mark
}

const until = async <A>(find: () => A | undefined): Promise<A> => {
  for (let round = 0; round < 500; round++) {
    const found = find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error("waited in vain")
}

/** OpenCode's client, as far as the plugin knows it. */
const fakeClient = (posts: "ok" | "fails" | "throws") => {
  const calls: Array<unknown> = []
  const client = {
    _client: {
      post: (call: unknown) => {
        calls.push(call)
        return posts === "throws"
          ? Promise.reject(new Error("no"))
          : Promise.resolve({ response: { ok: posts === "ok" } })
      }
    },
    postSessionIdPermissionsPermissionId: (call: unknown) => Promise.resolve(void calls.push(call))
  }
  return { calls, client }
}

describe("the plugin's decisions", () => {
  const tool = { tool: "bash", sessionID: "ses_1", callID: "call_1" }
  const reply = (event: string, verdict: "allow" | "deny") =>
    opencodePermissions.reply(event, verdict, 'not "here"') ?? ""

  it("refuses a tool that the host refuses, with its reason", async () => {
    const hooks = await load({ directory: "/p", worktree: "/" })
    decide(process.pid, "permission.asked", before)
    const refused = hooks["tool.execute.before"]?.(tool, { args: { command: "ls" } }).then(
      () => "ran",
      (error: Error) => error.message
    )
    const mark = await answer(before, reply(before, "deny"))
    assert.strictEqual(await refused, 'not "here"')
    assert.include(readdirSync(spool()), `taken,${mark}`)
    const [told] = files()
    assert.deepStrictEqual(told?.file.payload, {
      input: tool,
      output: { args: { command: "ls" } },
      cwd: "/p",
      worktree: "/"
    })
    assert.strictEqual(opencodePermissions.request(before, told?.file.payload)?.request.cwd, "/p")
  })

  it.each<readonly [string, string]>([
    ["says nothing", ""],
    ["says something else", '{"reply":"once"}'],
    ["says something that is no JSON", "{"],
    ["says null", "null"]
  ])("runs a tool of which the host %s", async (_, line) => {
    const hooks = await load()
    decide(process.pid, before)
    const ran = hooks["tool.execute.before"]?.(tool, {})
    await answer(before, line)
    assert.isUndefined(await ran)
  })

  it.each<readonly [string, () => void]>([
    ["nobody decides", () => {}],
    ["the host decides on others", () => decide(process.pid, "permission.asked", "hook.tool.execute")],
    [
      "the file is of another version",
      () => writeFileSync(join(spool(), "decision"), `leap-decision 3 ${process.pid} ${before}\n`)
    ],
    ["the file names no host", () => writeFileSync(join(spool(), "decision"), `leap-decision 2 0 ${before}\n`)],
    ["the host is gone", () => decide(2 ** 22 + 1, before)]
  ])("waits for nobody where %s", async (_, prepare) => {
    prepare()
    const hooks = await load()
    assert.isUndefined(await hooks["tool.execute.before"]?.(tool, {}))
    assert.deepStrictEqual(
      readdirSync(spool()).filter((name) => /^(?:taken|gave-up),/.test(name)),
      []
    )
  })

  it.each<readonly [string, () => void]>([
    ["nobody decides", () => {}],
    ["the host is gone", () => decide(2 ** 22 + 1, before)],
    ["the host is silent", () => decide(process.pid, before)],
    ["its event cannot be written", () => decide(process.pid, before)]
  ])("says what the host left for the case, where %s", async (name, prepare) => {
    prepare()
    writeFileSync(join(spool(), `silent,${before}`), `${reply(before, "deny")}\n`)
    const hooks = await load()
    // what cannot be JSON cannot be told to the host
    const args: Record<string, unknown> = {}
    if (name === "its event cannot be written") args["args"] = args
    const said = await hooks["tool.execute.before"]?.(tool, args).then(
      () => "ran",
      (error: Error) => error.message
    )
    assert.strictEqual(said, 'not "here"')
  })

  it("takes no answer to another question, and gives up after a while", async () => {
    const hooks = await load()
    decide(process.pid, before)
    const ran = hooks["tool.execute.before"]?.(tool, {})
    const mark = await answer(before, reply(before, "deny"), "leap-reply 1 x")
    assert.isUndefined(await ran)
    assert.include(readdirSync(spool()), `gave-up,${mark}`)
  })

  const asked = { id: "per_1", sessionID: "ses_2", permission: "bash", metadata: { command: "ls" } }
  const newer = {
    url: "/permission/{requestID}/reply",
    path: { requestID: "per_1" },
    body: { reply: "reject", message: 'not "here"' },
    headers: { "Content-Type": "application/json" }
  }
  const older = (response: string) => ({ path: { id: "ses_2", permissionID: "per_1" }, body: { response } })

  it.each<readonly [string, "allow" | "deny", "ok" | "fails" | "throws", ReadonlyArray<unknown>]>([
    ["grants once", "allow", "ok", [older("once")]],
    ["rejects with the reason", "deny", "ok", [newer]],
    ["rejects at least, where OpenCode takes no reason", "deny", "fails", [newer, older("reject")]],
    ["rejects at least, where that cannot be told", "deny", "throws", [newer, older("reject")]]
  ])("%s a permission, and keeps no event behind it", async (_, verdict, posts, expected) => {
    const { calls, client } = fakeClient(posts)
    const hooks = await load({ client, directory: "/p", worktree: "/p" })
    decide(process.pid, "permission.asked", before)
    await hooks["event"]?.({
      event: { type: "session.created", properties: { info: { id: "ses_2", parentID: "ses_1", agent: "general" } } }
    })
    await hooks["event"]?.({ event: { type: "permission.asked", properties: asked } })
    await hooks["event"]?.({ event: { type: "session.idle", properties: {} } })
    assert.deepStrictEqual(
      files().map(({ name }) => name.event),
      ["session.created", "permission.asked", "session.idle"]
    )
    assert.deepStrictEqual(files()[1]?.file.payload, { ...asked, agent: "general", cwd: "/p", worktree: "/p" })
    await answer("permission.asked", reply("permission.asked", verdict))
    await until(() => (calls.length === expected.length ? true : undefined))
    assert.deepStrictEqual(calls, expected)
    // The turn goes on where the reason was taken.
    await new Promise((resolve) => setImmediate(resolve))
    const replied = { sessionID: "ses_2", requestID: "per_1", reply: verdict === "deny" ? "reject" : "once" }
    await hooks["event"]?.({ event: { type: "permission.replied", properties: replied } })
    assert.deepStrictEqual(
      files().at(-1)?.file.payload,
      verdict === "deny" && posts === "ok" ? { ...replied, explained: true } : replied
    )
  })

  it("never grants for good, and nothing without an answer", async () => {
    const { calls, client } = fakeClient("ok")
    const hooks = await load({ client })
    decide(process.pid, "permission.asked")
    await hooks["event"]?.({ event: { type: "permission.asked", properties: asked } })
    const mark = await answer("permission.asked", '{"reply":"always"}')
    await until(() => (readdirSync(spool()).includes(`taken,${mark}`) ? true : undefined))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepStrictEqual(calls, [])
  })
})

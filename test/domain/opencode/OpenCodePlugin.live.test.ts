import { assert, describe, it } from "@effect/vitest"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach } from "vitest"
import { dataName, parseFile, parseName } from "../../../src/domain/HookFile.ts"
import { openCodePlugin, toldEvents, toldHooks, toldPart } from "../../../src/domain/opencode/OpenCodePlugin.ts"

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
const load = async (): Promise<Record<string, Hook>> => {
  const file = join(dir, `leap${loads++}.mjs`)
  writeFileSync(file, openCodePlugin)
  const module = await import(pathToFileURL(file).href) as Record<string, (context: unknown) => Promise<Record<string, Hook>>>
  const plugins = Object.values(module)
  assert.strictEqual(plugins.length, 1)
  return await plugins[0]?.({}) ?? {}
}

const files = () => {
  const spool = join(dir, "spool")
  const marks = readdirSync(spool).filter((name) => !name.startsWith(".")).map((mark) => ({ mark, name: parseName(mark) }))
  return marks.flatMap(({ mark, name }) => name === null ? [] : [{ name, file: parseFile(name, readFileSync(join(spool, dataName(mark)), "utf8")) }])
    .sort((a, b) => a.name.count - b.name.count)
}

describe("the plugin", () => {
  it("writes what the hook script writes, with its own process as the caller", async () => {
    const hooks = await load()
    await hooks["event"]?.({ event: { type: "session.status", properties: { sessionID: "ses_1", status: { type: "busy" } } } })
    const [only] = files()
    assert.strictEqual(files().length, 1)
    assert.deepStrictEqual(only?.name, { event: "session.status", writer: process.pid, parent: process.pid, count: 0 })
    assert.deepStrictEqual(only?.file.payload, { sessionID: "ses_1", status: { type: "busy" } })
    if (process.platform === "linux") assert.strictEqual(only?.file.caller?.pid, process.pid)
    for (const name of readdirSync(join(dir, "spool"))) assert.strictEqual(statSync(join(dir, "spool", name)).mode & 0o777, 0o600)
  })

  it("tells of every event that leap is promised, in order, and of no other", async () => {
    const hooks = await load()
    const events = [...toldEvents, "message.part.delta", "message.updated", "session.diff", "server.connected"]
    for (const type of events) await hooks["event"]?.({ event: { type, properties: { type } } })
    await hooks["event"]?.({ event: { type: toldPart, properties: { part: { type: "text", text: "Half", time: { start: 1 } } } } })
    await hooks["event"]?.({ event: { type: toldPart, properties: { part: { type: "tool", time: { start: 1, end: 2 } } } } })
    await hooks["event"]?.({ event: { type: toldPart, properties: { part: { type: "text", text: "Whole.", time: { start: 1, end: 2 } } } } })
    for (const name of toldHooks) await hooks[name]?.({ name }, { title: "t", output: "x".repeat(10) })
    assert.deepStrictEqual(files().map(({ name }) => name.event), [...toldEvents, toldPart, ...toldHooks.map((name) => `hook.${name}`)])
    assert.deepStrictEqual(files().at(-3)?.file.payload, { input: { name: "tool.execute.before" }, output: { title: "t", output: "xxxxxxxxxx" } })
    // What a tool printed is nothing that leap asks for.
    assert.deepStrictEqual(files().at(-2)?.file.payload, { input: { name: "tool.execute.after" }, output: { title: "t" } })
    assert.deepStrictEqual(Object.keys(hooks).filter((name) => name !== "event").toSorted(), [...toldHooks].toSorted())
  })

  it("changes nothing of what OpenCode hands it", async () => {
    const hooks = await load()
    for (const name of toldHooks) {
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
    assert.deepStrictEqual(files().map(({ file }) => file.payload), [null])
    process.env["LEAP_SIGNAL_DIR"] = join(dir, "gone")
    await hooks["event"]?.({ event: { type: "session.idle", properties: {} } })
    process.env["LEAP_SIGNAL_DIR"] = join(dir, "spool")
    chmodSync(join(dir, "spool"), 0o500)
    await hooks["event"]?.({ event: { type: "session.error", properties: {} } })
    chmodSync(join(dir, "spool"), 0o700)
    delete process.env["LEAP_SIGNAL_DIR"]
    await hooks["event"]?.({ event: { type: "session.idle", properties: {} } })
    assert.deepStrictEqual(files().map(({ name }) => name.event).filter((name) => name === "session.idle"), ["session.idle"])
    assert.notInclude(readdirSync(dir), "gone")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { plainCommand, queueVerbs } from "../../../src/domain/arguments/PlainCommand.ts"
import { parseCommandLine } from "../../../src/domain/arguments/CommandLine.ts"
import tree from "../../../src/thin/completionTree.json" with { type: "json" }

const session = { tag: "t", json: false }
const plain: ReadonlyArray<readonly [line: string, command: unknown]> = [
  ["status", { name: "statuses", json: false }],
  ["status --json", { name: "statuses", json: true }],
  ["status t", { name: "status", ...session }],
  ["status --json t", { name: "status", tag: "t", json: true }],
  ["queue t", { name: "queue", ...session }],
  ["queue show t", { name: "queue", ...session }],
  ["queue t --json", { name: "queue", tag: "t", json: true }],
  ["screen t", { name: "screen", ...session }],
  ["last t", { name: "last", ...session }],
  ["interrupt t", { name: "interrupt", ...session }],
  ["answer t 1", { name: "answer", ...session, answer: "1" }],
  ["mode t", { name: "mode", ...session, change: {} }],
  ["mode t --churn send", { name: "mode", ...session, change: { churn: "send" } }],
  ["mode --auto-send always t", { name: "mode", ...session, change: { autoSend: "always" } }],
  ["wait t", { name: "wait", ...session, until: null }],
  ["wait t --until idle,running --timeout 1.5", { name: "wait", ...session, until: new Set(["idle", "running"]) }],
  ["send t go on", { name: "send", ...session, text: "go on", front: false, force: false }],
  ["send --front t go --force", { name: "send", ...session, text: "go", front: true, force: true }]
]

const whole: ReadonlyArray<string> = [
  "",
  "t",
  "status t u",
  "status --watch",
  "status --json --json",
  "status --json=true",
  "status --help",
  "status .x",
  "status send",
  "status --log-level debug",
  `status ${"x".repeat(201)}`,
  "queue",
  "queue edit t x y",
  "queue clear t",
  "queue clear",
  "screen",
  "interrupt t --json",
  "interrupt t u",
  "answer t",
  "answer t 1 2",
  "answer t -1",
  "mode --default",
  "mode t --churn maybe",
  "mode t --churn",
  "wait t u",
  "wait t --until nonsense",
  "wait t --timeout 0",
  "wait t --timeout x",
  "wait t --timeout -1",
  "send t",
  "send t -",
  "send t go --wait",
  "send t go --image x.png",
  "send t -- go",
  "send t -x",
  "stop t",
  "nonsense t"
]

const words = (line: string) => (line === "" ? [] : line.split(" "))

describe("a command in plain form", () => {
  it.each(plain)("leap %s", (line, command) => assert.deepStrictEqual(plainCommand(words(line)), command))
  it.each(whole)("leap %s is left to the whole parser", (line) => assert.isNull(plainCommand(words(line))))
  it("is left to it also with an empty text", () => assert.isNull(plainCommand(["send", "t", " "])))

  it("knows each word after queue that is no tag", () => {
    for (const verb of queueVerbs) {
      assert.isNull(plainCommand(["queue", verb]))
      assert.deepStrictEqual(parseCommandLine(["queue", verb, "t"], queueVerbs).words.slice(0, 2), ["queue", verb])
    }
    interface Tree {
      readonly name: string
      readonly commands: ReadonlyArray<Tree>
    }
    const file = new URL("../../../src/thin/completionTree.json", import.meta.url)
    const { root } = JSON.parse(readFileSync(file, "utf8")) as { readonly root: Tree }
    const queue = root.commands.find(({ name }) => name === "queue")
    assert.sameMembers([...queueVerbs], queue?.commands.map(({ name }) => name) ?? [])
  })
})

describe("what can be done to a queue", () => {
  it("is no tag: 'leap queue' knows each of its commands by name", () => {
    const queue = tree.root.commands.find(({ name }) => name === "queue")
    assert.deepStrictEqual([...queueVerbs].toSorted(), queue?.commands.map(({ name }) => name).toSorted())
  })
})

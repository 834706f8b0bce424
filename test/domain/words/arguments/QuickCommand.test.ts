import { assert, describe, it } from "@effect/vitest"
import { quickCommand, type QuickForm } from "../../../../src/domain/words/arguments/QuickCommand.ts"
import { parseCommandLine } from "../../../../src/domain/words/arguments/CommandLine.ts"
import { queueVerbs } from "../../../../src/domain/words/arguments/queueVerbs.ts"
import forms from "#generated/quickForms.json" with { type: "json" }
import tree from "#generated/completionTree.mts"

const read = (argv: ReadonlyArray<string>) =>
  quickCommand(forms.commands as unknown as Readonly<Record<string, QuickForm>>, argv)
const words = (line: string) => (line === "" ? [] : line.split(" "))

const plain: ReadonlyArray<
  readonly [line: string, name: string, operands: string, flags: Readonly<Record<string, string>>]
> = [
  ["status", "status", "", {}],
  ["status --json t", "status", "t", { json: "" }],
  ["queue t", "queue show", "t", {}],
  ["queue show t --json", "queue show", "t", { json: "" }],
  ["queue list t", "queue list", "t", {}],
  ["queue edit t 4 a", "queue edit", "t 4 a", {}],
  ["queue clear t", "queue clear", "t", {}],
  ["interrupt t", "interrupt", "t", {}],
  ["answer t 1", "answer", "t 1", {}],
  ["keys t Esc C-c --force", "keys", "t Esc C-c", { force: "" }],
  ["mode --auto-send always t", "mode", "t", { "auto-send": "always" }],
  ["mode t --night on", "mode", "t", { night: "on" }],
  ["mute t --for 1h", "mute", "t", { for: "1h" }],
  ["wait t --until idle,running --timeout 1.5", "wait", "t", { until: "idle,running", timeout: "1.5" }],
  ["send --front t go on --force", "send", "t go on", { front: "", force: "" }],
  ["log", "log", "", {}],
  ["log t --last 7 --since 3d", "log", "t", { last: "7", since: "3d" }],
  ["report --by cli", "report", "", { by: "cli" }],
  ["audit t --denied", "audit", "t", { denied: "" }]
]

const whole: ReadonlyArray<string> = [
  "",
  "t",
  "status t u",
  "status --json --json",
  "status --json=true",
  "status --help",
  "status --log-level debug",
  "--json status",
  "queue",
  "queue edit t x",
  "queue clear",
  "queue t u",
  "screen",
  "interrupt t --json",
  "interrupt t u",
  "answer t -1",
  "mode t --churn maybe",
  "mode t --churn",
  "wait t --timeout x",
  "wait t --timeout -1",
  "send t -- go",
  "send t -x",
  "log t --last 1.5",
  "report t",
  "report --by hour",
  "audit",
  "stop t",
  "constructor t",
  "queue constructor t u",
  "nonsense t"
]

describe("a command line in plain form", () => {
  it.each(plain)("leap %s", (line, name, operands, flags) =>
    assert.deepStrictEqual(read(words(line)), { name, operands: words(operands), flags })
  )
  it.each(whole)("leap %s is left to the parser", (line) => assert.isNull(read(words(line))))

  it("takes each word after queue that is a command for one", () => {
    for (const verb of queueVerbs) {
      assert.isNull(read(["queue", verb]))
      assert.deepStrictEqual(parseCommandLine(["queue", verb, "t"], queueVerbs).words.slice(0, 2), ["queue", verb])
    }
    const queue = tree.root.commands.find(({ name }) => name === "queue")
    assert.deepStrictEqual([...queueVerbs].toSorted(), queue?.commands.map(({ name }) => name).toSorted())
  })
})

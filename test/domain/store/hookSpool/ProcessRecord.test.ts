import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fromProcStat, fromPs } from "../../../../src/domain/store/hookSpool/ProcessRecord.ts"

const stat = (pid: number, name: string, rest: string) => `${pid} (${name}) ${rest}`
const fields =
  "S 150 162 151 34816 151 4194304 607 980 0 2 0 0 0 0 20 0 1 0 212531 4857856 517 18446744073709551615 0 0 0"

describe("fromProcStat", () => {
  it("reads the fields that tell processes apart", () =>
    assert.deepStrictEqual(fromProcStat(`${stat(162, "sh", fields)}\n`), {
      pid: 162,
      parent: 150,
      group: 162,
      session: 151,
      terminal: "34816",
      foreground: 151,
      birth: "212531",
      name: "sh",
      isZombie: false
    }))

  it("knows no terminal", () => {
    const record = fromProcStat(stat(26, "sh", "S 15 26 26 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99 0"))
    assert.strictEqual(record?.terminal, null)
    assert.strictEqual(record?.foreground, null)
  })

  it.each(["a b", "x) S 1 2", "(sh)", ") ", "tmux: server", "é"])("is not misled by the name %s", (name) => {
    assert.strictEqual(fromProcStat(stat(7, name, fields))?.name, name)
    assert.strictEqual(fromProcStat(stat(7, name, fields))?.parent, 150)
  })

  it.each(["", "7", "7 (sh) S", "7 (sh) S x 1 1", '{"a":1}', "x (sh) " + fields])("refuses %s", (line) =>
    assert.isNull(fromProcStat(line))
  )

  it.each(["Z", "X"])("knows a process that is dead (%s)", (state) =>
    assert.isTrue(fromProcStat(stat(7, "sh", `${state}${fields.slice(1)}`))?.isZombie)
  )

  it.prop("never throws", [Schema.String], ([line]) => {
    const record = fromProcStat(line)
    assert.isTrue(record === null || Number.isInteger(record.pid))
  })
})

describe("fromPs", () => {
  it("reads what ps prints on Linux", () =>
    assert.deepStrictEqual(fromPs("  4242  4240  4242  4242 Sl+  pts/0    Sat Nov 21 09:44:45 2026 claude"), {
      pid: 4242,
      parent: 4240,
      group: 4242,
      session: null,
      terminal: "pts/0",
      foreground: 4242,
      birth: "Sat Nov 21 09:44:45 2026",
      name: "claude",
      isZombie: false
    }))

  it("reads what ps prints on macOS", () => {
    const record = fromPs(
      " 812   1   812     0 Ss   ??       Mon Jan  5 08:01:02 2026     /Applications/A b.app/Contents/MacOS/A b "
    )
    assert.strictEqual(record?.name, "A b")
    assert.strictEqual(record?.birth, "Mon Jan 5 08:01:02 2026")
    assert.isNull(record?.terminal)
    assert.strictEqual(fromPs("9 8 9 9 S+ ttys001 Mon Jan  5 08:01:02 2026 -zsh")?.name, "zsh")
  })

  it("knows a process that is dead", () =>
    assert.isTrue(fromPs("4242  4240  4242  4242 Z+   ttys001  Sat Nov 21 09:44:45 2026 (claude)")?.isZombie))

  it("refuses a heading", () => assert.isNull(fromPs("  PID  PPID  PGID TPGID STAT TT STARTED COMM")))
})

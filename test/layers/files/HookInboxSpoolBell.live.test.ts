import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { makeBell } from "../../../src/layers/files/HookInboxSpoolBell.ts"

const withBell = (test: (file: string, bell: ReturnType<typeof makeBell>) => void) => () => {
  const spool = fs.mkdtempSync(path.join(os.tmpdir(), "leap-bell-"))
  try {
    test(path.join(spool, "bell"), makeBell(spool))
  } finally {
    fs.rmSync(spool, { recursive: true, force: true })
  }
}

describe("a spool's bell", () => {
  it(
    "is put there for its owner alone",
    withBell((file, bell) => {
      assert.deepStrictEqual(bell.readMarks(), [])
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
    })
  )

  it(
    "is heard once for each line, in order, and for half a line when the rest has come",
    withBell((file, bell) => {
      bell.readMarks()
      fs.appendFileSync(file, "\na\n\nb\n\nhal")
      assert.deepStrictEqual(bell.readMarks(), ["a", "b"])
      assert.deepStrictEqual(bell.readMarks(), [])
      fs.appendFileSync(file, "f\n\na\n")
      assert.deepStrictEqual(bell.readMarks(), ["half", "a"])
      assert.deepStrictEqual(bell.readMarks(), [])
    })
  )

  it(
    "is heard from its beginning when it is another, or shorter",
    withBell((file, bell) => {
      fs.writeFileSync(file, "\nof before\n")
      assert.deepStrictEqual(bell.readMarks(), ["of before"])
      fs.rmSync(file)
      fs.writeFileSync(file, "\nanother, longer\n")
      assert.deepStrictEqual(bell.readMarks(), ["another, longer"])
      fs.writeFileSync(file, "\nshort\n")
      assert.deepStrictEqual(bell.readMarks(), ["short"])
      fs.writeFileSync(`${file}.new`, "\nreplaced\n")
      fs.renameSync(`${file}.new`, file)
      assert.deepStrictEqual(bell.readMarks(), ["replaced"])
    })
  )

  it(
    "is not rung through a link, a pipe or a directory",
    withBell((file, bell) => {
      const other = `${file}.other`
      fs.writeFileSync(other, "\nnot mine\n")
      fs.symlinkSync(other, file)
      assert.throws(bell.readMarks)
      fs.rmSync(file)
      fs.mkdirSync(file)
      assert.throws(bell.readMarks)
    })
  )

  it(
    "begins anew when it has become long, and gets over what is no line",
    withBell((file, bell) => {
      const line = `${"x".repeat(1023)}\n`
      fs.writeFileSync(file, line.repeat(1500))
      let heard = 0
      for (let round = 0; round < 3; round++) heard += bell.readMarks().length
      assert.strictEqual(heard, 1500)
      bell.shorten()
      assert.isFalse(fs.existsSync(file))
      fs.writeFileSync(file, `${"y".repeat(1 << 20)}\nlast\n`)
      for (let round = 0; round < 3; round++)
        heard = bell.readMarks().filter((it) => it === "last").length + (round === 0 ? 0 : heard)
      assert.strictEqual(heard, 1)
      fs.writeFileSync(file, "\nshort\n")
      assert.deepStrictEqual(bell.readMarks(), ["short"])
      bell.shorten()
      assert.isTrue(fs.existsSync(file), "it is not long")
    })
  )
})

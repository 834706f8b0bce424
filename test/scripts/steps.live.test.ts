import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const scripts = join(import.meta.dirname, "../../scripts/run/steps.mjs")

/** What a run of these steps prints, and its exit code; `body` is the text of a list of steps. */
const ran = (body: string) => {
  const code = `import { runSteps, tell } from ${JSON.stringify(scripts)}
    const sh = (text) => async ({ command }) => ({ ok: (await command(["sh", "-c", text])).code === 0 })
    const run = await runSteps(${body})
    tell(run, [{ name: "build", ok: true, seconds: 2 }])
    process.exitCode = run.ok ? 0 : 1`
  const place = mkdtempSync(join(tmpdir(), "steps-"))
  const env = { ...process.env, LEAP_PLACE: place }
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", env })
  rmSync(place, { recursive: true, force: true })
  return { status, lines: stdout.trimEnd().split("\n") }
}

describe("the steps of the gate", () => {
  it("run all, also behind one that failed, whose output and repeating line are shown; the last line is the sum", () => {
    const { lines, status } = ran(`[
      { name: "first", limit: 60, again: "again first", run: sh("echo broken here; echo 'again: the one test'; exit 3") },
      { name: "second", limit: 60, again: "again second", run: sh("echo quiet; echo '3 passed, 0 failed, 1 skipped' >> $LEAP_COUNTS") }
    ]`)
    assert.strictEqual(status, 1)
    assert.include(lines, "broken here")
    assert.notInclude(lines, "quiet")
    assert.include(lines, "RED: first; alone: again first")
    assert.include(lines, "  again: the one test")
    assert.match(
      lines.find((line) => line.startsWith("second  ")) ?? "",
      /^second +ok +[\d.]+ s {2}3 passed, 0 failed, 1/
    )
    assert.match(lines.find((line) => line.startsWith("build ")) ?? "", /^build +ok +2\.0 s/)
    assert.strictEqual(lines.at(-1), "3 passed, 1 failed, 1 skipped")
  })

  it("begin with the one before where they are beside it, and not before that", () => {
    const waits = (name: string, other: string) =>
      `run: sh("touch $LEAP_PLACE/${name}; until [ -e $LEAP_PLACE/${other} ]; do sleep 0.01; done")`
    const { lines, status } = ran(`[
      { name: "first", limit: 60, again: "", ${waits("a", "b")} },
      { name: "beside", limit: 60, again: "", isBeside: true, ${waits("b", "a")} },
      { name: "after", limit: 60, again: "", run: sh("rm $LEAP_PLACE/a $LEAP_PLACE/b") }
    ]`)
    assert.strictEqual(status, 0)
    assert.deepStrictEqual(
      lines.filter((line) => /^── \w+$/.test(line)),
      ["── first", "── beside", "── after"]
    )
    assert.strictEqual(lines.at(-1), "3 passed, 0 failed")
  })

  it("end what takes longer than their limit, with all that it started, and say so", () => {
    const { lines, status } = ran(`[
      { name: "slow", limit: 0.2, again: "again slow", run: sh("sleep 1000 & echo $!; wait") },
      { name: "next", limit: 60, again: "", run: sh("true") }
    ]`)
    assert.strictEqual(status, 1)
    assert.include(lines, "  it did not end within 0.2 s")
    assert.strictEqual(lines.at(-1), "1 passed, 1 failed")
    const pid = lines.find((line) => /^\d+$/.test(line)) ?? ""
    assert.strictEqual(
      spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.replace(/^Z.*/, "").trim(),
      ""
    )
  })

  it("leave a command of a step alone when another one of it ends", () => {
    const { lines, status } = ran(`[{ name: "two", limit: 60, again: "", run: async ({ command }) => {
      const ends = await Promise.all(["exit 0", "sleep 0.5; exit 7"].map((text) => command(["sh", "-c", text])))
      return { ok: false, notes: [ends.map(({ code }) => code).join(" and ")] }
    } }]`)
    assert.strictEqual(status, 1)
    assert.include(lines, "  0 and 7")
  })

  it("count a step that breaks by itself as failed", () => {
    const { lines, status } = ran(
      `[{ name: "odd", limit: 60, again: "", run: async () => { throw new Error("no such thing") } }]`
    )
    assert.strictEqual(status, 1)
    assert.match(lines.join("\n"), /no such thing/)
    assert.strictEqual(lines.at(-1), "0 passed, 1 failed")
  })
})

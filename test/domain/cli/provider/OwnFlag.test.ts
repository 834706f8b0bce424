import { assert, describe, it } from "@effect/vitest"
import { flagRefused, flagsIn, flagsToLeaveOut } from "../../../../src/domain/cli/provider/OwnFlag.ts"

const flags = [{ flag: "--no-daemon", since: "0.156.0" }, { flag: "--plain" }]

describe("flags of leap's own", () => {
  it.each<readonly [version: string | null, help: ReadonlyArray<string> | null, without: ReadonlyArray<string>]>([
    ["0.130.0", null, ["--no-daemon"]],
    ["0.155.1", null, ["--no-daemon"]],
    ["0.156.0", null, []],
    ["0.169.0", [], []],
    // Where the version is not known the help decides, and without help none is dared.
    [null, ["--no-daemon", "--plain"], []],
    [null, ["--plain"], ["--no-daemon"]],
    [null, null, ["--no-daemon", "--plain"]]
  ])("version %s, help %j: without %j", (version, help, without) =>
    assert.deepStrictEqual(flagsToLeaveOut(flags, version, help === null ? null : new Set(help)), without)
  )

  it("are found in a help text by their whole names", () => {
    const help = "Options:\n  -c, --config <key=value>\n      --no-daemon-x\n  [--remote=ADDR]\n  a--b --Upper ---three"
    assert.deepStrictEqual([...flagsIn(help)], ["--config", "--no-daemon-x", "--remote"])
  })

  const unknown =
    "error: unexpected argument '--no-daemon' found\n\n  tip: a similar argument exists: '--no-alt-screen'"
  it.each([
    ["what an old one says", 2, 200, unknown, "--no-daemon"],
    [
      "in colours",
      2,
      200,
      "\u001b[31merror:\u001b[0m unexpected argument '\u001b[33m--no-daemon\u001b[0m'",
      "--no-daemon"
    ],
    ["a good end", 0, 200, unknown, null],
    ["a signal", null, 200, unknown, null],
    ["long after its start", 2, 60_000, unknown, null],
    ["over another flag", 2, 200, "error: unexpected argument '--no-daemons' found", null],
    ["over something else", 1, 200, "Error: stdin is not a terminal", null]
  ] as const)("an end: %s", (_, code, after, output, flag) =>
    assert.strictEqual(flagRefused(["--plain", "--no-daemon"], { code, after, output }), flag)
  )
})

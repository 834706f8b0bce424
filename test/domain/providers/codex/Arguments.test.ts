import { assert, describe, it } from "@effect/vitest"
import { codexArguments } from "../../../../src/domain/providers/codex/Arguments.ts"

describe("codexArguments", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["nothing", []],
    ["a prompt", ["fix the bug"]],
    ["a resumed session", ["resume", "01a1fcf4-0000-7000-8000-000000000000"]],
    ["one in a directory", ["-C", "/repo", "resume", "--last"]],
    ["a fork", ["fork"]],
    ["options", ["-m", "gpt-6-astra", "--no-alt-screen", "-c", 'tui.theme="x"']],
    ["a value that is called like a command", ["-m", "exec", "-C", "agents"]],
    ["a prompt behind dashes that is called like an option", ["--", "--no-daemon"]]
  ])("takes its own server's place: %s", (_, args) => {
    assert.deepStrictEqual(codexArguments(args), ["--no-daemon", ...args])
    assert.deepStrictEqual(codexArguments(args, ["--no-daemon"]), args)
  })

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["said already", ["--no-daemon", "resume"]],
    ["a server elsewhere", ["--remote", "ws://127.0.0.1:9"]],
    ["the same in one word", ["--remote=unix:///tmp/s"]],
    ["a command that is no session", ["login"]],
    ["one behind options", ["-c", 'model="x"', "exec", "--json", "hello"]],
    ["one of the shared server", ["agents"]],
    ["help", ["--help"]],
    ["the version", ["-V"]]
  ])("leaves alone: %s", (_, args) => {
    assert.deepStrictEqual(codexArguments(args), args)
  })
})

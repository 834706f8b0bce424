import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Demo from "../../../../src/layers/providers/demo/Provider.ts"
import { demoCli } from "../../../support/demo/DemoTerminal.ts"

describe("the demo provider", () => {
  it("is launched as leap itself, with the user's arguments behind", () => {
    assert.deepStrictEqual(Demo.provider.launch({ args: ["--print", "x"], env: {}, self: ["/bin/node", "leap.js"] }), {
      command: "/bin/node",
      args: ["leap.js", "__demo-cli", "--print", "x"],
      env: {}
    })
  })

  it("what it launches is the demo CLI", () => {
    const { args, command } = Demo.provider.launch({ args: ["--version"], env: {}, self: [process.execPath, demoCli] })
    assert.match(spawnSync(command, args, { encoding: "utf8" }).stdout, /^leap demo CLI /)
  })
})

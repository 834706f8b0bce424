import { assert, describe, it } from "@effect/vitest"
import { hostProblem, remoteHosts } from "../../../../src/domain/store/settings/HostSettings.ts"
import { readSettings } from "../../../../src/domain/store/settings/readSettings.ts"

const read = (hosts: unknown) => readSettings(new TextEncoder().encode(JSON.stringify({ hosts })), [])

describe("other machines in the settings", () => {
  it.each([
    ["a/b", { destination: "me@box" }],
    ["-box", { destination: "me@box" }],
    ["", { destination: "me@box" }],
    // ssh would take these for options of its own
    ["box", { destination: "-oProxyCommand=pwn" }],
    ["box", { destination: "" }],
    ["box", { destination: "me@box pwn" }],
    ["box", { destination: "me@box\npwn" }],
    ["box", { destination: "me@box", leap: "-x" }],
    ["box", { destination: "me@box", leap: "" }],
    ["box", {}],
    ["box", { destination: 7 }],
    ["box", { destination: "me@box", port: 22 }],
    ["box", "me@box"]
  ])("%j as %j is left out, and said", (name, host) => {
    const { settings, warnings } = read({ [name]: host, good: { destination: "g" } })
    assert.deepStrictEqual(settings.hosts, { good: { destination: "g" } })
    assert.isNotEmpty(warnings)
    assert.isTrue(
      warnings.some((line) => line.includes(`hosts.${name}`)),
      warnings.join("\n")
    )
  })

  it("a machine has leap on its PATH unless its path is given", () => {
    const { settings } = read({ box: { destination: "me@box" }, far: { destination: "far", leap: "~/my bin/leap" } })
    assert.deepStrictEqual(remoteHosts(settings.hosts), [
      { name: "box", destination: "me@box", leap: "leap" },
      { name: "far", destination: "far", leap: "~/my bin/leap" }
    ])
    assert.isNull(hostProblem("box", { destination: "ssh://me@box:2222" }))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { resumeUnit } from "../../../../src/domain/words/environment/resumeUnit.ts"

describe("the unit that brings all sessions back", () => {
  const self = ["/opt/my node/bin/node", "/home/ü/leap's $x%h.js"]
  const env = { PATH: "/a:/b$c", LEAP_HOME: '/l "q"', SECRET: "no" }

  it("runs leap by systemd, whatever is in its path, and leaves the hosts alone", () => {
    const lines = resumeUnit("systemd", self, env).split("\n")
    assert.includeMembers(lines, [
      'ExecStart="/opt/my node/bin/node" "/home/ü/leap\'s $$x%%h.js" "resume" "--all"',
      'Environment="PATH=/a:/b$c"',
      'Environment="LEAP_HOME=/l \\"q\\""',
      "KillMode=process",
      "WantedBy=default.target"
    ])
    assert.isTrue(lines.every((line) => !line.includes("SECRET")))
  })

  it("names an installed build by the link that upgrades change, not by the Node that it leads to now", () => {
    const installed = ["/d/leap/builds/1-a/node", "/d/leap/current/program/leap.js"]
    assert.include(
      resumeUnit("systemd", installed, env),
      'ExecStart="/d/leap/current/node" "/d/leap/current/program/leap.js" "resume" "--all"'
    )
  })

  it("runs leap by launchd", () => {
    const text = resumeUnit("launchd", ["/a&b/node", "<leap>"], env)
    assert.include(text, "<array><string>/a&amp;b/node</string><string>&lt;leap&gt;</string>")
    assert.include(text, "<string>resume</string><string>--all</string></array>")
    // a comment of XML has no two hyphens in it
    for (const [, comment] of text.matchAll(/<!--([^]*?)-->/g)) assert.notInclude(comment, "--")
  })
})

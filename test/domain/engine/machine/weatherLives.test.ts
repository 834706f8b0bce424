import { assert, describe, it } from "@effect/vitest"
import { machineWith } from "../../../support/brains.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import type { SimulatedCli } from "../../../support/session/SimulatedCli.ts"
import { calm, holdsLaw, type Spell } from "../../../support/session/weatherLife.ts"

/** What the property of bad weather has found: each was a message that was told as done and never answered, or twice. */
const lives: ReadonlyArray<
  readonly [string, ReadonlyArray<Pick<Spell, "act" | "event" | "kind" | "seconds"> & Partial<Spell>>]
> = [
  [
    "the user's own prompt runs, and two messages are typed ahead of its end",
    [
      { kind: "context", seconds: 0, act: "retry", event: "full", hookDelay: 700 },
      { kind: "model", seconds: 0, act: "prompt", event: "says" },
      { kind: "none", seconds: 3, act: "force", event: "killWithin" }
    ]
  ],
  [
    "with hooks that come late, more is sent behind what was typed ahead",
    [
      { kind: "none", seconds: 3, act: "force", event: "compact", hookDelay: 700 },
      { kind: "context", seconds: 0, act: "force", event: "cancels" },
      { kind: "rate_limited", seconds: 1, act: "send", event: "cancels" }
    ]
  ],
  [
    "the machine sleeps, and two are typed ahead of a message that was due",
    [
      { kind: "model", seconds: 0, act: "send", event: "sleep" },
      { kind: "none", seconds: 5, act: "force", event: "killBack" },
      { kind: "auth", seconds: 0, act: "send", event: "sleep" }
    ]
  ],
  [
    "the user goes on at once where hooks come late",
    [
      { kind: "none", seconds: 6, act: "force", event: "ownTurn", hookDelay: 700 },
      { kind: "overloaded", seconds: 6, act: "prompt", event: "killLater", hookDelay: 700 },
      { kind: "network", seconds: 0, act: "release", event: "clear", hookDelay: 700 }
    ]
  ],
  [
    "the end of the turn before comes while the next message stands in the box",
    [
      { kind: "none", seconds: 10, act: "send", event: "ownTurn", hookDelay: 700 },
      { kind: "none", seconds: 5, act: "force", event: "none", hookDelay: 700 },
      { kind: "auth", seconds: 2, act: "force", event: "sleep", hookDelay: 700 }
    ]
  ],
  [
    "ends are told twice, and late",
    [
      { kind: "none", seconds: 3, act: "force", event: "killWithin", hookDelay: 700, tellsTwice: true },
      { kind: "network", seconds: 1, act: "prompt", event: "killLater", hookDelay: 100 },
      { kind: "none", seconds: 0, act: "send", event: "ownTurn" }
    ]
  ],
  [
    "ends are told twice, of messages typed ahead",
    [
      { kind: "rate_limited", seconds: 0, act: "send", event: "killLater", hookDelay: 100 },
      { kind: "unknown", seconds: 0, act: "retry", event: "killLater" },
      { kind: "model", seconds: 3, act: "force", event: "none", hookDelay: 700, tellsTwice: true }
    ]
  ],
  [
    "ends are told twice where nothing was sent before",
    [
      { kind: "model", seconds: 0, act: "send", event: "kill" },
      { kind: "model", seconds: 0, act: "force", event: "compact" },
      { kind: "rate_limited", seconds: 3, act: "force", event: "goesOn", tellsTwice: true }
    ]
  ],
  [
    "ends are told twice, and the CLI goes on by itself",
    [
      { kind: "overloaded", seconds: 0, act: "send", event: "goesOn", hookDelay: 100 },
      { kind: "none", seconds: 3, act: "force", event: "none", hookDelay: 100, tellsTwice: true },
      { kind: "auth", seconds: 0, act: "prompt", event: "goesOn" }
    ]
  ],
  [
    "hooks come three seconds late, and the first message to a new CLI fails",
    [
      { kind: "overloaded", seconds: 4, act: "wait", event: "kill", hookDelay: 100 },
      { kind: "model", seconds: 7, act: "send", event: "killBack", hookDelay: 3000 },
      { kind: "auth", seconds: 0, act: "send", event: "ownTurn" }
    ]
  ],
  [
    "hooks come three seconds late behind those that came in time",
    [
      { kind: "none", seconds: 0, act: "force", event: "killBack", hookDelay: 3000 },
      { kind: "auth", seconds: 2, act: "wait", event: "clear", hookDelay: 3000 },
      { kind: "overloaded", seconds: 4, act: "send", event: "compact", hookDelay: 3000 }
    ]
  ],
  [
    "the machine sleeps between two ends, with three typed ahead of one another",
    [
      { kind: "model", seconds: 5, act: "release", event: "killLater", hookDelay: 100 },
      { kind: "context", seconds: 6, act: "send", event: "none", hookDelay: 700 },
      { kind: "rate_limited", seconds: 6, act: "force", event: "sleep" }
    ]
  ],
  [
    "the CLI has gone on by itself just before two are sent, and tells so three seconds later",
    [
      { kind: "overloaded", seconds: 6, act: "force", event: "none", hookDelay: 700 },
      { kind: "network", seconds: 6, act: "release", event: "says", hookDelay: 3000 },
      { kind: "none", seconds: 0, act: "send", event: "goesOn", hookDelay: 3000 },
      { kind: "overloaded", seconds: 3, act: "force", event: "cancels", hookDelay: 100 }
    ]
  ],
  [
    "the beginning of the turn before is told behind the next Enter",
    [
      { kind: "auth", seconds: 3, act: "send", event: "none", hookDelay: 3000 },
      { kind: "none", seconds: 1, act: "force", event: "none" }
    ]
  ],
  [
    "two more are typed ahead while the second of four runs",
    [
      { kind: "none", seconds: 0, act: "force", event: "none" },
      { kind: "none", seconds: 5, act: "force", event: "none" },
      { kind: "none", seconds: 4, act: "force", event: "none" }
    ]
  ],
  [
    "four turns' beginnings are told at once, and the first two fail alike within a second",
    [
      { kind: "none", seconds: 1, act: "force", event: "none", hookDelay: 3000 },
      { kind: "model", seconds: 4, act: "force", event: "none" }
    ]
  ],
  [
    "the last of three is stopped at once, behind two that failed, and its end is told late",
    [
      { kind: "none", seconds: 3, act: "force", event: "none" },
      { kind: "network", seconds: 4, act: "force", event: "none" },
      { kind: "none", seconds: 6, act: "interrupt", event: "none", hookDelay: 3000 }
    ]
  ],
  [
    "a turn that the CLI began by itself is stopped, and told when the message's has begun",
    [
      { kind: "none", seconds: 0, act: "force", event: "goesOn", hookDelay: 700 },
      { kind: "none", seconds: 2, act: "interrupt", event: "none" }
    ]
  ],
  [
    "failures are closed by ends, and both are told twice",
    [{ kind: "overloaded", seconds: 3, act: "force", event: "none", tellsTwice: true, closes: true }]
  ],
  [
    "failures are closed by ends, the CLI has said that it goes on, and what it goes on with is told three seconds late",
    [
      { kind: "rate_limited", seconds: 0, act: "force", event: "says", hookDelay: 3000, closes: true },
      { kind: "model", seconds: 16, act: "send", event: "goesOn", hookDelay: 3000 },
      { kind: "context", seconds: 0, act: "wait", event: "goesOn", hookDelay: 100 }
    ]
  ],
  [
    "a first message to a new host fails before its beginning is told, and the machine sleeps then",
    [
      { kind: "auth", seconds: 0, act: "send", event: "killBack", hookDelay: 100, transcript: 100 },
      { kind: "refused", seconds: 9, act: "release", event: "sleep" },
      { kind: "none", seconds: 0, act: "force", event: "says", hookDelay: 100 }
    ]
  ],
  [
    "the problem of the turn before still stands while the next turn's end is awaited",
    [
      { kind: "overloaded", seconds: 4, act: "send", event: "none" },
      { kind: "overloaded", seconds: 3, act: "retry", event: "none", hookDelay: 3000 },
      { kind: "none", seconds: 6, act: "force", event: "none" }
    ]
  ]
]

describe("a message is answered once, or stands in the queue with its reason, where", () => {
  it.each(lives)("%s", (_, spells) => {
    assert.doesNotThrow(() => holdsLaw(spells.map(calm), false))
  })

  it("in whatever words messages are told of: causes decide", () => {
    const nonsense = (why: string) => `${"you held it; its turn failed: ".slice(why.length % 20)}${why.length}`
    for (const [name, spells] of lives) {
      const lived = spells.map(calm)
      assert.doesNotThrow(() => holdsLaw(lived, lived.length % 2 === 0, nonsense), name)
    }
  })
})

it("a message that was typed ahead is done as soon as its own end is told, behind that of the turn before it", () => {
  const host = new SimulatedHost(machineWith({}))
  host.run(5_000)
  for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
  const answered = () => host.allAnswered().find(({ text }) => text === "message b")?.at ?? null
  while (answered() === null && host.now < 60_000) host.run(10)
  assert.isNotNull(answered())
  host.run(200)
  assert.strictEqual(host.status("b"), "done")
})

describe("a machine that sleeps has heard no silence: what was sent before is waited for behind it, where", () => {
  const setups: ReadonlyArray<readonly [string, (cli: SimulatedCli) => void]> = [
    ["hooks tell", () => {}],
    ["hooks tell ends only", (cli) => void (cli.tellsPrompts = false)],
    ["the screen alone tells", (cli) => void (cli.hooks = false)]
  ]
  const offsets = Array.from({ length: 700 }, (_, i) => 10 * i)
  it.each(setups)("%s", (_, configure) => {
    for (const offset of offsets) {
      const host = new SimulatedHost(machineWith({}), configure)
      host.run(5_000)
      for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
      const isAnswered = (id: string) => host.allAnswered().some(({ text }) => text === `message ${id}`)
      host.run(offset)
      host.sleep(60_000)
      while (!isAnswered("b") && host.now < 180_000) {
        host.run(10)
        for (const id of ["a", "b"])
          if (!isAnswered(id)) assert.notStrictEqual(host.status(id), "done", `${id}, asleep after ${offset} ms`)
      }
      host.run(15_000)
      assert.strictEqual(host.status("b"), "done", `asleep after ${offset} ms`)
    }
  })
})

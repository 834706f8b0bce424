import { assert, it } from "@effect/vitest"
import { growth, growthOverRounds, type Held } from "./growth.ts"

const mb = 2 ** 20
const held = (changes: Partial<Held>): ReadonlyMap<string, Held> =>
  new Map([
    [
      "s1",
      {
        heapUsed: 20 * mb,
        rss: 80 * mb,
        heapTotal: 30 * mb,
        external: mb,
        arrayBuffers: mb,
        resources: ["PipeWrap"],
        fds: ["socket:", "/dev/ptmx"],
        hostPid: 7,
        ...changes
      }
    ]
  ])
const found = (changes: Partial<Held>) => growth(held({}), held(changes)).found

it("what a host holds more than before is told; what it may hold more is not", () => {
  assert.deepStrictEqual(
    found({ heapUsed: 25 * mb, rss: 100 * mb, resources: ["PipeWrap", "Timeout"], fds: ["socket:"] }),
    []
  )
  assert.deepStrictEqual(found({ heapUsed: 30 * mb }), ["s1: its host's heap grew from 20 to 30 MB"])
  assert.deepStrictEqual(found({ fds: ["socket:", "socket:", "socket:", "/dev/ptmx"] }), [
    "s1: its host has open what it had not: 2 × socket:"
  ])
  assert.deepStrictEqual(found({ resources: [...Array<string>(9).fill("Timeout"), "PipeWrap", "PipeWrap"] }), [
    "s1: its host waits for what it did not: 1 × PipeWrap, 9 × Timeout"
  ])
  assert.match(found({ hostPid: 8 })[0] ?? "", /its host is another one/)
  assert.match(growth(held({}), held({ heapUsed: 22 * mb })).line, /^1 hosts .*heap 20 to 22 MB, most 2 MB more/)
})

const over = (...rounds: ReadonlyArray<Partial<Held>>) => growthOverRounds(rounds.map(held)).found
const heaps = (...all: ReadonlyArray<number>) => over(...all.map((size) => ({ heapUsed: size * mb })))

it("what a host holds more with each round of the same is told, however much it holds", () => {
  assert.deepStrictEqual(heaps(20, 60, 61, 60.5, 61.2), [])
  assert.deepStrictEqual(heaps(20, 21, 22, 23, 24), ["s1: its host's heap grew with each round, from 21 to 23 MB"])
  const buffers = (...all: ReadonlyArray<number>) => over(...all.map((size) => ({ external: size * mb })))
  assert.deepStrictEqual(buffers(3, 6.2, 5.5, 6.2, 7), [])
  assert.deepStrictEqual(buffers(1, 1, 2, 3, 4), ["s1: its host's buffers grew with each round, from 1 to 3 MB"])
  const resident = (...all: ReadonlyArray<number>) => over(...all.map((size) => ({ rss: size * mb })))
  assert.deepStrictEqual(resident(80, 180, 104, 190, 105), [])
  assert.deepStrictEqual(resident(80, 100, 106, 112, 118), [
    "s1: its host's memory beside its heap grew with each round, from 70 to 82 MB"
  ])
  const swings = [0, 0, 2, 2].map(
    (more) => new Map([...held({ heapUsed: (20 + more) * mb }), ["s2", held({}).get("s1")!]])
  )
  assert.deepStrictEqual(growthOverRounds([held({}), ...swings]).found, [])
  const two = [0, 6, 12, 18].map((more) => new Map([...held({ rss: (100 + more) * mb }), ["s2", held({}).get("s1")!]]))
  assert.deepStrictEqual(growthOverRounds([held({}), ...two]).found, [])
  assert.deepStrictEqual(over({}, {}, {}, {}, { fds: ["socket:", "socket:", "/dev/ptmx"] }), [
    "s1: its host has open what it had not: 1 × socket:"
  ])
  assert.deepStrictEqual(growthOverRounds([held({}), held({}), new Map(), held({}), held({})]).found, [
    "s1: its host was not there in each round"
  ])
})

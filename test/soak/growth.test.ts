import { assert, it } from "@effect/vitest"
import { growth, type Held } from "./growth.ts"

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
  assert.deepStrictEqual(found({ rss: 130 * mb }), ["s1: its host grew beside its heap from 50 to 100 MB"])
  assert.deepStrictEqual(found({ rss: 130 * mb, heapTotal: 80 * mb }), [])
  assert.deepStrictEqual(found({ fds: ["socket:", "socket:", "socket:", "/dev/ptmx"] }), [
    "s1: its host has open what it had not: 2 × socket:"
  ])
  assert.deepStrictEqual(found({ resources: [...Array<string>(9).fill("Timeout"), "PipeWrap", "PipeWrap"] }), [
    "s1: its host waits for what it did not: 1 × PipeWrap, 9 × Timeout"
  ])
  assert.match(found({ hostPid: 8 })[0] ?? "", /its host is another one/)
  assert.match(growth(held({}), held({ heapUsed: 22 * mb })).line, /^1 hosts .*heap 20 to 22 MB, most 2 MB more/)
})

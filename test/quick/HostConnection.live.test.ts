import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { connectTo } from "../../src/quick/HostConnection.ts"

/** A host that answers each request, and the requests of each piece that came. */
const serve = async (answers = true) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-connection-"))
  const pieces: Array<ReadonlyArray<string>> = []
  const server = net.createServer((socket) => {
    socket.setEncoding("utf8").on("data", (data: string) => {
      const asked = data
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly id: string; readonly tag: string })
      pieces.push(asked.map(({ tag }) => tag))
      for (const { id, tag } of answers ? asked : []) {
        const value = tag === "Hello" ? { protocol: 1, version: "1", tag: "t", hostPid: 1, ended: false } : null
        socket.write(`${JSON.stringify({ _tag: "Exit", requestId: id, exit: { _tag: "Success", value } })}\n`)
      }
    })
  })
  const file = path.join(dir, "host.sock")
  await new Promise<void>((done) => server.listen(file, done))
  const close = () => {
    server.close()
    fs.rmSync(dir, { recursive: true, force: true })
  }
  return { close, file, pieces }
}

describe("a connection of the quick way", () => {
  it("makes the call that it was asked for with its hello, once: a later one of that name is made anew", async () => {
    const { close, file, pieces } = await serve()
    try {
      const host = await connectTo(file, "Interrupt")
      if (typeof host === "string") return assert.fail(host)
      assert.deepStrictEqual(pieces, [["Hello", "Interrupt"]])
      assert.strictEqual((await host.call("Interrupt")).kind, "value")
      assert.lengthOf(pieces, 1)
      assert.strictEqual((await host.call("Interrupt")).kind, "value")
      assert.deepStrictEqual(pieces.slice(1), [["Interrupt"]])
      host.close()
    } finally {
      close()
    }
  })

  it("waits no longer than until it is seen that the host is stopped", async () => {
    const { close, file } = await serve(false)
    let looked = 0
    try {
      assert.strictEqual(await connectTo(file, "Status", () => ++looked > 0), "unclear")
      assert.strictEqual(looked, 1)
    } finally {
      close()
    }
  })
})

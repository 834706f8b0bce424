import { assert, describe, it } from "@effect/vitest"
import { EventEmitter } from "node:events"
import type * as net from "node:net"
import { hostWire } from "../../../src/layers/control/hostWire.ts"

/** A socket of which the test is the other end. */
const wired = () => {
  const said: Array<string> = []
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    setEncoding: () => {},
    setTimeout: () => {},
    write: (text: string) => said.push((JSON.parse(text) as { readonly _tag: string })._tag),
    destroy: () => {
      socket.destroyed = true
    }
  })
  const answers: Array<unknown> = []
  const wire = hostWire(socket as unknown as net.Socket)
  const ask = () => wire.ask("Hello", null, (exit) => answers.push(exit))
  const hear = (text: string) => socket.emit("data", text)
  const exit = (id: number) => hear(`{"_tag":"Exit","requestId":"${id}","exit":{"_tag":"Success","value":${id}}}\n`)
  return { answers, ask, exit, hear, said, socket, wire }
}

describe("the client's end of the wire", () => {
  it("gives up a host that owes an answer and is silent for two times", () => {
    const { answers, ask, said, socket } = wired()
    ask()
    socket.emit("timeout")
    assert.deepStrictEqual([said, answers], [["Request", "Ping"], []])
    socket.emit("timeout")
    assert.deepStrictEqual([said, answers], [["Request", "Ping"], [undefined]])
    assert.isTrue(socket.destroyed)
  })

  it("waits on for one that says that it lives", () => {
    const { answers, ask, exit, hear, said, socket } = wired()
    ask()
    for (let n = 0; n < 3; n++) {
      socket.emit("timeout")
      hear('{"_tag":"Pong"}\n')
    }
    exit(0)
    assert.deepStrictEqual(answers, [{ _tag: "Success", value: 0 }])
    assert.deepStrictEqual(said, ["Request", "Ping", "Ping", "Ping"])
  })

  it("asks nothing of a host that owes nothing", () => {
    const { ask, exit, said, socket } = wired()
    ask()
    exit(0)
    for (let n = 0; n < 3; n++) socket.emit("timeout")
    assert.deepStrictEqual(said, ["Request"])
    assert.isFalse(socket.destroyed)
  })

  it("has a host's fault for the answer to all that waits", () => {
    const { answers, ask, hear } = wired()
    ask()
    ask()
    hear('{"_tag":"Defect","defect":"it broke"}\n')
    const fault = { _tag: "Failure", cause: [{ _tag: "Die", defect: "it broke" }] }
    assert.deepStrictEqual(answers, [fault, fault])
  })

  it("that is finished is closed by the last answer, or when that is not wanted any more", () => {
    const [one, other] = [wired(), wired()]
    for (const { ask, exit, socket, wire } of [one, other]) {
      ask()
      const forget = ask()
      wire.finish()
      exit(0)
      assert.isFalse(socket.destroyed)
      if (socket === one.socket) exit(1)
      else forget()
      assert.isTrue(socket.destroyed)
    }
    assert.deepStrictEqual(other.said, ["Request", "Request", "Interrupt"])
    const idle = wired()
    idle.wire.finish()
    assert.isTrue(idle.socket.destroyed)
  })
})

// The least that a session in Node can be: a process that keeps a program's terminal, and one that shows it in another.
// Neither reads, keeps or decides anything: what remains between them and leap is what leap does.
//
//   node nodeRelay.mjs host SOCKET PROGRAM ARG     node nodeRelay.mjs view SOCKET
import * as net from "node:net"
import * as pty from "node-pty"

const [role, socket, program, ...args] = process.argv.slice(2)

if (role === "host") {
  const child = pty.spawn(program, args, { name: "xterm-256color", cols: 120, rows: 40, encoding: null })
  let early = []
  const server = net.createServer((viewer) => {
    for (const data of early ?? []) viewer.write(data)
    early = null
    child.onData((data) => {
      // a viewer that lags behind stops the program, which leap's may not
      if (!viewer.write(data)) child.pause()
    })
    viewer.on("drain", () => child.resume())
    viewer.on("data", (data) => child.write(data))
    viewer.on("close", () => child.kill("SIGKILL"))
  })
  child.onData((data) => early?.push(data))
  child.onExit(() => process.exit())
  server.listen(socket, () => process.stdout.write("up\n"))
} else {
  const host = net.connect(socket)
  process.stdin.setRawMode(true)
  process.stdin.on("data", (data) => host.write(data))
  host.on("data", (data) => {
    if (!process.stdout.write(data)) host.pause()
  })
  process.stdout.on("drain", () => host.resume())
  host.on("close", () => process.exit())
}

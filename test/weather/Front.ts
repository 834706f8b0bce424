import * as net from "node:net"
import * as tls from "node:tls"

/** The way to the endpoint, by what becomes of new connections. */
export type Way =
  | "open"
  /** Nobody listens. */
  | "refused"
  /** Each is reset as soon as it is made. */
  | "reset"
  /** Each is closed at once. */
  | "closed"
  /** None is answered. */
  | "silent"

/** A certificate that no CLI trusts. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Stands before an endpoint on loopback, under a name and a port of its own, and lets through what the way is. */
export class Front {
  private readonly open = new Set<net.Socket>()
  private readonly server: net.Server
  private way: Way = "open"
  private port = 0
  /** The endpoint's port. */
  target = 0
  /** The name by which clients look for it. */
  readonly name: string
  private readonly scheme: string
  /** Connections that were made to it. */
  connections = 0

  constructor(name = "127.0.0.1", certificate: Certificate | null = null) {
    this.name = name
    this.scheme = certificate === null ? "http" : "https"
    this.server =
      certificate === null
        ? net.createServer((socket) => this.accept(socket))
        : tls.createServer(certificate, (socket) => this.accept(socket))
    this.server.on("tlsClientError", () => {})
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject)
      this.server.listen(this.port, "127.0.0.1", resolve)
    })
    this.port = (this.server.address() as net.AddressInfo).port
    return this.url
  }

  get url(): string {
    return `${this.scheme}://${this.name}:${this.port}`
  }

  /** From now on it is so; what is open is reset, unless the way is open. */
  async become(way: Way): Promise<void> {
    const listens = this.way !== "refused"
    this.way = way
    if (way !== "open") for (const socket of this.open) socket.resetAndDestroy()
    if (way === "refused" && listens) await new Promise((resolve) => this.server.close(resolve))
    if (way !== "refused" && !listens) await this.listen()
  }

  async close(): Promise<void> {
    await this.become("refused")
  }

  private accept(socket: net.Socket) {
    this.connections++
    this.open.add(socket)
    socket.on("close", () => this.open.delete(socket))
    socket.on("error", () => {})
    if (this.way === "reset") return void socket.resetAndDestroy()
    if (this.way === "closed") return void socket.destroy()
    if (this.way === "silent") return
    const onward = net.connect(this.target, "127.0.0.1")
    onward.on("error", () => socket.resetAndDestroy())
    socket.on("error", () => onward.destroy())
    socket.on("close", () => onward.destroy())
    // a reset of the endpoint's reaches the client as one
    onward.on("close", (failed) => (failed ? socket.resetAndDestroy() : socket.end()))
    onward.pipe(socket)
    socket.pipe(onward)
  }
}

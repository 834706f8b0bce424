import * as net from "node:net"
import * as tls from "node:tls"
import { isGone, resolves } from "./Names.ts"
import { certificates } from "./tls/certificates.ts"

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
  /** What comes back comes seconds later. */
  | "slow"
  /** Its name is not known to anybody, and who remembers the address finds nobody there. */
  | "unresolved"
  /** Its certificate is its own. */
  | "self-signed"
  /** Its certificate ended years ago. */
  | "expired"
  /** It answers in plain text where encryption is expected. */
  | "plain"

const plain =
  "HTTP/1.1 400 Bad Request\r\nServer: nginx/1.27.2\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" +
  "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>\r\n"

const slowMs = 4_000

interface Options {
  /** The name by which clients look for it: one under `weather.test`, which can be taken away. */
  readonly name?: string
  /** It is spoken to over TLS. */
  readonly secure?: boolean
}

/** Stands before an endpoint on loopback, under a name and a port of its own, and lets through what the way is. */
export class Front {
  private readonly open = new Set<net.Socket>()
  private readonly server = net.createServer((socket) => this.accept(socket))
  private way: Way = "open"
  private port = 0
  private listens = false
  /** The endpoint's port. */
  target = 0
  private readonly name: string
  /** It is spoken to over TLS. */
  readonly secure: boolean
  /** Connections that were made to it. */
  connections = 0
  /** When what was open was reset, in milliseconds since the epoch. */
  readonly cuts: Array<number> = []

  constructor({ name = "127.0.0.1", secure = false }: Options = {}) {
    this.name = name
    this.secure = secure
  }

  async listen(): Promise<string> {
    if (this.isNamed) resolves(this.name)
    if (this.listens) return this.url
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject)
      this.server.listen(this.port, "127.0.0.1", resolve)
    })
    this.listens = true
    this.port = (this.server.address() as net.AddressInfo).port
    return this.url
  }

  get url(): string {
    return `${this.secure ? "https" : "http"}://${this.name}:${this.port}`
  }

  /**
   * From now on it is so. What is open is reset, unless the way is open; where nothing was answered, that has an end
   * too.
   */
  async become(way: Way): Promise<void> {
    const cuts = way !== "open" || this.way === "silent"
    this.way = way
    if (cuts) this.cut()
    if (way === "unresolved" && this.isNamed) isGone(this.name)
    if (way !== "refused" && way !== "unresolved") await this.listen()
    else if (this.listens) {
      this.listens = false
      await new Promise((resolve) => this.server.close(resolve))
    }
  }

  /** Resets what is open. */
  cut(): void {
    this.cuts.push(Date.now())
    for (const socket of this.open) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    await this.become("refused")
  }

  private get isNamed() {
    return this.name !== "127.0.0.1"
  }

  private accept(raw: net.Socket) {
    this.connections++
    this.open.add(raw)
    raw.on("close", () => this.open.delete(raw))
    raw.on("error", () => {})
    const { way } = this
    if (way === "reset") return void raw.resetAndDestroy()
    if (way === "closed") return void raw.destroy()
    if (way === "silent") return
    if (way === "plain") return void raw.once("data", () => raw.end(plain))
    const socket = this.secure ? this.secured(raw, way === "expired" || way === "self-signed" ? way : "open") : raw
    const onward = net.connect(this.target, "127.0.0.1")
    onward.on("error", () => raw.resetAndDestroy())
    socket.on("error", () => onward.destroy())
    raw.on("close", () => onward.destroy())
    // a reset of the endpoint's reaches the client as one
    onward.on("close", (failed) => (failed ? raw.resetAndDestroy() : socket.end()))
    socket.pipe(onward)
    if (way === "slow") setTimeout(() => onward.pipe(socket), slowMs)
    else onward.pipe(socket)
  }

  private secured(raw: net.Socket, by: keyof typeof certificates): tls.TLSSocket {
    return new tls.TLSSocket(raw, { isServer: true, ALPNProtocols: ["http/1.1"], ...certificates[by] })
  }
}

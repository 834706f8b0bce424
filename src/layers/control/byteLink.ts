import { Effect } from "effect"
import type { Socket } from "node:net"
import type { ByteLink } from "../../services/AttachChannel.ts"

/** A link over a socket. An earlier reader of the socket must have put back what it read. */
export const byteLink = (socket: Socket): ByteLink => ({
  send: (bytes) => {
    if (socket.writable) socket.write(bytes)
  },
  listen: ({ closed, data }) => {
    socket.on("data", data)
    let over = false
    const end = (): void => {
      if (over) return
      over = true
      closed()
    }
    socket.on("end", end)
    socket.on("close", end)
    socket.on("error", end)
    if (socket.destroyed) end()
    else socket.resume()
  }
})

/** The next piece from a socket; null if it closes first. The socket can be read by others afterwards. */
export const nextPiece = (socket: Socket): Effect.Effect<Buffer | null> =>
  Effect.callback<Buffer | null>((resume) => {
    const done = (piece: Buffer | null): void => {
      socket.off("readable", look)
      socket.off("close", none)
      socket.off("error", none)
      resume(Effect.succeed(piece))
    }
    const none = (): void => done(null)
    const look = (): void => {
      const piece = socket.read() as Buffer | null
      if (piece === null) return socket.readableEnded || socket.destroyed ? none() : undefined
      done(piece)
    }
    socket.on("readable", look)
    socket.on("close", none)
    socket.on("error", none)
    return Effect.sync(() => done(null))
  })

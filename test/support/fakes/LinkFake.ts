import type { ByteLink } from "../../../src/services/AttachChannel.ts"

/** One end of a connection in memory. */
export interface FakeLink extends ByteLink {
  /** Ends the connection, for both ends. */
  readonly end: () => void
}

/** Two ends of a connection: what one sends, the other has got when the call returns, once it listens. */
export const linked = (): { readonly client: FakeLink; readonly host: FakeLink } => {
  let open = true
  const side = () => {
    let on: Parameters<ByteLink["listen"]>[0] | null = null
    const early: Array<Uint8Array> = []
    return {
      receive: (bytes: Uint8Array): void => {
        if (on === null) early.push(bytes)
        else on.data(bytes)
      },
      closed: () => on?.closed(),
      listen: (listener: Parameters<ByteLink["listen"]>[0]): void => {
        on = listener
        for (const bytes of early.splice(0)) listener.data(bytes)
        if (!open) listener.closed()
      }
    }
  }
  const [a, b] = [side(), side()]
  const end = (): void => {
    if (!open) return
    open = false
    a.closed()
    b.closed()
  }
  const link = (mine: typeof a, other: typeof a): FakeLink => ({
    send: (bytes) => {
      if (open) other.receive(Uint8Array.from(bytes))
    },
    listen: mine.listen,
    end
  })
  return { client: link(a, b), host: link(b, a) }
}

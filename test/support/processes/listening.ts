import { Effect } from "effect"
import type * as http from "node:http"
import type { AddressInfo } from "node:net"

/** Lets a server listen on a free port of this machine until the scope ends, which ends its connections; the port. */
export const listening = (server: http.Server) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    () => (server.address() as AddressInfo).port
  )

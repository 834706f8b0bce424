import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { registered, type Registration } from "../../../src/layers/providers/registry.ts"
import { toyIdentity } from "./domain/Identity.ts"

/** The CLIs that leap knows, and one more: two folders and a line. */
export const registrations: ReadonlyArray<Registration> = [
  ...ProvidersBuiltin.registrations,
  registered(toyIdentity, () => import("./layers/Provider.ts"))
]

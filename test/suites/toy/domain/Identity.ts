import { identify } from "../../../../src/domain/cli/provider/Identity.ts"

/** A CLI that nobody has: it shows what a new one takes. */
export const toyIdentity = identify({
  id: "toy",
  displayName: "Toy",
  binary: "toy",
  installHint: "it is part of leap's tests",
  checkedVersion: "1.2.3"
})

import * as Arbitrary from "effect/Arbitrary"
import { seed } from "./seed.ts"

// Every property of a run draws from one seed, so that what fails once fails again.
Arbitrary.configureGlobal({ check: { seed }, sample: { seed } })

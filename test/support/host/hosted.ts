import { effectWith } from "../run/effects.ts"
import { world } from "./stage.ts"

/** A test of hosts in the world of the stage, which is its own. */
export const hosted = effectWith(world)

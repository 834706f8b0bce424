import { it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { isThorough, propertyTimeout } from "../../../support/run/thorough.ts"
import { holdsLaw, Spell } from "../../../support/session/weatherLife.ts"

/**
 * The weather turns while hosts are killed, clocks jump, hooks come late or twice, the log cannot be written, a CLI or
 * leap goes on by itself after a limit, tools run before a turn fails, and the user does what users do.
 */
it.prop(
  "whatever the weather, and whatever becomes of host, clock, hooks and log: nothing is burnt, doubled or stalled",
  [
    Arbitrary.array(Arbitrary.schema(Spell), { minLength: 3, maxLength: 10 }),
    Arbitrary.schema(Schema.Boolean),
    Arbitrary.schema(Schema.Literals([0, 1, 2, 3]))
  ],
  ([spells, night, works]) => holdsLaw(spells, night, { works }),
  { arbitrary: { runs: isThorough ? 2000 : 60 }, timeout: propertyTimeout }
)

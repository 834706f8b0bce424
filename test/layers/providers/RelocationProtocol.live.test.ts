import { assert, it } from "@effect/vitest"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { registrations } from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { suite } from "../../suites/RelocationSuite.ts"
import type { Home } from "../../support/relocation/moverHome.ts"
import { builtin } from "../../support/providers.ts"
import { plantCodex, plantCopilot, plantOpenCode } from "../../support/relocation/registries.ts"
import { each } from "../../support/data/fields.ts"

const plants: Readonly<Record<string, (home: Home) => SessionRecord>> = {
  claude: (home) => home.claude(),
  codex: plantCodex,
  gemini: (home) => home.gemini(),
  copilot: plantCopilot,
  "cursor-agent": (home) => home.cursorAgent(),
  opencode: plantOpenCode
}

it("every CLI whose sessions can move is examined", () =>
  assert.sameMembers(
    each(
      builtin.filter(({ relocation }) => relocation !== null),
      "id"
    ),
    Object.keys(plants)
  ))

for (const registration of registrations) {
  const plant = plants[registration.identity.id]
  if (plant !== undefined) suite(registration, plant)
}

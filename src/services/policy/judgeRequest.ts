import { Effect } from "effect"
import { asksDisk, hasPathRules, unseen, whenUncertain } from "../../domain/engine/approvals/decideUncertain.ts"
import { decide, type DecideOptions } from "../../domain/policy/decide.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import type { System } from "../System.ts"
import { followed } from "./followLinks.ts"

/** The user's rules on a request, with links followed. If one cannot be, rules on paths leave nothing allowed. */
export const judgeRequest = Effect.fn("judgeRequest")(function* (
  system: System["Service"],
  options: DecideOptions,
  asked: ToolRequest
) {
  const { certain, request: found } = asksDisk(options.policy)
    ? yield* followed(system, asked, options.home)
    : { certain: true, request: asked }
  const request = certain ? found : unseen(options.policy, found)
  const decision = decide(options, request)
  return { decision: certain || !hasPathRules(options.policy) ? decision : whenUncertain(decision), request }
})

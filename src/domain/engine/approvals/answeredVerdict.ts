import type { Verdict } from "../../policy/Decision.ts"

const refusal = /^(?:no\b|deny|reject|decline|cancel|don[’']t|do not)/i

export const answeredVerdict = (option: string): Verdict => (refusal.test(option.trim()) ? "deny" : "allow")

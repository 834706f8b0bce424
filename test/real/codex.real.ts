import { codex } from "./cli/codex.ts"
import { mainJob } from "./mainJob.ts"

mainJob(codex)
